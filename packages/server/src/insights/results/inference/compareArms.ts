import type { Proportion } from '../statistics/proportion.ts'
import { compareCounts } from './compareCounts.ts'
import { compareUsers } from './compareUsers.ts'
import type { ArmComparison, Optimize } from './comparison.ts'
import type { UserMoments } from './userMoments.ts'

/** The sufficient statistics of one arm, by the kind of its metric. */
export type Arm =
  /** Users who did something, of users. */
  | { readonly type: 'count'; readonly proportion: Proportion }
  /** A mean per user, or a ratio of two sums over users. */
  | { readonly type: 'users'; readonly moments: UserMoments }

/** Compares a treatment with the control by one rule of validity for all figures (docs/reference/statistics.md). */
export function compareArms(control: Arm, treatment: Arm, optimize: Optimize): ArmComparison {
  if (control.type === 'count' && treatment.type === 'count') {
    return compareCounts(control.proportion, treatment.proportion, optimize)
  }
  if (control.type === 'users' && treatment.type === 'users') {
    return compareUsers(control.moments, treatment.moments, optimize)
  }
  throw new TypeError('arms of different types cannot be compared')
}
