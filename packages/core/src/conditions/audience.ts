import type { JsonCursor } from '../json/jsonCursor.ts'
import type { EvaluationState } from './evaluationState.ts'
import type { Conditions } from './filter.ts'
import type { MatchResult } from './matcher.ts'
import { isRecursive, type PreparedOperator, prepareOperator } from './operator.ts'

/** Prepares an audience. References to other audiences are resolved during evaluation, which also detects cycles. */
export function prepareAudience(cursor: JsonCursor, conditions: Conditions): PreparedOperator {
  const operator = prepareOperator(cursor.at('filters'), conditions)
  return operator.members.some(isRecursive) ? { ...operator, match: memoized(operator) } : operator
}

/** Memoizes a nested audience per user and feature; without this, evaluation is exponential in nesting depth. */
export function memoized(operator: PreparedOperator): PreparedOperator['match'] {
  return (state: EvaluationState): MatchResult => {
    const { audienceMemo } = state
    if (!audienceMemo.has(operator)) audienceMemo.set(operator, operator.match(state))
    return audienceMemo.get(operator)
  }
}
