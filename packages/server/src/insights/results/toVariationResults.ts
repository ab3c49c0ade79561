import type { Metric, VariationResult } from '@burgee/contract/schemas'
import { omitUndefined } from '../../lib/object.ts'
import type { StoredFeature } from '../../storage/resources.ts'
import { compareVariations, incomparableReason } from './compareVariations.ts'
import type { InterimResult, VariationInterimResult } from './computeTimeSeries.ts'
import { chanceToBeat, isSignificant } from './statistics/comparison.ts'
import { sequentialPValue } from './statistics/sequential.ts'

/** How each variation fared in the end, and compared with the control: by its place among them. */
export function toVariationResults(
  variations: StoredFeature['variations'],
  looks: readonly InterimResult[],
  { control, optimize }: { readonly control: number; readonly optimize: Metric['optimize'] }
): VariationResult[] {
  const last = looks.at(-1)?.variations
  return variations.map(({ key, name }, place) => {
    const [own, other] = [last?.[place], last?.[control]]
    const named = { key, name, ...shown(own) }
    if (!own || !other || place === control) return { ...named, ...incomparable }
    const comparison = compareVariations(other.testInput, own.testInput)
    return {
      ...named,
      percentDifference: percentDifference(own, other),
      chanceToBeatControl: comparison ? chanceToBeat(comparison, optimize) : null,
      pValue: comparison?.pValue ?? null,
      isSignificant: comparison ? isSignificant(comparison.pValue) : null,
      confidenceInterval: comparison?.interval ?? null,
      relativeConfidenceInterval: comparison?.relativeInterval ?? null,
      sequentialPValue: sequential(looks, control, place),
      ...(comparison ? {} : { reason: incomparableReason(other, own) })
    }
  })
}

const incomparable = {
  percentDifference: null,
  chanceToBeatControl: null,
  pValue: null,
  isSignificant: null,
  confidenceInterval: null,
  relativeConfidenceInterval: null,
  sequentialPValue: null
} as const

/** What there is of the metric for one thing of the denominator. */
export function metricRate({
  numerator,
  denominator
}: Pick<VariationInterimResult, 'numerator' | 'denominator'>): number {
  return denominator > 0 ? numerator / denominator : 0
}

function shown(look: VariationInterimResult | undefined) {
  if (!look) return { numerator: 0, denominator: 0, rate: 0 }
  const { numerator, denominator, avgValue, totalValue, stdev } = look
  return {
    numerator,
    denominator,
    rate: metricRate(look),
    ...omitUndefined({ avgValue, totalValue, stdev })
  }
}

/** As a share of the control's rate; a control below zero is beaten by what is above it as well. */
function percentDifference(own: VariationInterimResult, control: VariationInterimResult): number | null {
  const [rate, whole] = [metricRate(own), metricRate(control)]
  if (own.denominator === 0 || whole === 0) return null
  const share = (rate - whole) / Math.abs(whole)
  return Number.isFinite(share) ? share : null
}

/** The smallest of the days' p-values, as somebody has seen it who looked each day. */
function sequential(looks: readonly InterimResult[], control: number, place: number): number | null {
  const pValues = looks.flatMap(({ variations }) => {
    const [other, own] = [variations[control]?.testInput, variations[place]?.testInput]
    const comparison = other && own && compareVariations(other, own)
    return comparison?.isLargeEnough ? [sequentialPValue(comparison.statistic, comparison.size)] : []
  })
  return pValues.length > 0 ? Math.min(...pValues) : null
}
