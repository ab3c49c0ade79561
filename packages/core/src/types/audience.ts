/** Combines filters: `or` needs one match; `and` and any other value need all. An empty operator never matches. */
export interface Operator {
  readonly operator: string
  readonly filters?: readonly (Filter | Operator)[]
}

/**
 * A condition on a user (docs/reference/evaluation.md, Filters). A filter of an unknown type or subType never matches.
 * Properties that do not apply to the type are ignored.
 */
export interface Filter {
  /** `all`, `user`, `audienceMatch` or `optIn`. */
  readonly type: string
  /**
   * For `user`: `user_id`, `email`, `country`, `platform`, `deviceModel`, `appVersion`, `platformVersion` or
   * `customData`.
   */
  readonly subType?: string
  readonly comparator?: string
  readonly values?: readonly unknown[]
  /** For `customData`: the name of the attribute. */
  readonly dataKey?: string
  readonly dataKeyType?: string
  /** For `audienceMatch`: the ids of the audiences to try, in order. */
  readonly _audiences?: readonly string[]
}

/** A reusable group of users that filters refer to by id. */
export interface Audience {
  readonly filters: Operator
}
