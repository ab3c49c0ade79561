import { DAY } from '../../../lib/time.ts'
import { concernsUser, replaceUserInEntry, type UserReplacement } from '../erasure/replaceUser.ts'
import type { EventEntry } from '../eventEntry.ts'
import type { EventRecordsQuery, TimeRange, UserEventsQuery } from '../eventStore.ts'
import { daysInRange, SUMMARY_RETENTION_DAYS, toUtcDay } from '../utcDay.ts'
import { DaySummary } from './daySummary.ts'
import type { EventStorage, EventStoreOptions } from './eventStorage.ts'

/** Stores events in memory, with a limit on the number of entries; the oldest are removed first. */
export class MemoryEventStorage implements EventStorage {
  readonly since: number
  readonly #retention: number
  readonly #now: () => number
  readonly #days = new Map<string, MemoryDay>()
  #entries = 0

  constructor({ now, retention }: Pick<EventStoreOptions, 'now' | 'retention'>) {
    this.#now = now
    this.#retention = retention
    this.since = now()
  }

  async add(entry: EventEntry): Promise<void> {
    const name = toUtcDay(entry.at)
    const day = this.#days.get(name) ?? { summary: new DaySummary(), entries: [] }
    this.#days.set(name, day)
    day.summary.add(entry)
    day.entries.push(entry)
    this.#entries++
    this.#forget()
  }

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
      entries.splice(0, removed)
      this.#entries -= removed
      if (this.#days.size > SUMMARY_RETENTION_DAYS) this.#days.delete(name)
    }
  }
}

interface MemoryDay {
  readonly summary: DaySummary
  readonly entries: EventEntry[]
}

/** The maximum number of entries. */
const MAX_ENTRIES = 100_000
