import type { AuditLogEntry } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { environmentNotes, nameIn, requestIn, summarize } from '../../../src/components/diff/changeWords.ts'

type Type = AuditLogEntry['changes'][number]['type']

const changes = (...types: Type[]) => types.map((type) => ({ type, newContents: null, previousContents: null }))

test('a summary names each kind of change once, in one sentence', () => {
  expect(summarize(changes('modifiedTarget', 'modifiedTarget'))).toBe('Target changed')
  expect(summarize(changes('modifiedTarget', 'enabledEnvironment'))).toBe('Target changed, turned on')
  expect(summarize(changes('createdProject', 'createdSdkKey'))).toBe('Project created, SDK key created')
  expect(summarize(changes('createdMetric', 'createdMetricAssociation'))).toBe(
    'Metric created, metric added to a feature'
  )
})

test('a summary names what happened to a change request', () => {
  const changed = (newContents: object) => summarize([{ ...changes('modifiedChangeRequest')[0], newContents } as never])
  expect(changed({ status: 'rejected', reviews: [{}] })).toBe('Change request rejected')
  expect(changed({ reviews: [{}] })).toBe('Change request approved')
  expect(changed({ applyAt: '2026-03-02T06:00:00.000Z' })).toBe('Change request scheduled')
  expect(changed({ changes: [] })).toBe('Change request changed')
})

test('a summary counts the kinds after the second one', () => {
  expect(summarize(changes('createdFeature', 'addedTarget', 'enabledEnvironment', 'modifiedSettings'))).toBe(
    'Feature created, target added and 2 more'
  )
})

test('the name of what was changed is the one it has now, else the last one', () => {
  const [change] = changes('modifiedAudience')
  expect(nameIn([{ ...change, previousContents: { name: 'Old' }, newContents: { name: 'New' } } as never])).toBe('New')
  expect(nameIn([{ ...change, previousContents: { name: 'Old' } } as never])).toBe('Old')
  expect(nameIn(changes('modifiedAudience'))).toBeUndefined()
})

test('an entry names the change request of a feature that it is about', () => {
  const of = (type: string, contents: object) =>
    [{ type, newContents: null, previousContents: null, ...contents }] as never
  expect(requestIn(of('createdChangeRequest', { newContents: { _id: 'a' } }))).toBe('a')
  expect(requestIn(of('modifiedChangeRequest', { newContents: { status: 'applied' }, metadata: { _id: 'b' } }))).toBe(
    'b'
  )
  expect(requestIn(of('modifiedFeature', { newContents: { _id: 'c' } }))).toBeUndefined()
  expect(requestIn([])).toBeUndefined()
})

test('environments in which an entry made different changes say which', () => {
  const at = (type: Type, ..._environments: string[]) => ({ ...changes(type)[0], type, _environments }) as never
  const created = [at('addedTarget', 'dev'), at('enabledEnvironment', 'dev'), at('addedTarget', 'staging')]
  expect([...environmentNotes(created)]).toEqual([
    ['dev', 'target added, turned on'],
    ['staging', 'target added']
  ])
  expect([...environmentNotes([at('killedFeature', 'dev', 'live')])]).toEqual([
    ['dev', undefined],
    ['live', undefined]
  ])
})
