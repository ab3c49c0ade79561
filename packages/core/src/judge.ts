import type { Subject } from './subject.ts'
import type { Verdict } from './verdict.ts'

/** Something that tells whether a user belongs: a filter, an operator, an audience. */
export interface Judge {
  readonly match: (subject: Subject) => Verdict
}
