/** The result of matching: the text for `eval.details`, `undefined` for no match, or `CYCLE`. */
export type MatchResult = string | undefined | typeof CYCLE

/** The result of filters that refer to each other in a cycle, or nest too deeply to tell the difference. */
export const CYCLE = Symbol('cycle')

/** A filter, an operator or an audience, matched against a user in the state of an evaluation. */
export interface Matcher<State, User> {
  readonly match: (state: State, user: User) => MatchResult
}
