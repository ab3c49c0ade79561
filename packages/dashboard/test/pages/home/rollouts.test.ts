import { describe, expect, test } from 'vitest'
import { describeNextChange, stoppedRollouts } from '../../../src/pages/home/rollouts.ts'

describe('describeNextChange', () => {
  test('names where a rollout is and ends', () => {
    expect(describeNextChange({ share: 0.376, trend: 'rising', end: { share: 1, date: 5 } })).toEqual({
      text: '38% → 100%',
      at: 5
    })
    expect(describeNextChange({ share: 0, trend: 'steady', startsAt: 3 })).toEqual({ text: 'starts', at: 3 })
  })
})

describe('stoppedRollouts', () => {
  const rollout = {
    type: 'gradual',
    startDate: '2026-01-01T00:00:00Z',
    startPercentage: 0,
    stages: [{ type: 'linear', date: '2026-01-11T00:00:00Z', percentage: 1 }]
  }
  const inProduction = {
    _environment: 'production',
    status: 'inactive',
    killedAt: '2026-01-02T00:00:00Z',
    targets: [{ rollout }]
  }
  const during = Date.parse('2026-01-05T00:00:00Z')
  // The members that the function reads.
  const stopped = (members: object, now = during) =>
    stoppedRollouts(
      [{ status: 'active', configurations: [{ ...inProduction, ...members }] }] as never,
      'production',
      now
    )

  test.each([
    ['a rollout that the kill switch stopped', {}, during, 1],
    ['a feature that was turned off without it', { killedAt: undefined }, during, 0],
    ['a feature that is on again', { status: 'active' }, during, 0],
    ['another environment', { _environment: 'staging' }, during, 0],
    ['a rollout that would have ended', {}, Date.parse('2026-02-01T00:00:00Z'), 0]
  ])('counts %s', (_, members, now, count) => {
    expect(stopped(members, now)).toHaveLength(count)
  })
})
