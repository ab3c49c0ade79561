import type { Operator } from './audience.ts'

/** A targeting rule of a feature: the users it matches, the share it includes, and the variations it serves. */
export interface Target {
  /** Seeds the hashes of this rule. Changing it reassigns users to variations. */
  readonly _id: string
  readonly name?: string
  /** Marks a target that expresses overrides. Evaluation does not read it. */
  readonly type?: 'override'
  readonly _audience: { readonly _id?: string; readonly filters: Operator }
  /** The share of each variation, from 0 to 1. */
  readonly distribution: readonly Share[]
  readonly rollout?: Rollout | null
  /** The custom attribute that is hashed instead of `user_id`. */
  readonly bucketingKey?: string
}

/** The share of a target's users who get one variation. */
export interface Share {
  readonly _variation: string
  readonly percentage: number
}

/**
 * The share of users that a target includes over time (docs/reference/evaluation.md, Rollouts). Dates are ISO 8601
 * date-times.
 */
export interface Rollout {
  /** `schedule`, `gradual` or `stepped`. */
  readonly type: string
  readonly startDate: string
  readonly startPercentage?: number
  readonly stages?: readonly RolloutStage[]
}

/** A change of a rollout's percentage: at the date (`discrete`), or linearly until the date (`linear`). */
export interface RolloutStage {
  readonly type: string
  readonly date: string
  readonly percentage: number
}
