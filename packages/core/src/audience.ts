import { type PreparedOperator, prepareOperator } from './operator.ts'
import type { Place } from './place.ts'

/** The prepared filters of an audience, looked up by id; undefined when there is no such audience. */
export type AudienceOf = (id: unknown) => PreparedOperator | undefined

/**
 * Prepares a config's audiences. They may refer to each other, in circles too: references are looked up when they are
 * followed, and a circle shows there as filters without an end.
 */
export function prepareAudiences(place: Place): AudienceOf {
  if (place.isAbsent()) return () => undefined
  const audiences = new Map<unknown, PreparedOperator>()
  const audience: AudienceOf = (id) => audiences.get(id)
  for (const [id, member] of place.members()) {
    audiences.set(id, prepareOperator(member.at('filters'), audience))
  }
  return audience
}
