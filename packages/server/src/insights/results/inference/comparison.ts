import type { Interval } from '../statistics/interval.ts'

/** The direction that is better. */
export type Optimize = 'increase' | 'decrease'

/**
 * The comparison of a treatment with the control. A member is null where no valid value exists; `reason` says why. The
 * intervals are computed when they are read.
 */
export interface ArmComparison {
  readonly test: 'zTest' | 'fisherExactTest' | 'welchTest'
  /** The treatment's rate or mean minus the control's. */
  readonly difference: number
  /** Two-sided, for one analysis at a time chosen in advance. */
  readonly pValue: number | null
  /** 95%, for one analysis; excludes 0 exactly when `pValue` is below 0.05 (Fisher's test aside). */
  readonly confidenceInterval: Interval | null
  /** The same relative to the control; also null if the control may be 0. */
  readonly relativeConfidenceInterval: Interval | null
  /** The probability that the treatment is better, for one analysis. */
  readonly chanceToBeatControl: number | null
  /** Valid for any number of analyses. */
  readonly sequentialPValue: number | null
  /** 95%, for any number of analyses; excludes 0 exactly when `sequentialPValue` is below 0.05. */
  readonly sequentialConfidenceInterval: Interval | null
  readonly relativeSequentialConfidenceInterval: Interval | null
  readonly reason?: ComparisonReason | undefined
  /** The estimated number of users of both arms at which no member is null; absent if unknown. */
  readonly usersNeeded?: number | undefined
}

/** Why members of a comparison are null. */
export type ComparisonReason = keyof typeof sentences

/** The number of users that each arm needs, or of users with a value other than 0. */
export const MIN_USERS = 30

/** The number of successes and of failures expected in each arm that the z-test needs (Cochran 1954). */
export const MIN_EXPECTED = 5

const sentences = {
  noUsers: 'the variation or the control has no users',
  rateAboveOne: 'a variation has more successes than trials',
  tooFewUsers: `a variation has fewer than ${MIN_USERS} users`,
  tooFewExpected: `fewer than ${MIN_EXPECTED} successes or failures are expected in a variation`,
  tooFewUsersWithValue: `fewer than ${MIN_USERS} users with a value other than 0 are expected in a variation`,
  noVariance: 'all users have the same value',
  notFinite: 'the values are too large to be compared'
}

/** Returns a reason in one sentence, with the number of users of both arms that a comparison requires. */
export function describeReason(reason: ComparisonReason, usersNeeded?: number): string {
  return usersNeeded === undefined
    ? sentences[reason]
    : `${sentences[reason]}; about ${usersNeeded} users in both variations together are needed`
}

/** Returns a comparison that has only the difference. */
export function incomparable(
  test: ArmComparison['test'],
  difference: number,
  reason: ComparisonReason,
  usersNeeded?: number | undefined
): ArmComparison {
  return {
    test,
    difference,
    pValue: null,
    confidenceInterval: null,
    relativeConfidenceInterval: null,
    chanceToBeatControl: null,
    sequentialPValue: null,
    sequentialConfidenceInterval: null,
    relativeSequentialConfidenceInterval: null,
    reason,
    ...(usersNeeded === undefined ? {} : { usersNeeded })
  }
}

/**
 * Returns the number of users at which a quantity proportional to it reaches a minimum; undefined if the quantity is 0
 * so far.
 */
export function usersUntil(users: number, quantity: number, minimum: number): number | undefined {
  const needed = Math.ceil(((users * minimum) / quantity) * (1 - 1e-12))
  return Number.isFinite(needed) ? needed : undefined
}
