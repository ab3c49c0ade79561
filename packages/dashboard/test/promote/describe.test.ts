import { describe, expect, it } from 'vitest'
import { compareLines, describeOneSided, summarizePromotion } from '../../src/pages/promote/describe.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const equal = { feature: 'checkout', isDifferent: false, status: ['active', 'active'] as ['active', 'active'] }

describe('the lines of a comparison', () => {
  const lines = (
    change: 'same' | 'added' | 'removed' | 'moved' | 'modified',
    fields: { path: string; a: never; b: never }[] = []
  ) =>
    compareLines(
      { ...equal, admittedNow: [1, 0.2], targets: [{ name: 'Canada', change, fields }] },
      { now, variations: new Map([['variation-on', 'On']]) }
    )

  it('say which side has a target', () => {
    expect(lines('added').at(-1)).toMatchObject({ subject: 'Canada', left: 'missing', right: 'only here' })
    expect(lines('removed').at(-1)).toMatchObject({ left: 'only here', right: 'missing' })
  })

  it('say what is equal', () => {
    expect(lines('same').map(({ isDifferent }) => isDifferent)).toEqual([false, true, false])
  })

  it.each([
    ['distribution', [['variation-on', 0.5]], [['unknown', 1]], 'On 50%', 'unknown 100%'],
    ['rollout', null, { type: 'schedule', startDate: '2026-04-01T12:00:00Z' }, '100%', /^100% from Apr 1, 2026/],
    ['bucketingKey', null, 'company', 'user_id', 'company'],
    ['name', null, 'North', 'none', 'North'],
    [
      'audience.filters',
      { operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }] },
      null,
      /Canada/,
      ''
    ]
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
  const target = (name: string | null, change: 'same' | 'added' | 'removed') => ({ name, change, fields: [] })

  it('are absent if both sides have the same targets', () => {
    expect(describeOneSided({ targets: [target('Canada', 'same')] }, names)).toBeUndefined()
  })

  it('name the environment and what a promotion does', () => {
    const targets = [target('Canada', 'removed'), target('Beta', 'added'), target(null, 'added')]
    expect(describeOneSided({ targets }, names)).toEqual({
      sentences: [
        'Only Staging has “Canada”: a promotion adds it to Production.',
        'Only Production has “Beta” and a target without a name: a promotion removes them from Production.'
      ],
      isEmptied: false
    })
  })

  it('say that a source without targets leaves none', () => {
    expect(describeOneSided({ targets: [target('Beta', 'added')] }, names)).toEqual({
      sentences: [
        'Only Production has “Beta”: a promotion removes it from Production.',
        'Staging has no targets, so Production would have none either.'
      ],
      isEmptied: true
    })
  })
})
