import type { Page } from '../store.ts'
import {
  type AccessLog,
  type AccessLogFilter,
  type AccessLogQuery,
  meetsFilter,
  type StoredAccessEntry
} from './accessLog.ts'

/** The access log of a store in memory. Keeps the newest 10,000 entries. */
export class MemoryAccessLog implements AccessLog {
  #entries: StoredAccessEntry[] = []

  async append(entries: readonly StoredAccessEntry[]): Promise<void> {
    this.#entries.push(...entries)
    // Cut in large steps, so that an append does not copy the list.
    if (this.#entries.length > 2 * MAX_ENTRIES) this.#entries = this.#entries.slice(-MAX_ENTRIES)
  }

  async list({ sortOrder, page, perPage, ...filter }: AccessLogQuery): Promise<Page<StoredAccessEntry>> {
    const found = this.#entries.filter((entry) => meetsFilter(entry, filter))
    if (sortOrder === 'desc') found.reverse()
    return { items: found.slice((page - 1) * perPage, page * perPage), count: found.length }
  }

  async *iterate(filter: AccessLogFilter): AsyncGenerator<StoredAccessEntry, void> {
    for (const entry of [...this.#entries]) if (meetsFilter(entry, filter)) yield entry
  }

  async close(): Promise<void> {}
}

const MAX_ENTRIES = 10_000
