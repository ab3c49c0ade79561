/** How the members of an operator combine: `or` needs one, `and` (and any other word) needs all. An empty operator matches nobody. */
export interface Operator {
  readonly operator: string
  readonly filters?: readonly (Filter | Operator)[]
}

/**
 * One condition on a user (`evaluation.md` §2). A filter of an unknown type, subType or comparator matches nobody.
 * Members that the type does not use are ignored.
 */
export interface Filter {
  /** `all`, `user`, `audienceMatch` or `optIn`. */
  readonly type: string
  /** For `user`: `user_id`, `email`, `country`, `platform`, `deviceModel`, `appVersion`, `platformVersion` or `customData`. */
  readonly subType?: string
  readonly comparator?: string
  readonly values?: readonly unknown[]
  /** For `customData`: the attribute's name. */
  readonly dataKey?: string
  readonly dataKeyType?: string
  /** For `audienceMatch`: ids of the audiences to match, in order. */
  readonly _audiences?: readonly string[]
}

/** A named group of users that targets refer to by id. */
export interface Audience {
  readonly filters: Operator
}
