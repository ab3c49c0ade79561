import type { StoredAuditEntry } from '../../resources/history.ts'
import type { HistoryRow } from '../../tables/historyRow.ts'
import { type EntrySource, readEntries } from './readEntries.ts'

/**
 * The entries that were read alone most recently. Each response with a feature contains its revision, for which the
 * newest entry of the feature is read: without them, a list of 1,000 features would read the file 1,000 times.
 */
export class RecentEntries {
  readonly #entries = new Map<string, StoredAuditEntry>()

  /** Returns the entry of a row. */
  async load(row: HistoryRow, source: EntrySource): Promise<readonly StoredAuditEntry[]> {
    const { _id, content } = row
    if (!('offset' in content)) return [content]
    const known = this.#entries.get(_id)
    const found = known ? [known] : await readEntries(source, [row])
    const [entry] = found
    if (entry && content.length <= MAX_BYTES) {
      this.#entries.delete(_id)
      this.#entries.set(_id, entry)
      const [oldest] = this.#entries.keys()
      if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
    }
    return found
  }
}

/** More than the features that a list returns. */
const MAX_ENTRIES = 2000
/** Most entries have about 2 kB; all of them together are bounded by 16 MB. */
const MAX_BYTES = 8192
