import type { JsonCursor } from '../json/jsonCursor.ts'
import type { Conditions } from './filter.ts'
import { isRecursive, prepareOperator } from './operator.ts'
import type { PreparedOperator } from './prepared.ts'

/** Prepares an audience. References to other audiences are resolved during evaluation, which also detects cycles. */
export function prepareAudience(cursor: JsonCursor, conditions: Conditions): PreparedOperator {
  const operator = prepareOperator(cursor.at('filters'), conditions)
  return operator.members.some(isRecursive) ? { ...operator, match: memoized(operator) } : operator
}

/** Memoizes a nested audience per user and feature; without this, evaluation is exponential in nesting depth. */
export function memoized(operator: PreparedOperator): PreparedOperator['match'] {
  return (state, user) => {
    const { audienceMemo } = state
    if (!audienceMemo.has(operator)) audienceMemo.set(operator, operator.match(state, user))
    return audienceMemo.get(operator)
  }
}
