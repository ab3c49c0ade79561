import { type Environment, isProtected } from '@burgee/contract/schemas'
import type { Result } from '../answers/answer.ts'

/** What a call would do, before it is done. */
export interface Effect {
  /** In a few sentences; names in it are quoted. */
  readonly summary: string
  /** What weighs most comes first: a question names no more than it has room for. */
  readonly changes: readonly Change[]
  /** The environments in which users could notice. */
  readonly environments: readonly AffectedEnvironment[]
  /** Which version of what is there this was made from: a yes to it is good for no other. */
  readonly basis: string
  /** Whether nobody can say yes who has not seen every change: the summary does not say what they come to. */
  readonly isToldByChanges?: true
  /** The key of what would be deleted, which a person types to be sure. */
  readonly deletes?: string
  /** What is answered where nothing would be different: then nobody is asked, and nothing is done. */
  readonly unchanged?: Result
}

/** One thing that would be different. */
export interface Change {
  /** Where, as in `configurations.production.status`. */
  readonly place: string
  /** It is there already, and begins to be served as it is. */
  readonly isServedNow?: true
  /** What is there; absent where there is nothing yet. */
  readonly from?: unknown
  /** What would be there; absent where there would be nothing any more. */
  readonly to?: unknown
}

/** An environment that a change reaches. */
export type AffectedEnvironment = Pick<Environment, 'key' | 'type'>

/** Environments that serve production, and then the others. */
export function inProductionFirst<T extends Pick<AffectedEnvironment, 'type'>>(
  environments: readonly T[]
): readonly T[] {
  return [...environments.filter(isProtected), ...environments.filter((environment) => !isProtected(environment))]
}
