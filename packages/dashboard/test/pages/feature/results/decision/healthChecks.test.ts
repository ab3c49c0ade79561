import type { MetricResult } from '@burgee/contract/schemas'
import { MetricResult as MetricResultSchema } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import { healthChecks, splitRows } from '../../../../../src/pages/feature/results/decision/healthChecks.ts'

type Result = MetricResult['result']

type VariationResult = Result['variations'][number]

/** The example of the contract with other members. */
function resultOf(change: Partial<VariationResult> = {}, others: Partial<Result> = {}): Result {
  const { result } = MetricResultSchema.meta()?.example as unknown as MetricResult
  const [control, treatment] = result.variations as [VariationResult, VariationResult]
  return { ...result, variations: [control, { ...treatment, ...change }], ...others }
}

const metric = { name: 'Purchases', event: 'purchase' }

describe('the health checks', () => {
  test('are in order for the planned split', () => {
    expect(healthChecks([{ metric, result: resultOf() }])).toEqual([
      { state: 'ok', text: 'Users are split as planned (p = 1)' },
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
