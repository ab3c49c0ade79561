import type { EventEntry } from '../eventEntry.ts'
import type { EventRecordsQuery, TimeRange } from '../eventStore.ts'
import type { DaySummary } from './daySummary.ts'

/** How what happened is kept. */
export interface EventStoreOptions {
  readonly now: () => number
  /** Milliseconds by a clock that nobody sets. */
  readonly monotonic?: () => number
  /** For how many days events are kept one by one; how often and for how many users stays longer. */
  readonly retention: number
  /** Runs before each write to the disk. Throws when another process has taken over the store. */
  readonly assertOwned?: (() => Promise<void>) | undefined
  /** Receives what an operator should know. Must not throw. */
  readonly onNotice: (message: string) => void
  /** Is told what went as it should and somebody may look for. It must not throw. */
  readonly onInfo?: (message: string) => void
  /** Is told what became of each entry, and how long it took. It must not throw. */
  readonly onAppend?: (append: AppendResult) => void
}

/** What became of an entry, and how long it took. */
export interface AppendResult {
  readonly entry: EventEntry
  /** One that is repeated was there already. */
  readonly outcome: 'kept' | 'repeated' | 'failed'
  readonly seconds: number
}

/** Where an event store has its entries, and what they come to for each day. */
export interface EventStorage {
  /** Resolves when the entry is durable and counted. @throws {EventsUnavailableError} when it is neither. */
  add(entry: EventEntry): Promise<void>
  /** What is known of each day that has something of a range, the oldest first. */
  days(range: TimeRange): AsyncIterable<DaySummary>
  /** The entries that can have something to do with a query, day by day, in the order in which they became durable; others may be among them. */
  entries(query: EventRecordsQuery): AsyncIterable<EventEntry>
  /** Since when there has been one, in epoch milliseconds. */
  readonly since: number
  close(): Promise<void>
}
