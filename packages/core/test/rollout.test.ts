import { describe, expect, test } from 'vitest'
import { admittedShare, type Rollout } from '../src/index.ts'

const start = '2025-01-01T00:00:00.000Z'
const gradual: Rollout = {
  type: 'gradual',
  startDate: start,
  startPercentage: 0.2,
  stages: [{ type: 'linear', date: '2025-01-11T00:00:00.000Z', percentage: 1 }]
}

describe('admittedShare', () => {
  test.each<[string, Rollout | null | undefined, string, number]>([
    ['includes all users without a rollout', undefined, start, 1],
    ['includes all users with a rollout of null', null, start, 1],
    ['includes nobody before the start date', gradual, '2024-12-31T23:59:59.999Z', 0],
    ['grows evenly between two stages', gradual, '2025-01-06T00:00:00.000Z', 0.6],
    ['includes all users after the last stage', gradual, '2025-02-01T00:00:00.000Z', 1],
    [
      'includes all users after the date of a schedule',
      { type: 'schedule', startDate: start },
      '2025-02-01T00:00:00.000Z',
      1
    ],
    [
      'includes nobody before the date of a schedule',
      { type: 'schedule', startDate: start },
      '2024-01-01T00:00:00.000Z',
      0
    ]
  ])('%s', (_title, rollout, now, share) => {
    expect(admittedShare(rollout, Date.parse(now))).toBeCloseTo(share, 12)
  })
})
