import type { Operator } from './audience.ts'

/** One targeting rule of a feature: for whom, how many of them, and which variation. */
export interface Target {
  /** Seeds every hash of this rule: another id shuffles the users anew. */
  readonly _id: string
  readonly name?: string
  /** Only of a target that stands for overrides; evaluation does not read it. */
  readonly type?: 'override'
  readonly _audience: { readonly _id?: string; readonly filters: Operator }
  /** Shares of the matched users by variation; fractions of 1. */
  readonly distribution: readonly Share[]
  readonly rollout?: Rollout | null
  /** The custom attribute hashed instead of `user_id`. */
  readonly bucketingKey?: string
}

/** The share of a target's users that one variation gets. */
export interface Share {
  readonly _variation: string
  readonly percentage: number
}

/** How the share of users that a target admits grows over time (`evaluation.md` §4). Dates are ISO 8601 date-times. */
export interface Rollout {
  /** `schedule`, `gradual` or `stepped`. */
  readonly type: string
  readonly startDate: string
  readonly startPercentage?: number
  readonly stages?: readonly RolloutStage[]
}

/** A point in time from which (`discrete`) or towards which (`linear`) a rollout has the given percentage. */
export interface RolloutStage {
  readonly type: string
  readonly date: string
  readonly percentage: number
}
