import { describe, expect, test } from 'vitest'
import { movementWords, stoppedRollouts } from '../src/pages/home/moving.ts'
import { seriesOf } from '../src/parts/charts/series.ts'
import { statusWords } from '../src/parts/feature/statusWords.ts'

describe('movementWords', () => {
  test('names where a rollout is and ends', () => {
    expect(movementWords({ share: 0.376, trend: 'rising', end: { share: 1, date: 5 } })).toEqual({
      text: '38% → 100%',
      at: 5
    })
    expect(movementWords({ share: 0, trend: 'steady', startsAt: 3 })).toEqual({ text: 'starts', at: 3 })
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

describe('statusWords', () => {
  test('rounds a share', () => {
    expect(statusWords({ status: 'partly', share: 0.3756, trend: 'rising', isFiltered: false })).toBe(
      'partly, 38% rising'
    )
  })

  test('says that all who match get it instead of 100%', () => {
    const status = { status: 'partly', share: 1, trend: 'steady', isFiltered: true } as const
    expect(statusWords(status)).toBe('partly, all who match')
  })
})

describe('seriesOf', () => {
  test('lists unknown variations if they were evaluated', () => {
    const variations = [{ _id: '1', key: 'on', name: 'On', variables: {} }]
    const series = seriesOf([{ date: '', values: { on: 0, default: 2, '0f': 0 } }], {
      variations,
      controlVariation: 'on'
    })
    expect(series.map(({ name, total }) => [name, total])).toEqual([
      ['On', 0],
      ['The code’s default', 2]
    ])
  })
})
