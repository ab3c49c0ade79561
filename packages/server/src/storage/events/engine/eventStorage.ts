import type { OnNotice } from '../../onNotice.ts'
import type { UserReplacement } from '../erasure/replaceUser.ts'
import type { EventEntry } from '../eventEntry.ts'
import type { EventRecordsQuery, EventStore, TimeRange, UserEventsQuery } from '../eventStore.ts'
import type { UserTableStore } from '../tables/userTableStore.ts'
import type { DaySummary } from './daySummary.ts'

/** Options of an event store. */
export interface EventStoreOptions {
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: () => number
  /** The retention of entries in days; counts are kept longer. */
  readonly retention: number
  /** Runs before each write to the disk. Throws when another process has taken over the store. */
  readonly assertOwned?: (() => Promise<void>) | undefined
  /** Whether a suspended process may have the files open. */
  readonly mayHaveFormerOwner?: boolean
  readonly onNotice: OnNotice
  /** Receives information about normal operation. Must not throw. */
  readonly onInfo?: (message: string) => void
  /** Receives the result of each append. Must not throw. */
  readonly onAppend?: (append: AppendResult) => void
}

/** The result of an append. */
export interface AppendResult {
  readonly entry: EventEntry
  /** `repeated`: an entry with the same payload id was stored before. */
  readonly outcome: 'kept' | 'repeated' | 'failed'
  readonly seconds: number
}

/** The counts of an event store. */
export type EventCounts = Pick<EventStore, 'evaluations' | 'users' | 'lastEvaluated'>

/** The summaries of a storage that keeps one for each day. */
export interface DaySummaries {
  /** Returns the summaries of the days that overlap a range, the oldest first. */
  days(range: TimeRange): AsyncIterable<DaySummary>
}

/** Where an event store keeps its entries. */
export interface EventStorage {
  /**
   * Resolves when the entry is durable and counted, or when the storage finds that it repeats an earlier one.
   * @throws {EventsUnavailableError} when it is neither.
   */
  add(entry: EventEntry): Promise<'kept' | 'repeated'>
  /** Resolves when something was written and removed again, which shows that entries can be added. */
  probe(): Promise<void>
  /** Returns a superset of the entries that match a query, in the order of arrival. */
  entries(query: EventRecordsQuery): AsyncIterable<EventEntry>
  /** Returns a superset of the entries that contain the user, in the order of arrival. */
  entriesOf(query: UserEventsQuery): AsyncIterable<EventEntry>
  /** Replaces the id of a user in entries and summaries. Resolves when that is durable, with the number of places. */
  replaceUser(replacement: UserReplacement): Promise<number>
  /** The time from which events are stored, in epoch milliseconds. */
  readonly since: number
  /** The time from which no entry has expired, in epoch milliseconds; 0 if none has. */
  completeSince(): number
  /** Returns the size of the entries of each day that overlaps a range and has some. It grows with each entry. */
  daySizes(range: TimeRange): Promise<ReadonlyMap<string, number>>
  /** A number that grows when another process adds entries. */
  foreignRevision?(): number
  readonly userTables: UserTableStore
  close(): Promise<void>
}
