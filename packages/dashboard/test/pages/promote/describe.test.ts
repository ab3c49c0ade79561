import { describe, expect, it } from 'vitest'
import { compareLines, describeOneSided, summarizePromotion } from '../../../src/pages/promote/describe.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

const equal = { feature: 'checkout', isDifferent: false, status: ['active', 'active'] as ['active', 'active'] }

type Fields = { path: string; a: never; b: never }[]

const context = { now, variations: new Map([['variation-on', 'On']]) }

const country = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }

/** The members of a target that only one side has. */
function members(side: 'a' | 'b'): Fields {
  const values = { 'audience.filters': { operator: 'and', filters: [country] }, distribution: [['variation-on', 1]] }
  return Object.entries(values).map(([path, value]) => ({ path, a: null as never, b: null as never, [side]: value }))
}

describe('the lines of a comparison', () => {
  const lines = (
    change: 'same' | 'added' | 'removed' | 'moved' | 'modified',
    fields: Fields = [],
    name: string | null = 'Canada'
  ) => compareLines({ ...equal, admittedNow: [1, 0.2], targets: [{ name, change, fields }] }, context)

  it('say which side has a target', () => {
    const absent = 'No such target: these users go on to the next one.'
    const whole = 'Users where country is Canada (CA) get On.'
    expect(lines('added', members('b')).at(-1)).toMatchObject({ subject: 'Canada', left: absent, right: whole })
    expect(lines('removed', members('a')).at(-1)).toMatchObject({ left: whole, right: absent })
  })

  it('name a target without a name by its condition or its position', () => {
    const subjectOf = (change: 'same' | 'added', fields: Fields = []) => lines(change, fields, null).at(-1)?.subject
    expect(subjectOf('added', members('b'))).toBe('Country is Canada (CA)')
    expect(subjectOf('same')).toBe('Target 1')
  })

  it('say what is equal', () => {
    expect(lines('same').map(({ isDifferent }) => isDifferent)).toEqual([false, true, false])
  })

  it.each([
    ['distribution', [['variation-on', 0.5]], [['unknown', 1]], 'On 50%', 'unknown 100%'],
    ['rollout', null, { type: 'schedule', startDate: '2026-04-01T12:00:00Z' }, '100%', /^100% from Apr 1, 2026/],
    ['bucketingKey', null, 'company', 'user_id', 'company'],
    ['name', null, 'North', 'none', 'North'],
    ['audience.filters', { operator: 'and', filters: [country] }, null, /Canada/, '']
  ])('describe %s', (path, a, b, left, right) => {
    const line = lines('modified', [{ path, a: a as never, b: b as never }]).at(-1)
    expect(line?.left).toMatch(left)
    expect(line?.right).toMatch(right)
  })
})

it.each([
  [{ ...equal, targets: [] }, 'is equal'],
  [{ ...equal, status: ['active', 'inactive'] as const, targets: [] }, 'status differs'],
  [{ ...equal, targets: [{ name: 'A', change: 'moved' as const, fields: [] }] }, '1 target differs']
])('what differs is summarized', (feature, words) => {
  expect(
    summarizePromotion({ ...feature, admittedNow: [1, 1], status: [...feature.status], targets: [...feature.targets] })
  ).toBe(words)
})

describe('the sentences about targets that one side has', () => {
  const names = { left: 'Staging', right: 'Production' }
  const target = (name: string | null, change: 'same' | 'added' | 'removed') => ({
    name,
    change,
    fields: name === null ? members('b') : []
  })

  it('are absent if both sides have the same targets', () => {
    expect(describeOneSided({ targets: [target('Canada', 'same')] }, names, context)).toBeUndefined()
  })

  it('name the environment and what a promotion does', () => {
    const targets = [target('Canada', 'removed'), target('Beta', 'added'), target(null, 'added')]
    expect(describeOneSided({ targets }, names, context)).toEqual({
      sentences: [
        'Only Staging has “Canada”: a promotion adds it to Production.',
        'Only Production has “Beta” and “Country is Canada (CA)”: a promotion removes them from Production.'
      ],
      isEmptied: false
    })
  })

  it('say that a source without targets leaves none', () => {
    expect(describeOneSided({ targets: [target('Beta', 'added')] }, names, context)).toEqual({
      sentences: [
        'Only Production has “Beta”: a promotion removes it from Production.',
        'Staging has no targets, so Production would have none either.'
      ],
      isEmptied: true
    })
  })
})
