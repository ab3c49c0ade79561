import type { MetricResult } from '@burgee/contract/schemas'
import { MetricResult as MetricResultSchema } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import { decisionSentences, winnerOf } from '../../src/pages/feature/results/decision/decisionWords.ts'
import { healthChecks, splitRows } from '../../src/pages/feature/results/decision/healthChecks.ts'
import { formatChange, formatDifference, formatFigure, formatP } from '../../src/pages/feature/results/figures.ts'
import { dayOf, matchingPreset, presetsOf, rangeOf } from '../../src/pages/feature/results/selection/range.ts'
import { readResultsSearch } from '../../src/pages/feature/results/selection/resultsSearch.ts'
import { scaleOf } from '../../src/parts/charts/IntervalPlot.tsx'
import { changedMetricMembers, toMetricBody, toMetricForm } from '../../src/parts/metrics/metricForm.ts'

type Result = MetricResult['result']
type VariationResult = Result['variations'][number]

/** The example of the contract with other members. */
function resultOf(change: Partial<VariationResult> = {}, others: Partial<Result> = {}): Result {
  const { result } = MetricResultSchema.meta()?.example as unknown as MetricResult
  const [control, treatment] = result.variations as [VariationResult, VariationResult]
  return { ...result, variations: [control, { ...treatment, ...change }], ...others }
}

const metric = { name: 'Purchases', event: 'purchase' }
const sentenceOf = (result: Result) => decisionSentences(metric, result, { isActive: true })[0]?.text

describe('the decision', () => {
  test('says that the feature can be completed only when the variation is better or worse', () => {
    expect(sentenceOf(resultOf({ decision: 'better', adjustedSequentialPValue: 0.008 }))).toBe(
      'Variation On beats Variation Off on Purchases: +20% (95% interval -36% to +130%); sequential p 0.008. You can complete the feature with Variation On.'
    )
    expect(sentenceOf(resultOf({ decision: 'worse' }))).toMatch(
      /^Variation On is worse than .* You can complete the feature with another variation\.$/
    )
    expect(sentenceOf(resultOf())).not.toContain('complete')
  })

  test('proposes nothing for a feature that is no longer active', () => {
    const [decision] = decisionSentences(metric, resultOf({ decision: 'worse' }), { isActive: false })
    expect(decision?.text).toMatch(/^Variation On is worse than /)
    expect(decision?.text).not.toContain('complete')
  })

  test('names the users that a difference takes while it is open', () => {
    expect(sentenceOf(resultOf())).toMatch(
      /^No difference is shown yet .* A difference of \+10% takes about 11,021 users of both; 400 took part so far\.$/
    )
  })

  test('says why nothing can be said', () => {
    const none = { sequentialPValue: null, adjustedSequentialPValue: null }
    expect(sentenceOf(resultOf({ ...none, reason: 'a variation has fewer than 30 users', usersNeeded: 80 }))).toContain(
      'too few users; about 80 of it and the control together are needed'
    )
    expect(sentenceOf(resultOf({ ...none, reason: 'all users have the same value' }))).toContain(
      'all users have the same value'
    )
    const { variations } = resultOf(none)
    const silent = variations.map((variation) => ({ ...variation, numerator: 0 }))
    expect(sentenceOf(resultOf({}, { variations: silent }))).toContain('no event “purchase” arrived')
    const empty = silent.map((variation) => ({ ...variation, denominator: 0 }))
    expect(sentenceOf(resultOf({}, { variations: empty }))).toContain('no user got a variation')
  })

  test('names the warning of figures that are not valid', () => {
    expect(sentenceOf(resultOf({ decision: 'invalid', warning: 'evaluations of one user are not independent' }))).toBe(
      'No decision on Purchases: evaluations of one user are not independent.'
    )
  })

  test('proposes the best variation that no metric calls worse', () => {
    const [control, treatment] = resultOf().variations as [VariationResult, VariationResult]
    const good = { ...treatment, key: 'good', decision: 'better' as const, rate: 0.3 }
    const best = { ...treatment, key: 'best', decision: 'better' as const, rate: 0.4 }
    const first = resultOf({}, { variations: [control, good, best] })
    expect(winnerOf([first])).toBe('best')
    const second = resultOf({}, { variations: [control, good, { ...best, decision: 'worse' }] })
    expect(winnerOf([first, second])).toBe('good')
    expect(winnerOf([resultOf()])).toBeUndefined()
  })
})

describe('the health checks', () => {
  test('are in order for the planned split', () => {
    expect(healthChecks([{ metric, result: resultOf() }])).toEqual([
      { state: 'ok', text: 'Users are split as planned (p 1)' },
      { state: 'ok', text: 'Each of 400 users got one variation only' },
      { state: 'ok', text: 'All events of the range are included' }
    ])
  })

  test('name what is wrong, each problem once', () => {
    const exposures = { users: 400, multiple: 40, share: 0.1, isWarning: true }
    const reason = 'events before 2 March have expired'
    const result = resultOf(
      {},
      {
        exposures,
        coverage: { since: '2026-03-02T00:00:00.000Z', isComplete: false, reason },
        sampleRatio: { expected: null, observed: {}, pValue: null, isMismatch: null, reason: 'targets differ' },
        warnings: [
          reason,
          '40 users got several variations and count for each of them',
          'the result could not be stored'
        ]
      }
    )
    const silent = resultOf({ numerator: 0 }, { exposures })
    const refunds = { ...silent, variations: silent.variations.map((one) => ({ ...one, numerator: 0 })) }
    const checks = healthChecks([
      { metric, result },
      { metric: { name: 'Refunds', event: 'refund' }, result: refunds }
    ])
    expect(checks).toEqual([
      { state: 'unknown', text: 'The split of users could not be checked: targets differ' },
      { state: 'warning', text: '40 of 400 users got several variations and count for each' },
      { state: 'warning', text: 'Events before 2 March have expired' },
      { state: 'warning', text: 'Refunds has no events: no user who got a variation sent “refund”' },
      { state: 'warning', text: 'The result could not be stored' }
    ])
  })

  test('leave a mismatch to the decision, which shows the split', () => {
    const result = resultOf(
      {},
      {
        sampleRatio: {
          expected: { 'variation-off': 0.9, 'variation-on': 0.1 },
          observed: { 'variation-off': 100, 'variation-on': 300 },
          pValue: 1e-9,
          isMismatch: true
        },
        warnings: ['sample ratio mismatch: the split of users does not match the distribution of the targets']
      }
    )
    expect(healthChecks([{ metric, result }]).map(({ text }) => text)).not.toContainEqual(
      expect.stringMatching(/split/i)
    )
    expect(splitRows(result).map(({ planned, observed }) => [planned, observed])).toEqual([
      ['90%', '25%'],
      ['10%', '75%']
    ])
  })
})

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

  test('ignores what the address does not know', () => {
    expect(readResultsSearch({ metric: 'buys', sdk: 'toaster', effect: 'much', platform: 7, from: '' })).toEqual({
      metric: 'buys',
      platform: '7'
    })
    expect(readResultsSearch({ sdk: 'client', effect: 5 })).toEqual({ sdk: 'client', effect: 5 })
  })
})

describe('figures', () => {
  test('carry their sign and unit', () => {
    expect(formatChange(0.1234)).toBe('+12.3%')
    expect(formatFigure(0.0452, 'COUNT_PER_UNIQUE_USER')).toBe('4.52%')
    expect(formatFigure(12.3456, 'SUM_PER_UNIQUE_USER')).toBe('12.35')
    expect(formatDifference({ low: -0.01, high: 0.02 }, 'COUNT_PER_UNIQUE_USER')).toBe('-1 to +2 percentage points')
    expect([0.00001, 0.0412, 1].map(formatP)).toEqual(['< 0.0001', '0.041', '1'])
  })

  test('share a scale that has 0', () => {
    const { low, high } = scaleOf([{ low: 0.1, high: 0.3 }, null])
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(0.3)
  })
})

describe('the form of a metric', () => {
  test('follows the name with the key until it is typed', () => {
    const form = { ...toMetricForm(), name: 'Paid orders', event: 'paid' }
    expect(toMetricBody(form)).toEqual({
      name: 'Paid orders',
      key: 'paid-orders',
      event: 'paid',
      dimension: 'COUNT_PER_UNIQUE_USER',
      optimize: 'increase',
      countsFrom: 'firstExposure'
    })
  })

  test('sends what changed only', () => {
    const before = { ...toMetricForm(), name: 'Paid', key: 'paid', description: 'old' }
    expect(changedMetricMembers(before, { ...before, description: '', optimize: 'decrease' })).toEqual({
      description: '',
      optimize: 'decrease'
    })
  })
})
