import type { ArmComparison } from './compareArms.ts'

/** Why members of a comparison are null. */
export type ComparisonReason = keyof typeof sentences

const sentences = {
  noUsers: 'an arm has no users',
  rateAboveOne: 'an arm has more successes than trials',
  tooFewUsers: 'an arm has fewer than 30 users',
  tooFewExpected: 'fewer than five successes or failures are expected in an arm',
  tooFewUsersWithValue: 'fewer than 30 users with a value other than 0 are expected in an arm',
  noVariance: 'values do not vary',
  notFinite: 'values are too large to be compared'
} as const

/** Returns a reason in one sentence, with the number of users of both arms that a comparison takes. */
export function describeReason(reason: ComparisonReason, usersNeeded?: number): string {
  return usersNeeded === undefined
    ? sentences[reason]
    : `${sentences[reason]}; about ${usersNeeded} users of both arms are needed`
}

/** Returns a comparison that says nothing but the difference. */
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

/** The number of users that each arm needs, or of users with a value other than 0. */
export const MIN_USERS = 30

/**
 * Returns the number of users at which a quantity that grows with them reaches a minimum; undefined if that is unknown,
 * because it is 0 so far.
 */
export function usersUntil(users: number, quantity: number, minimum: number): number | undefined {
  const needed = Math.ceil(((users * minimum) / quantity) * (1 - 1e-12))
  return Number.isFinite(needed) ? needed : undefined
}
