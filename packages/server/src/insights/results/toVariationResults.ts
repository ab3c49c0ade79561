import type { Metric, VariationResult } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { InterimResult, VariationInterimResult } from './computeTimeSeries.ts'
import type { MetricSummary, TestInput } from './metricDimensions.ts'
import { type Comparison, chanceToBeat, isSignificant, sequentialPValue } from './statistics/comparison.ts'
import { compareProportions } from './statistics/twoProportions.ts'
import { compareMeans } from './statistics/welch.ts'

/** Returns the final result of each variation and its comparison with the control, given by its index. */
export function toVariationResults(
  variations: StoredFeature['variations'],
  interimResults: readonly InterimResult[],
  { control, optimize }: { readonly control: number; readonly optimize: Metric['optimize'] }
): VariationResult[] {
  const final = interimResults.at(-1)?.variations
  return variations.map(({ key, name }, index) => {
    const [own, other] = [final?.[index], final?.[control]]
    const base = { key, name, ...toSummary(own) }
    if (!own || !other || index === control) return { ...base, ...notCompared }
    const comparison = compareVariations(other.testInput, own.testInput)
    return {
      ...base,
      percentDifference: percentDifference(own, other),
      chanceToBeatControl: comparison ? chanceToBeat(comparison, optimize) : null,
      pValue: comparison?.pValue ?? null,
      isSignificant: comparison ? isSignificant(comparison.pValue) : null,
      confidenceInterval: comparison?.interval ?? null,
      relativeConfidenceInterval: comparison?.relativeInterval ?? null,
      sequentialPValue: minSequentialPValue(interimResults, control, index),
      ...(comparison ? {} : { reason: incomparableReason(other, own) })
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
  sequentialPValue: null
} as const

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

/** The minimum over the days, which keeps an always-valid p-value valid (Johari, Koomen, Pekelis and Walsh 2017). */
function minSequentialPValue(interimResults: readonly InterimResult[], control: number, index: number): number | null {
  const pValues = interimResults.flatMap(({ variations }) => {
    const [other, own] = [variations[control]?.testInput, variations[index]?.testInput]
    const comparison = other && own && compareVariations(other, own)
    return comparison?.isLargeEnough ? [sequentialPValue(comparison.statistic, comparison.size)] : []
  })
  return pValues.length > 0 ? Math.min(...pValues) : null
}

/** Compares a variation with the control by the test of the metric's dimension; `undefined` if that is not possible. */
function compareVariations(control: TestInput, treatment: TestInput): Comparison | undefined {
  if (control.test === 'proportions' && treatment.test === 'proportions') {
    return compareProportions(control.proportion, treatment.proportion)
  }
  return control.test === 'means' && treatment.test === 'means'
    ? compareMeans(control.sample, treatment.sample)
    : undefined
}

/** Returns why two variations cannot be compared. */
function incomparableReason(control: MetricSummary, treatment: MetricSummary): string {
  const [lack, controlLack] = [missingFor(treatment), missingFor(control)]
  if (lack !== undefined) return `this variation ${lack}`
  return controlLack === undefined ? 'values do not vary' : `the control ${controlLack}`
}

function missingFor({ numerator, denominator, testInput }: MetricSummary): string | undefined {
  if (denominator === 0) return 'has a denominator of 0'
  if (testInput.test === 'none') return testInput.reason
  if (testInput.test === 'means') return testInput.sample.size < 2 ? 'has fewer than two users' : undefined
  return numerator > denominator ? 'has a rate above 1' : undefined
}
