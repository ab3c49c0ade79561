import { describe, expect, test } from 'vitest'
import { dayOf, matchingPreset, presetsOf, rangeOf } from '../../../../../src/pages/feature/results/selection/range.ts'

describe('the range', () => {
  const now = Date.parse('2026-03-31T15:00:00Z')

  const created = '2026-03-20T09:00:00Z'

  test('begins when the feature was created, at most 30 days ago', () => {
    expect(rangeOf({}, created, now)).toEqual({
      first: '2026-03-20',
      last: '2026-03-31',
      query: { startDate: '2026-03-20T00:00:00.000Z', endDate: '2026-04-01T00:00:00.000Z' }
    })
    expect(rangeOf({}, '2025-01-01T00:00:00Z', now).first).toBe('2026-03-02')
  })

  test.each([
    [{ from: '2026-02-30' }, 'from'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-04-02' }, 'from'],
    [{ from: '2025-01-01' }, 'from'],
    [{ from: '2026-03-10', to: '2026-03-09' }, 'to'],
    [{ to: '2026' }, 'to']
  ])('refuses %j at its field', (search, field) => {
    const range = rangeOf(search, created, now)
    expect(range.problem?.field).toBe(field)
    expect(range.query).toBeUndefined()
  })

  test('is a preset while it ends today', () => {
    const presets = presetsOf(created, now)
    expect(presets.map(({ value }) => value)).toEqual(['created', '7', '14', '30'])
    const week = { from: presets.find(({ value }) => value === '7')?.from ?? '' }
    expect(week.from).toBe('2026-03-25')
    expect(matchingPreset(rangeOf(week, created, now), presets, now)?.value).toBe('7')
    expect(matchingPreset(rangeOf({ ...week, to: '2026-03-30' }, created, now), presets, now)).toBeUndefined()
    expect(presetsOf('2020-01-01T00:00:00Z', now).map(({ value }) => value)).toEqual(['7', '14', '30'])
    expect(dayOf(now)).toBe('2026-03-31')
  })
})
