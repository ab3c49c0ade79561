import { type Environment, isProtected } from '@burgee/contract/schemas'
import type { DataOutput } from '../results/toolOutput.ts'

/** The changes that a call would make, computed before it makes them. */
export interface Plan {
  /** A few sentences; names in them are quoted. */
  readonly summary: string
  /** The most important changes come first: a confirmation shows as many as fit. */
  readonly changes: readonly Change[]
  /** The environments in which users are affected. */
  readonly environments: readonly AffectedEnvironment[]
  /** The version of the data that the plan was made from. A confirmation is valid only for this version. */
  readonly version: string
  /** A confirmation must show every change, since the summary does not cover them. */
  readonly needsFullDiff?: true
  /** The key of the resource to delete; the person types it to confirm. */
  readonly deletes?: string
  /** The output when nothing would change: no confirmation, no write. */
  readonly unchanged?: DataOutput
}

/** One difference. */
export interface Change extends Location {
  /** The target exists already, and is served from now on. */
  readonly isServedNow?: true
  /** The value before; absent for an addition. */
  readonly from?: unknown
  /** The value after; absent for a removal. */
  readonly to?: unknown
  /** `from` and `to` in words; as JSON if absent. */
  readonly fromText?: string
  readonly toText?: string
}

/** The location of a difference. */
export interface Location {
  /** The path in the data, as in `configurations.production.status`. */
  readonly path: string
  /** The same in words, without the environment, as in `target 1 "All users" › serves`. */
  readonly label?: string
  /** The key of the environment; absent for parts that all environments share. */
  readonly environment?: string
}

export type AffectedEnvironment = Pick<Environment, 'key' | 'type'>

/** Sorts environments of the types `production` and `disaster_recovery` first. */
export function productionFirst<T extends Pick<AffectedEnvironment, 'type'>>(environments: readonly T[]): readonly T[] {
  return [...environments.filter(isProtected), ...environments.filter((environment) => !isProtected(environment))]
}

/** The version of a resource that does not exist yet. */
export const NO_VERSION = 'absent'

/** Identifies one version of a resource. */
export function versionOf({ _id, updatedAt }: { readonly _id: string; readonly updatedAt: string }): string {
  return `${_id} ${updatedAt}`
}
