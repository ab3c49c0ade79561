import type { AccessLogEntry } from '@burgee/contract/schemas'
import type { Page } from '../store.ts'

/** A stored entry of the access log. */
export interface StoredAccessEntry extends AccessLogEntry {
  readonly _organization: string
}

/** Conditions on entries. */
export interface AccessLogFilter {
  /** The first date, ISO 8601 in UTC. */
  readonly from?: string | undefined
  /** The last date. */
  readonly to?: string | undefined
  readonly matches: (entry: StoredAccessEntry) => boolean
}

/** One page of matching entries. */
export interface AccessLogQuery extends AccessLogFilter {
  readonly sortOrder: 'asc' | 'desc'
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

/** The storage of the access log. Entries never change; old ones expire. */
export interface AccessLog {
  /** Resolves when the entries are durable. */
  append(entries: readonly StoredAccessEntry[]): Promise<void>
  list(query: AccessLogQuery): Promise<Page<StoredAccessEntry>>
  /** Iterates over the matching entries, oldest first. */
  iterate(filter: AccessLogFilter): AsyncIterable<StoredAccessEntry>
  /** Waits for appends in progress, then closes the files. */
  close(): Promise<void>
}

/** Whether an entry meets the conditions. */
export function meetsFilter(entry: StoredAccessEntry, { from = '', to, matches }: AccessLogFilter): boolean {
  return entry.date >= from && (to === undefined || entry.date <= to) && matches(entry)
}

/** Options of access logs that are kept on disk or in a database. */
export interface AccessLogOptions {
  readonly now: () => number
  /** The days for which entries are kept. */
  readonly retention: number
  /** Throws if another process has taken over the store, which also contains the access log. */
  readonly assertOwned: () => Promise<void>
  /** Receives warnings for the operator. */
  readonly onNotice: (message: string) => void
  readonly onInfo: (message: string) => void
}

/** The name of the data of an access log in messages. */
export const ACCESS_LOG_ENTRIES = 'entries of the access log'
