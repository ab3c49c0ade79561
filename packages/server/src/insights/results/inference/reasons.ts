import type { ArmComparison } from './compareArms.ts'

/** Why members of a comparison are null. */
export type ComparisonReason = keyof typeof sentences

/** The number of users that each arm needs, or of users with a value other than 0. */
export const MIN_USERS = 30

/** The number of successes and of failures expected in each arm that the z-test needs (Cochran 1954). */
export const MIN_EXPECTED = 5

const sentences = {
  noUsers: 'a variation has no users',
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
