import type { MetricResult } from '@burgee/contract/schemas'
import { MetricResult as MetricResultSchema } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import { decisionSentences, winnerOf } from '../../../../../src/pages/feature/results/decision/decisionWords.ts'

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
      'Variation On beats Variation Off on Purchases: +20% (95% interval -36% to +130%); p = 0.008. You can complete the feature with Variation On.'
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
      /^No significant difference yet .* Detecting a difference of \+10% takes about 11,021 users in total; 400 took part so far\.$/
    )
  })

  test('says why nothing can be said', () => {
    const none = { sequentialPValue: null, adjustedSequentialPValue: null }
    expect(sentenceOf(resultOf({ ...none, reason: 'a variation has fewer than 30 users', usersNeeded: 80 }))).toContain(
      'too few users: it and the control need about 80 together'
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
