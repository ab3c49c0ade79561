import { SIGNIFICANCE_LEVEL } from '../statistics/distributions.ts'
import { type ComparisonReason, describeReason } from './comparison.ts'

/** The decision about a treatment, valid at any time and for any number of analyses. */
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
  /** Why there is no p-value, and the number of users of both arms that it requires. */
  readonly reason?: ComparisonReason | undefined
  readonly usersNeeded?: number | undefined
  /** Why the p-value is not valid, as for dependent evaluations that are compared as independent. */
  readonly warning?: string | undefined
}

/** Decides whether a treatment is better or worse than the control. */
export function decide(input: DecisionInput): Decision {
  const { adjustedPValue, comparisons, difference, optimize, isMismatch, reason, usersNeeded, warning } = input
  if (isMismatch) {
    return { decision: 'invalid', reason: SAMPLE_RATIO_MISMATCH }
  }
  if (warning !== undefined) return { decision: 'invalid', reason: warning }
  if (adjustedPValue === null) {
    return {
      decision: 'undecided',
      reason: reason ? describeReason(reason, usersNeeded) : 'there is no always-valid p-value yet'
    }
  }
  const value = adjustedPValue < 0.0001 ? 'below 0.0001' : adjustedPValue.toPrecision(2)
  const family = comparisons > 1 ? `, adjusted for ${comparisons} comparisons` : ''
  const evidence = `the always-valid p-value is ${value}${family}`
  if (adjustedPValue >= SIGNIFICANCE_LEVEL || difference === 0) {
    return { decision: 'undecided', reason: `${evidence}; a decision requires a value below ${SIGNIFICANCE_LEVEL}` }
  }
  const isHigher = difference > 0
  return {
    decision: isHigher === (optimize === 'increase') ? 'better' : 'worse',
    reason: `the rate is ${isHigher ? 'higher' : 'lower'} than that of the control: ${evidence}`
  }
}

/** What a sample ratio mismatch means. */
export const SAMPLE_RATIO_MISMATCH =
  'sample ratio mismatch: the split of users does not match the distribution of the targets'
