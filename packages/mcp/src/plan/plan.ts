import type { DataOutput } from '../results/toolOutput.ts'
import type { Change } from './diff/change.ts'
import type { AffectedEnvironment } from './state/affectedEnvironment.ts'

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

/** The version of a resource that does not exist yet. */
export const NO_VERSION = 'absent'

/** Identifies one version of a resource. */
export function versionOf({ _id, updatedAt }: { readonly _id: string; readonly updatedAt: string }): string {
  return `${_id} ${updatedAt}`
}
