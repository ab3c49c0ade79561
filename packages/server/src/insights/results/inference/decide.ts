import { type ComparisonReason, describeReason } from './reasons.ts'

/** The verdict on a treatment, valid at any time and for any number of looks. */
export interface Decision {
  readonly decision: 'better' | 'worse' | 'undecided' | 'invalid'
  /** Why, in one sentence. */
  readonly reason: string
}

/** What a decision is made of. */
export interface DecisionInput {
  /** The smallest always-valid p-value since the start, adjusted for the number of comparisons. */
  readonly adjustedPValue: number | null
  readonly comparisons: number
  /** The treatment's rate or mean minus the control's, at the time of that p-value. */
  readonly difference: number
  readonly optimize: 'increase' | 'decrease'
  /** Whether the sample ratio check failed; null if it was not possible. */
  readonly isMismatch: boolean | null
  /** Why there is no p-value, and the number of users of both arms that it takes. */
  readonly reason?: ComparisonReason | undefined
  readonly usersNeeded?: number | undefined
  /** Why the p-value does not keep its promise, as for events that are counted as independent. */
  readonly warning?: string | undefined
}

/** Decides whether a treatment is better or worse than the control. */
export function decide(input: DecisionInput): Decision {
  const { adjustedPValue, comparisons, difference, optimize, isMismatch, reason, usersNeeded, warning } = input
  if (isMismatch) {
    return { decision: 'invalid', reason: 'users were not split as the targets say (sample ratio mismatch)' }
  }
  if (warning !== undefined) return { decision: 'invalid', reason: warning }
  if (adjustedPValue === null) {
    return { decision: 'undecided', reason: reason ? describeReason(reason, usersNeeded) : 'nothing was compared yet' }
  }
  const value = adjustedPValue < 0.0001 ? 'below 0.0001' : adjustedPValue.toPrecision(2)
  const family = comparisons > 1 ? `, adjusted for ${comparisons} comparisons` : ''
  const evidence = `the always-valid p-value is ${value}${family}`
  if (adjustedPValue > DECISION_LEVEL || difference === 0) {
    return { decision: 'undecided', reason: `${evidence}; a decision takes at most ${DECISION_LEVEL}` }
  }
  const isHigher = difference > 0
  return {
    decision: isHigher === (optimize === 'increase') ? 'better' : 'worse',
    reason: `the treatment is ${isHigher ? 'higher' : 'lower'} than the control: ${evidence}`
  }
}

/** The share of experiments without a difference that get a decision, at most. */
const DECISION_LEVEL = 0.05
