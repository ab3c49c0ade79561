import type { Filter } from '../types/audience.ts'
import type { Condition, EvaluationState, UnvalidatedUser } from './evaluationState.ts'
import type { Matcher } from './matcher.ts'

/** A prepared filter. */
export interface PreparedFilter extends Matcher<EvaluationState, UnvalidatedUser> {
  readonly source: Filter
  /** Set if the filter depends on the user only. Users who pass the condition match with `text`. */
  readonly condition?: Condition
  /** The text of a match for `eval.details`, if it is the same for every user. */
  readonly text: string | undefined
  /** Whether the text replaces those of the siblings before it; see `joinTexts` in `operator.ts`. */
  readonly overwrites: boolean
  /** The text that remains when the filter does not match. */
  readonly failureText?: string
  /** The last prepared operator with this filter as its only member. */
  alone?: PreparedOperator
}

/** A prepared operator: a tree of filters, matched from left to right with short-circuiting. */
export interface PreparedOperator extends Matcher<EvaluationState, UnvalidatedUser> {
  /** The name of the operator. The rest of its definition would keep the document in memory. */
  readonly name: string
  readonly members: readonly Member[]
  /** Set if the operator matches exactly the users who pass all of these. The match has the text `text`. */
  readonly conditions: Condition[] | undefined
  /** The text of a match, if it is the same for every user. */
  readonly text: string | undefined
  /** The last prepared operator with this one as its only member. */
  alone?: PreparedOperator
}

/** A member of an operator. */
export type Member = PreparedFilter | PreparedOperator
