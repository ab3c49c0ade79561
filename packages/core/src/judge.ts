import type { Condition, Subject } from './subject.ts'
import type { Verdict } from './verdict.ts'

/** Something that tells whether a user belongs: a filter, an operator, an audience. */
export interface Judge {
  readonly match: (subject: Subject) => Verdict
}

/** The audiences of a config by id; undefined when there is no such audience. */
export type AudienceOf = (id: unknown) => Judge | undefined

/** What the filters of a config share. */
export interface Shared {
  readonly audience: AudienceOf
  /** The conditions met so far by what they say: equal ones are one. */
  readonly conditions: Map<string, Condition>
}
