import type { Judge, Shared } from './judge.ts'
import { leadsOn, type PreparedOperator, prepareOperator } from './operator.ts'
import type { Place } from './place.ts'
import type { Subject } from './subject.ts'
import type { Verdict } from './verdict.ts'

/**
 * Prepares a config's audiences. They may refer to each other, in circles too: references are looked up when they are
 * followed, and a circle shows there as filters without an end.
 */
export function prepareAudiences(place: Place): Shared {
  const audiences = new Map<unknown, Judge>()
  const shared: Shared = { audience: (id) => audiences.get(id), conditions: new Map() }
  for (const [id, member] of place.isAbsent() ? [] : place.members()) {
    audiences.set(id, remembering(prepareOperator(member.at('filters'), shared)))
  }
  return shared
}

/** An audience that refers to others is judged once for a user and a feature: a few levels that each refer twice to the next would else take forever. */
function remembering(operator: PreparedOperator): Judge {
  if (!operator.members.some(leadsOn)) return operator
  const match = (subject: Subject): Verdict => {
    const { verdicts } = subject
    if (!verdicts.has(operator)) verdicts.set(operator, operator.match(subject))
    return verdicts.get(operator)
  }
  return { match }
}
