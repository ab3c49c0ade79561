import type { StoredAuditEntry } from './resources/history.ts'
import type { StoredOrganization } from './resources/organization.ts'

/** The durable audit log. */
export interface AuditLog {
  /** The owners of the entries; `auditHead` is the end of the log. */
  readonly organizations: readonly StoredOrganization[]
  /** In the order of writing. Iteration throws a `HistoryError` at a damaged entry. */
  readonly entries: AsyncIterable<StoredAuditEntry>
  /** Returns what the file contains beyond the recorded end of the log; `undefined` if nothing. */
  readonly findUncounted: () => Promise<UncountedTail | undefined>
}

/** The part of a history file beyond its recorded end. */
export interface UncountedTail {
  readonly bytes: number
  readonly lines: number
}

/** The known identification of an entry in the history. */
export interface EntryLocation {
  readonly _id?: string
  readonly createdAt?: string
  readonly position?: number
}

/** Thrown when the history is damaged or incomplete. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  readonly location: EntryLocation

  constructor(message: string, location: EntryLocation = {}) {
    super(message)
    this.location = location
  }
}
