import type { StoredAuditEntry } from '../../resources/history.ts'
import type { HistoryRow } from '../../tables/historyRow.ts'
import { type EntrySource, readEntries } from './readEntries.ts'

/**
 * The entries that were read most recently. Each response with a feature contains its revision, for which the newest
 * entry of the feature is read: without them, each list of 1,000 features would read 1,000 entries.
 */
export class RecentEntries {
  readonly #entries = new Map<string, StoredAuditEntry>()

  /** Returns the entries of rows, in their order. */
  async load(rows: readonly HistoryRow[], source: EntrySource): Promise<readonly StoredAuditEntry[]> {
    const known = new Map<string, StoredAuditEntry>()
    for (const { _id } of rows) {
      const entry = this.#entries.get(_id)
      if (entry) known.set(_id, entry)
    }
    const unknown = rows.filter(({ _id }) => !known.has(_id))
    for (const entry of await readEntries(source, unknown)) known.set(entry._id, entry)
    return rows.flatMap(({ _id, content }) => {
      const entry = known.get(_id)
      if (!entry) return []
      if ('offset' in content && content.length <= MAX_BYTES) this.#remember(entry)
      return [entry]
    })
  }

  #remember(entry: StoredAuditEntry): void {
    this.#entries.delete(entry._id)
    this.#entries.set(entry._id, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
  }
}

/** More than the features that a list returns. */
const MAX_ENTRIES = 2000
/** Most entries have about 2 kB; all of them together are bounded by 16 MB. */
const MAX_BYTES = 8192
