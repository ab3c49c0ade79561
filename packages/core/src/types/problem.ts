/** Why a feature cannot be evaluated for a user, who gets all others (docs/reference/evaluation.md, Problems). */
export interface Problem {
  readonly code: ProblemCode
  /** The key of the feature. */
  readonly feature: string
  /** The id of the target at which evaluation stopped. */
  readonly target?: string
  readonly message: string
}

/** The reasons why a feature cannot be evaluated. */
export type ProblemCode =
  /** The shares of a distribution add up to less than 1 and do not cover the user. */
  | 'UNDECIDED_DISTRIBUTION'
  | 'UNKNOWN_VARIATION'
  | 'UNKNOWN_VARIABLE'
  | 'MISSING_START_PERCENTAGE'
  /** Audiences refer to each other in a cycle, or filters nest too deeply. */
  | 'ENDLESS_FILTERS'
  /** A hash of `user_id` is needed and the user has none. */
  | 'MISSING_USER_ID'
