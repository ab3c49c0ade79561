import type { Interval } from '../statistics/interval.ts'
import type { Proportion } from '../statistics/proportion.ts'
import { compareCounts } from './compareCounts.ts'
import { compareUsers } from './compareUsers.ts'
import type { ComparisonReason } from './reasons.ts'
import type { UserMoments } from './userMoments.ts'

/** The sufficient statistics of one arm, by the kind of its metric. */
export type Arm =
  /** Users who did something, of users. */
  | { readonly type: 'count'; readonly proportion: Proportion }
  /** A mean per user, or a ratio of two sums over users. */
  | { readonly type: 'users'; readonly moments: UserMoments }

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
  /** Two-sided, for one look at a time chosen in advance. */
  readonly pValue: number | null
  /** 95 %, for one look; excludes 0 exactly when `pValue` is below 0.05 (Fisher's test aside). */
  readonly confidenceInterval: Interval | null
  /** The same relative to the control; also null if the control may be 0. */
  readonly relativeConfidenceInterval: Interval | null
  /** The probability that the treatment is better, for one look. */
  readonly chanceToBeatControl: number | null
  /** Valid for any number of looks. */
  readonly sequentialPValue: number | null
  /** 95 %, for any number of looks; excludes 0 exactly when `sequentialPValue` is below 0.05. */
  readonly sequentialConfidenceInterval: Interval | null
  readonly relativeSequentialConfidenceInterval: Interval | null
  readonly reason?: ComparisonReason | undefined
  /** The estimated number of users of both arms at which no member is null; absent if unknown. */
  readonly usersNeeded?: number | undefined
}

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
