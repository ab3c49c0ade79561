import type { Metric, VariationResult } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { yieldToEventLoop } from '../../lib/time.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import { compareArms } from './inference/compareArms.ts'
import { type ArmComparison, describeReason } from './inference/comparison.ts'
import { decide } from './inference/decide.ts'
import { holmAdjusted } from './inference/holm.ts'
import { type InterimAnalysis, smaller } from './interimAnalyses.ts'
import { SIGNIFICANCE_LEVEL } from './statistics/distributions.ts'
import type { InterimResult, VariationInterimResult } from './timeSeries.ts'
import { toComparisonPower } from './toComparisonPower.ts'

/** The comparison of each variation with the control at the end of a day; undefined for the control. */
export type DayComparisons = readonly (ArmComparison | undefined)[]

/** Compares each variation with the control, given by its index, at the end of each day. */
export async function compareDays(
  days: readonly InterimResult[],
  control: number,
  optimize: Metric['optimize']
): Promise<readonly DayComparisons[]> {
  const compared: DayComparisons[] = []
  for (const { variations } of days) {
    await yieldToEventLoop()
    const other = variations[control]
    compared.push(
      variations.map((own, index) => {
        return other && index !== control ? compareArms(other.arm, own.arm, optimize) : undefined
      })
    )
  }
  return compared
}

/** The input of the results of variations. */
export interface VariationResultsInput {
  readonly variations: StoredFeature['variations']
  /** At the end of the range. */
  readonly final: InterimResult | undefined
  readonly comparisons: DayComparisons
  /** The interim analysis with the smallest always-valid p-value of each variation. */
  readonly interimAnalyses: readonly (InterimAnalysis | undefined)[]
  /** An index of `variations`. */
  readonly control: number
  readonly optimize: Metric['optimize']
  readonly isMismatch: boolean | null
  /** Relative to the control. */
  readonly effect: number
}

/** Returns the final result of each variation and its comparison with the control. */
export function toVariationResults(input: VariationResultsInput): VariationResult[] {
  const { variations, final, comparisons, interimAnalyses, control, optimize, isMismatch, effect } = input
  const treatments = variations.map((_, index) => index).filter((index) => index !== control)
  const adjust = (pValueOf: (index: number) => number | null) => {
    const adjusted = holmAdjusted(treatments.map(pValueOf))
    return new Map(treatments.map((index, place) => [index, adjusted[place] ?? null]))
  }
  const adjustedPValues = adjust((index) => comparisons[index]?.pValue ?? null)
  const adjustedSequential = adjust((index) => interimAnalyses[index]?.pValue ?? null)
  return variations.map(({ key, name }, index) => {
    const [own, other, comparison] = [final?.variations[index], final?.variations[control], comparisons[index]]
    const base = { key, name, ...toSummary(own) }
    if (!own || !other || !comparison) return { ...base, ...notCompared }
    const { pValue, reason, usersNeeded } = comparison
    const warning = own.warning ?? other.warning
    const adjustedSequentialPValue = adjustedSequential.get(index) ?? null
    const { decision, reason: decisionReason } = decide({
      adjustedPValue: adjustedSequentialPValue,
      comparisons: treatments.length,
      difference: interimAnalyses[index]?.difference ?? 0,
      optimize,
      isMismatch,
      reason,
      usersNeeded,
      warning
    })
    return {
      ...base,
      percentDifference: percentDifference(own, other),
      chanceToBeatControl: comparison.chanceToBeatControl,
      pValue,
      isSignificant: pValue === null ? null : pValue < SIGNIFICANCE_LEVEL,
      confidenceInterval: comparison.confidenceInterval,
      relativeConfidenceInterval: comparison.relativeConfidenceInterval,
      sequentialPValue: interimAnalyses[index]?.pValue ?? null,
      adjustedPValue: adjustedPValues.get(index) ?? null,
      adjustedSequentialPValue,
      sequentialConfidenceInterval: comparison.sequentialConfidenceInterval,
      relativeSequentialConfidenceInterval: comparison.relativeSequentialConfidenceInterval,
      decision,
      decisionReason,
      test: pValue === null ? null : comparison.test,
      power: toComparisonPower(other.arm, own.arm, { effect, comparisons: treatments.length }),
      ...omitUndefined({ reason: reason && describeReason(reason, usersNeeded), usersNeeded, warning })
    }
  })
}

const notCompared = {
  percentDifference: null,
  chanceToBeatControl: null,
  pValue: null,
  isSignificant: null,
  confidenceInterval: null,
  relativeConfidenceInterval: null,
  sequentialPValue: null,
  adjustedPValue: null,
  adjustedSequentialPValue: null,
  sequentialConfidenceInterval: null,
  relativeSequentialConfidenceInterval: null,
  decision: null,
  decisionReason: null,
  test: null,
  power: null
} as const

/**
 * Returns the interim analysis with the smallest always-valid p-value of each variation, of the ends of days and of
 * `earlier`.
 */
export function bestInterimAnalyses(
  days: readonly DayComparisons[],
  endOf: (day: number) => number,
  earlier: readonly (InterimAnalysis | undefined)[]
): readonly (InterimAnalysis | undefined)[] {
  const best = [...earlier]
  for (const [day, comparisons] of days.entries()) {
    for (const [index, comparison] of comparisons.entries()) {
      const analysis = comparison && toInterimAnalysis(comparison, endOf(day))
      if (analysis) best[index] = smaller(best[index], analysis)
    }
  }
  return best
}

/** Returns the interim analysis of a comparison; undefined if there is no always-valid p-value yet. */
export function toInterimAnalysis(
  { sequentialPValue, difference }: ArmComparison,
  at: number
): InterimAnalysis | undefined {
  return sequentialPValue === null ? undefined : { at, pValue: sequentialPValue, difference }
}

/** Returns the numerator divided by the denominator, or 0 when the denominator is 0. */
export function metricRate({
  numerator,
  denominator
}: Pick<VariationInterimResult, 'numerator' | 'denominator'>): number {
  return denominator > 0 ? numerator / denominator : 0
}

function toSummary(result: VariationInterimResult | undefined) {
  if (!result) return { numerator: 0, denominator: 0, rate: 0 }
  const { numerator, denominator, avgValue, totalValue, stdev } = result
  return {
    numerator,
    denominator,
    rate: metricRate(result),
    ...omitUndefined({ avgValue, totalValue, stdev })
  }
}

/**
 * Relative to the absolute value of the control's rate, so that it is positive for a higher rate even if that is
 * negative.
 */
function percentDifference(own: VariationInterimResult, control: VariationInterimResult): number | null {
  const [rate, controlRate] = [metricRate(own), metricRate(control)]
  if (own.denominator === 0 || controlRate === 0) return null
  const difference = (rate - controlRate) / Math.abs(controlRate)
  return Number.isFinite(difference) ? difference : null
}
