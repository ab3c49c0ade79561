import type { Filter, Operator } from './audience.ts'
import type { BucketedFeature } from './feature.ts'
import type { Problem } from './problem.ts'
import type { Resolution } from './resolution.ts'

/** How one variable was evaluated for a user. */
export interface Explanation {
  readonly key: string
  readonly resolution: Resolution
  /** The features that have values for the variable. The first one that serves it decides. */
  readonly features: readonly FeatureExplanation[]
}

/** How one feature was evaluated. */
export interface FeatureExplanation {
  readonly _id: string
  readonly key: string
  readonly outcome: 'served' | 'overridden' | 'unserved' | 'failed'
  /** The result, if the outcome is `served` or `overridden`. */
  readonly served: BucketedFeature | undefined
  readonly problem: Problem | undefined
  /** All targets in order, including those after the deciding one. */
  readonly targets: readonly TargetExplanation[]
}

/** How one target applies to the user. */
export interface TargetExplanation {
  readonly _id: string
  readonly name: string | undefined
  /** Whether evaluation reached this target. */
  readonly isReached: boolean
  /** Whether this target serves the user. */
  readonly isChosen: boolean
  readonly isMatched: boolean
  readonly filters: OperatorExplanation
  /** The hash input: `user_id`, or the attribute that `bucketingKey` names. */
  readonly bucketingValue: string | undefined
  readonly rollout:
    | {
        /** The share of users that the rollout includes at the time of the evaluation, from 0 to 1. */
        readonly percentage: number | undefined
        /** The user's position in [0, 1]. Users at positions up to and including `percentage` are included. */
        readonly position: number | undefined
        readonly isAdmitted: boolean
      }
    | undefined
  readonly distribution: {
    /** The user's position in [0, 1]. */
    readonly position: number | undefined
    /** The ranges of the variations. A range includes `from` and excludes `to`, except for a `to` of 1. */
    readonly ranges: readonly {
      readonly _variation: string
      readonly from: number
      readonly to: number
      readonly isHit: boolean
    }[]
  }
}

/** An operator and its members. All members are matched, even if evaluation would stop earlier. */
export interface OperatorExplanation {
  readonly operator: Operator['operator']
  readonly isMatched: boolean
  readonly filters: readonly (FilterExplanation | OperatorExplanation)[]
}

/** A filter and whether it matches. */
export interface FilterExplanation {
  readonly filter: Filter
  readonly isMatched: boolean
}
