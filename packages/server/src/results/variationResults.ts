import type { Metric, VariationResult } from '@burgee/contract'
import { given } from '../given.ts'
import type { StoredFeature } from '../store/resources.ts'
import { compare, whyNot } from './compare.ts'
import type { Look, VariationLook } from './measure.ts'
import { chanceToBeat, isSignificant } from './statistics/comparison.ts'
import { sequentialPValue } from './statistics/sequential.ts'

/** How each variation fared in the end, and compared with the control: by its place among them. */
export function variationResults(
  variations: StoredFeature['variations'],
  looks: readonly Look[],
  { control, optimize }: { readonly control: number; readonly optimize: Metric['optimize'] }
): VariationResult[] {
  const last = looks.at(-1)?.variations
  return variations.map(({ key, name }, place) => {
    const [own, other] = [last?.[place], last?.[control]]
    const named = { key, name, ...shown(own) }
    if (!own || !other || place === control) return { ...named, ...incomparable }
    const comparison = compare(other.compared, own.compared)
    return {
      ...named,
      percentDifference: percentDifference(own, other),
      chanceToBeatControl: comparison ? chanceToBeat(comparison, optimize) : null,
      pValue: comparison?.pValue ?? null,
      isSignificant: comparison ? isSignificant(comparison.pValue) : null,
      confidenceInterval: comparison?.interval ?? null,
      relativeConfidenceInterval: comparison?.relativeInterval ?? null,
      sequentialPValue: sequential(looks, control, place),
      ...(comparison ? {} : { reason: whyNot(other, own) })
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
export function rateOf({ numerator, denominator }: Pick<VariationLook, 'numerator' | 'denominator'>): number {
  return denominator > 0 ? numerator / denominator : 0
}

function shown(look: VariationLook | undefined) {
  if (!look) return { numerator: 0, denominator: 0, rate: 0 }
  const { numerator, denominator, avgValue, totalValue, stdev } = look
  return {
    numerator,
    denominator,
    rate: rateOf(look),
    ...given({ avgValue, totalValue, stdev })
  }
}

/** As a share of the control's rate; a control below zero is beaten by what is above it as well. */
function percentDifference(own: VariationLook, control: VariationLook): number | null {
  const [rate, whole] = [rateOf(own), rateOf(control)]
  if (own.denominator === 0 || whole === 0) return null
  const share = (rate - whole) / Math.abs(whole)
  return Number.isFinite(share) ? share : null
}

/** The smallest of the days' p-values, as somebody has seen it who looked each day. */
function sequential(looks: readonly Look[], control: number, place: number): number | null {
  const pValues = looks.flatMap(({ variations }) => {
    const [other, own] = [variations[control]?.compared, variations[place]?.compared]
    const comparison = other && own && compare(other, own)
    return comparison?.isEnough ? [sequentialPValue(comparison.statistic, comparison.size)] : []
  })
  return pValues.length > 0 ? Math.min(...pValues) : null
}
