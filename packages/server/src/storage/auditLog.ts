import type { StoredAuditEntry, StoredOrganization } from './resources.ts'

/** The durable audit log. */
export interface AuditLog {
  /** The owners of the entries; `auditHead` says where the log ends. */
  readonly organizations: readonly StoredOrganization[]
  /** In the order of writing. Iteration throws a `HistoryError` at a damaged entry. */
  readonly entries: AsyncIterable<StoredAuditEntry>
}

/** What is known of the entry at a place in the history. */
export interface EntryLocation {
  readonly _id?: string
  readonly createdAt?: string
  readonly position?: number
}

/** The history is damaged, or incomplete. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  readonly location: EntryLocation

  constructor(message: string, place: EntryLocation = {}) {
    super(message)
    this.location = place
  }
}
