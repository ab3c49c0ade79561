import type { Metric, MetricResult } from '@burgee/contract/schemas'
import { formatChange, formatCount, formatInterval, formatPEquation } from '../figures.ts'

type Result = MetricResult['result']
type VariationResult = Result['variations'][number]

/** The outcome of the sequential test of a variation, in words. */
export interface DecisionWords {
  readonly decision: NonNullable<VariationResult['decision']>
  readonly text: string
}

/** The words of each decision. */
export const decisionTitles = {
  better: 'better',
  worse: 'worse',
  undecided: 'undecided',
  invalid: 'not valid'
} as const satisfies Record<DecisionWords['decision'], string>

/**
 * The sentences of a metric: one for each variation that is compared with the control. They propose to complete the
 * feature only while it is active.
 */
export function decisionSentences(
  metric: Pick<Metric, 'name'>,
  result: Result,
  { isActive }: { readonly isActive: boolean }
): readonly DecisionWords[] {
  const control = result.variations.find(({ key }) => key === result.control)
  return result.variations
    .filter(({ key }) => key !== result.control)
    .map((variation) => ({
      decision: variation.decision ?? 'undecided',
      text: sentence(variation, { metric: metric.name, control: control?.name ?? 'the control', result, isActive })
    }))
}

interface Context {
  readonly metric: string
  readonly control: string
  readonly result: Result
  readonly isActive: boolean
}

function sentence(variation: VariationResult, { metric, control, result, isActive }: Context): string {
  const { name, decision } = variation
  const evidence = evidenceOf(variation)
  const propose = (choice: string) => (isActive ? ` You can complete the feature with ${choice}.` : '')
  if (decision === 'better') return `${name} beats ${control} on ${metric}${evidence}.${propose(name)}`
  if (decision === 'worse')
    return `${name} is worse than ${control} on ${metric}${evidence}.${propose('another variation')}`
  if (decision === 'invalid') {
    return `No decision on ${metric}: ${variation.warning ?? variation.decisionReason ?? 'the figures are not valid'}.`
  }
  if (variation.sequentialPValue === null) return `${nothing(variation, metric, result)}.`
  return `No significant difference yet between ${name} and ${control} on ${metric}${evidence}.${outlook(variation, result)}`
}

/** Why nothing can be stated yet. */
function nothing(variation: VariationResult, metric: string, result: Result): string {
  const { name, reason, decisionReason, usersNeeded } = variation
  if (result.variations.every(({ denominator }) => denominator === 0)) {
    return `Not enough data yet to compare ${name} on ${metric}: no user got a variation in this range`
  }
  if (variation.denominator === 0) return `Not enough data yet to compare ${name} on ${metric}: no user got it`
  const { event } = result.query
  const isSilent = result.variations.every(({ numerator }) => numerator === 0)
  const why = isSilent
    ? `no event “${event}” arrived from users who got a variation`
    : usersNeeded === undefined
      ? (reason ?? decisionReason)
      : `too few users: it and the control need about ${formatCount(usersNeeded)} together`
  return `Not enough data yet to compare ${name} on ${metric}${why ? `: ${why}` : ''}`
}

function evidenceOf(variation: VariationResult): string {
  const { percentDifference, relativeSequentialConfidenceInterval: interval, adjustedSequentialPValue: p } = variation
  const parts = [
    percentDifference === null
      ? undefined
      : `${formatChange(percentDifference)}${interval ? ` (95% interval ${formatInterval(interval)})` : ''}`,
    p === null ? undefined : formatPEquation(p)
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? `: ${parts.join('; ')}` : ''
}

/** Describes how many users are needed to detect the expected difference. */
function outlook({ power }: VariationResult, { exposures }: Result): string {
  if (!power || power.sequentialUsers === null) return ''
  const needed = formatCount(power.sequentialUsers)
  return ` Detecting a difference of ${formatChange(power.effect)} takes about ${needed} users in total; ${formatCount(exposures.users)} took part so far.`
}

/**
 * The key of the variation to complete the feature with: better by a metric and worse by none. The first such metric
 * decides between several.
 */
export function winnerOf(results: readonly Result[]): string | undefined {
  const worse = new Set(
    results.flatMap(({ variations }) => variations.filter(({ decision }) => decision === 'worse').map(({ key }) => key))
  )
  for (const { variations, query } of results) {
    const better = variations.filter(({ key, decision }) => decision === 'better' && !worse.has(key))
    const best = better.toSorted((a, b) => (query.optimize === 'increase' ? b.rate - a.rate : a.rate - b.rate))[0]
    if (best) return best.key
  }
  return undefined
}
