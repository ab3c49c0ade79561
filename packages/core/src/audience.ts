import { leadsOn, type PreparedOperator, prepareOperator } from './operator.ts'
import type { Place } from './place.ts'
import type { Conditions, Subject } from './subject.ts'
import type { Verdict } from './verdict.ts'

/**
 * Prepares an audience. Audiences may refer to each other, in circles too: references are looked up when they are
 * followed, and a circle shows there as filters without an end.
 */
export function prepareAudience(place: Place, conditions: Conditions): PreparedOperator {
  const operator = prepareOperator(place.at('filters'), conditions)
  return operator.members.some(leadsOn) ? { ...operator, match: remembering(operator) } : operator
}

/** An audience that refers to others is judged once for a user and a feature: a few levels that each refer twice to the next would else take forever. */
function remembering(operator: PreparedOperator): PreparedOperator['match'] {
  return (subject: Subject): Verdict => {
    const { verdicts } = subject
    if (!verdicts.has(operator)) verdicts.set(operator, operator.match(subject))
    return verdicts.get(operator)
  }
}
