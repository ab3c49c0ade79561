import type { StoredAuditEntry, StoredOrganization } from './resources.ts'

/** The audit log as it is kept: read from where it is durable, and not from memory. */
export interface AuditLog {
  /** Whose entries they are. They know where the log ends. */
  readonly organizations: readonly StoredOrganization[]
  /** In the order in which they were written. Reading them throws a `HistoryError` where they cannot be read. */
  readonly entries: AsyncIterable<StoredAuditEntry>
}

/** Which entry a place in the history belongs to, as far as that can be told. */
export interface EntryLocation {
  readonly _id?: string
  readonly createdAt?: string
  readonly position?: number
}

/** The history cannot be read on. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  readonly location: EntryLocation

  constructor(message: string, place: EntryLocation = {}) {
    super(message)
    this.location = place
  }
}
