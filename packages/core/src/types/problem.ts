/** Why a feature could not be decided for a user. It is left out; every other feature goes on. */
export interface Problem {
  readonly code: ProblemCode
  /** Key of the feature that is left out. */
  readonly feature: string
  /** Id of the target at which the evaluation ended. */
  readonly target?: string
  readonly message: string
}

/** What can keep a feature from being decided. */
export type ProblemCode =
  /** The shares of a distribution do not reach this user. */
  | 'UNDECIDED_DISTRIBUTION'
  | 'UNKNOWN_VARIATION'
  | 'UNKNOWN_VARIABLE'
  | 'MISSING_START_PERCENTAGE'
  /** Audiences refer to each other in a circle, or filters nest too deeply. */
  | 'ENDLESS_FILTERS'
  /** The decision takes a hash of `user_id`, and the user has none. */
  | 'MISSING_USER_ID'
