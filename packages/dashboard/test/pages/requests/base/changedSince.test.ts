import { expect, test } from 'vitest'
import type { AuditChange } from '../../../../src/components/diff/describeChange.ts'
import { changedSince } from '../../../../src/pages/requests/base/changedSince.ts'

const context = { now: 0, environments: new Map([['live', 'Production']]), variations: new Map([['on', 'On']]) }

function target(name: string, country: string) {
  const filter = { type: 'user', subType: 'country', comparator: '=', values: [country] }
  return {
    _id: 'canada',
    name,
    audience: { filters: { operator: 'and', filters: [filter] } },
    distribution: [{ _variation: 'on', percentage: 1 }]
  }
}

function change(type: string, before: object | null, after: object | null): AuditChange {
  const targets = (item: object | null) => ({ targets: item ? [item] : [] })
  // The contents of these changes are targets as stored.
  const made = { type, previousContents: targets(before), newContents: targets(after), _environments: ['live'] }
  return made as unknown as AuditChange
}

const requested = [change('modifiedTarget', target('Canada', 'CA'), target('North', 'CA'))]

test('a value that the request changes too is in conflict, and comes first', () => {
  const since = [change('modifiedTarget', target('Canada', 'CA'), target('Northern', 'US'))]
  const [first, second] = changedSince(since, requested, context)
  expect(first).toMatchObject({ change: 'Canada → Northern', requested: 'Canada → North' })
  expect(first?.title).toBe('Production, Target “Northern”: Name')
  expect(second).not.toHaveProperty('requested')
})

test('a target that was removed is in conflict with a change of it', () => {
  const [only] = changedSince([change('removedTarget', target('Canada', 'CA'), null)], requested, context)
  expect(only).toMatchObject({ change: expect.stringMatching(/^removed: /), requested: 'Canada → North' })
})

test('a change elsewhere is no conflict', () => {
  const status = { type: 'disabledEnvironment', previousContents: null, newContents: null, _environments: ['live'] }
  const [only] = changedSince([status as unknown as AuditChange], requested, context)
  expect(only).toMatchObject({ title: 'Production, Turned off: Status', change: 'on → off' })
  expect(only).not.toHaveProperty('requested')
})

test('a value that is already as requested is no conflict', () => {
  const [only] = changedSince(
    [change('modifiedTarget', target('East', 'CA'), target('North', 'CA'))],
    requested,
    context
  )
  expect(only).toMatchObject({ change: 'East → North', isAsRequested: true })
  expect(only).not.toHaveProperty('requested')
})
