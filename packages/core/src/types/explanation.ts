import type { Filter, Operator } from './audience.ts'
import type { BucketedFeature } from './feature.ts'
import type { Problem } from './problem.ts'
import type { Resolution } from './resolution.ts'

/** Why a user got what they got for one variable. */
export interface Explanation {
  readonly key: string
  readonly resolution: Resolution
  /** The features that carry the variable; the first one that serves it decides. */
  readonly features: readonly FeatureExplanation[]
}

/** How one feature was decided. */
export interface FeatureExplanation {
  readonly _id: string
  readonly key: string
  readonly outcome: 'served' | 'overridden' | 'unserved' | 'failed'
  /** What the user gets, when it was served or overridden. */
  readonly served: BucketedFeature | undefined
  readonly problem: Problem | undefined
  /** Every target in order, also those after the one that decided. */
  readonly targets: readonly TargetExplanation[]
}

/** How one target stands towards the user. */
export interface TargetExplanation {
  readonly _id: string
  readonly name: string | undefined
  /** Whether the search came this far. */
  readonly isReached: boolean
  /** Whether this target serves the user. */
  readonly isChosen: boolean
  readonly isMatched: boolean
  readonly filters: OperatorExplanation
  /** The text that is hashed: `user_id`, or the attribute that `bucketingKey` names. */
  readonly bucketingValue: string | undefined
  readonly rollout:
    | {
        /** The share of users admitted at this moment, a fraction of 1. */
        readonly percentage: number | undefined
        /** Where the user stands in [0, 1]; admitted up to and including `percentage`. */
        readonly position: number | undefined
        readonly isAdmitted: boolean
      }
    | undefined
  readonly distribution: {
    /** Where the user stands in [0, 1]. */
    readonly position: number | undefined
    /** The variations side by side; a range includes `from` and excludes `to`, but for a last `to` of 1. */
    readonly ranges: readonly {
      readonly _variation: string
      readonly from: number
      readonly to: number
      readonly isHit: boolean
    }[]
  }
}

/** An operator and how each of its members judged the user. Every member is judged, also where evaluation stops early. */
export interface OperatorExplanation {
  readonly operator: Operator['operator']
  readonly isMatched: boolean
  readonly filters: readonly (FilterExplanation | OperatorExplanation)[]
}

/** A filter and whether the user passes it. */
export interface FilterExplanation {
  readonly filter: Filter
  readonly isMatched: boolean
}
