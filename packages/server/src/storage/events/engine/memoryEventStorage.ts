import { DAY } from '../../../lib/time.ts'
import { concernsUser, replaceUserInEntry, type UserReplacement } from '../erasure/replaceUser.ts'
import type { EventEntry } from '../eventEntry.ts'
import type { EventRecordsQuery, TimeRange, UserEventsQuery } from '../eventStore.ts'
import { createMemoryFileMap, createUserTableStore } from '../tables/userTableStore.ts'
import { daysInRange, SUMMARY_RETENTION_DAYS, toUtcDay } from '../utcDay.ts'
import { DaySummary } from './daySummary.ts'
import type { DaySummaries, EventStorage, EventStoreOptions } from './eventStorage.ts'

/** Stores events in memory, with a limit on the number of entries; the oldest are removed first. */
export class MemoryEventStorage implements EventStorage, DaySummaries {
  readonly since: number
  readonly userTables = createUserTableStore(createMemoryFileMap())
  readonly #retention: number
  readonly #now: () => number
  readonly #days = new Map<string, MemoryDay>()
  #entries = 0
  #completeSince = 0

  constructor({ now, retention }: Pick<EventStoreOptions, 'now' | 'retention'>) {
    this.#now = now
    this.#retention = retention
    this.since = now()
  }

  completeSince(): number {
    return this.#completeSince
  }

  async daySizes(range: TimeRange): Promise<ReadonlyMap<string, number>> {
    const days = daysInRange(this.#days.keys(), range)
    const sizes = days.map((day): [string, number] => [day, this.#days.get(day)?.added ?? 0])
    return new Map(sizes.filter(([day]) => this.#days.get(day)?.entries.length !== 0))
  }

  async add(entry: EventEntry): Promise<'kept'> {
    const name = toUtcDay(entry.at)
    const day = this.#days.get(name) ?? { summary: new DaySummary(), entries: [], added: 0 }
    this.#days.set(name, day)
    day.summary.add(entry)
    day.entries.push(entry)
    day.added++
    this.#entries++
    this.#forget()
    return 'kept'
  }

  async probe(): Promise<void> {}

  async *days(range: TimeRange): AsyncGenerator<DaySummary, void> {
    for (const { summary } of this.#in(range)) yield summary
  }

  async *entries({ range, throwIfAborted }: EventRecordsQuery): AsyncGenerator<EventEntry, void> {
    for (const { entries } of this.#in(range)) {
      throwIfAborted?.()
      yield* entries
    }
  }

  async *entriesOf(query: UserEventsQuery): AsyncGenerator<EventEntry, void> {
    for (const { entries } of this.#days.values()) yield* entries.filter((entry) => concernsUser(entry, query))
  }

  async replaceUser(replacement: UserReplacement): Promise<number> {
    let total = 0
    for (const { entries, summary } of this.#days.values()) {
      for (const [index, entry] of entries.entries()) {
        const replaced = replaceUserInEntry(entry, replacement)
        if (!replaced) continue
        entries[index] = replaced.entry
        total += replaced.count
      }
      summary.replaceUser(replacement)
    }
    return total
  }

  async close(): Promise<void> {}

  #in(range: TimeRange): readonly MemoryDay[] {
    return daysInRange(this.#days.keys(), range).flatMap((day) => this.#days.get(day) ?? [])
  }

  #forget(): void {
    const oldestKept = toUtcDay(this.#now() - this.#retention * DAY)
    const names = [...this.#days.keys()].sort()
    for (const name of names) {
      if (name >= oldestKept && this.#entries <= MAX_ENTRIES && this.#days.size <= SUMMARY_RETENTION_DAYS) return
      const entries = this.#days.get(name)?.entries ?? []
      // Of the newest day, only the older half is removed.
      const removed = name === names.at(-1) ? entries.length >> 1 : entries.length
      const deleted = entries.splice(0, removed)
      const last = deleted.at(-1)?.at
      if (last !== undefined) this.#completeSince = Math.max(this.#completeSince, last + 1)
      this.#entries -= removed
      if (this.#days.size > SUMMARY_RETENTION_DAYS) this.#days.delete(name)
    }
  }
}

interface MemoryDay {
  readonly summary: DaySummary
  readonly entries: EventEntry[]
  /** The number of entries so far, including removed ones. */
  added: number
}

/** The maximum number of entries. */
const MAX_ENTRIES = 100_000
