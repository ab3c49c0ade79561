import { every, type PeriodicJob } from '@burgee/kit'
import { ClockJumpDetector } from '../../../lib/clockJumpDetector.ts'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { DAY, HOUR } from '../../../lib/time.ts'
import { GroupCommit } from '../../disk/groupCommit.ts'
import type { EventStorage, EventStoreOptions } from '../../events/engine/eventStorage.ts'
import type { UserReplacement } from '../../events/erasure/replaceUser.ts'
import type { EventEntry } from '../../events/eventEntry.ts'
import {
  type EventRecordsQuery,
  EventsUnavailableError,
  type TimeRange,
  type UserEventsQuery
} from '../../events/eventStore.ts'
import { createUserTableStore } from '../../events/tables/userTableStore.ts'
import { daysInRange, SUMMARY_RETENTION_DAYS, toUtcDay, utcDayStart, utcHourStart } from '../../events/utcDay.ts'
import { StoreUnavailableError, UncertainWriteError } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { readRetentionTime } from '../connection/retentionTime.ts'
import { createWriteProof } from '../connection/writeProof.ts'
import { insertMissingMeta, type MetaName, raiseMeta, readMeta } from '../meta.ts'
import { CountLimits } from './countLimits.ts'
import { createDatabaseFileMap } from './databaseFileMap.ts'
import { replaceUserInEvents } from './eraseUser.ts'
import { Partitions } from './partitions.ts'
import { readEntries, toEntry } from './readEntries.ts'
import { type Append, writeBatch } from './writeBatch.ts'

/** Stores events in a database: entries in a partition for each day, counts and users by hour. */
export class DatabaseEventStorage implements EventStorage {
  readonly since: number
  readonly userTables
  readonly #database: Database
  readonly #options: EventStoreOptions
  readonly #partitions: Partitions
  readonly #limits: CountLimits
  readonly #clockJumps: ClockJumpDetector
  readonly #maintenance: PeriodicJob
  readonly #commits = new GroupCommit<PendingAppend>((batch) => this.#commit(batch))
  #completeSince: number
  /** The number of entries of all servers at the last check. */
  #foreignRevision = 0
  readonly #watching: PeriodicJob
  readonly #prove: () => Promise<void>

  private constructor(
    database: Database,
    opened: { since: number; completeSince: number },
    options: EventStoreOptions
  ) {
    this.since = opened.since
    this.#completeSince = opened.completeSince
    this.#database = database
    this.#options = options
    this.userTables = createUserTableStore(createDatabaseFileMap(database))
    this.#partitions = new Partitions(database)
    this.#prove = createWriteProof(database)
    this.#limits = new CountLimits(database, options.onNotice)
    this.#clockJumps = new ClockJumpDetector({ what: 'events', monotonic: options.monotonic, onInfo: options.onInfo })
    // Results that were computed before are outdated when other servers have added entries.
    this.#watching = every(WATCH_MS, () => this.#watch(), { onError: () => {} })
    this.#maintenance = every(HOUR, () => this.#maintain(), {
      immediately: true,
      retryMs: RETRY_MS,
      onError: (error) => options.onNotice(`old events could not be deleted; it will be retried: ${reasonOf(error)}`)
    })
  }

  static async open(database: Database, options: EventStoreOptions): Promise<DatabaseEventStorage> {
    const at = options.now()
    await database.write(...insertMissingMeta('eventsSince', at))
    return new DatabaseEventStorage(
      database,
      {
        since: await readTime(database, 'eventsSince'),
        completeSince: await readTime(database, 'eventsCompleteSince')
      },
      options
    )
  }

  async add(entry: EventEntry): Promise<'kept' | 'repeated'> {
    const append: PendingAppend = { entry }
    await this.#commits.add(append)
    const { outcome, cause } = append
    if (outcome !== undefined) return outcome
    if (cause instanceof UncertainWriteError) throw cause
    throw new EventsUnavailableError(`the events could not be written: ${reasonOf(cause)}`, { cause })
  }

  async probe(): Promise<void> {
    await this.#partitions.ensure(toUtcDay(this.#options.now()))
    await this.#prove()
  }

  completeSince(): number {
    return this.#completeSince
  }

  foreignRevision(): number {
    return this.#foreignRevision
  }

  async daySizes(range: TimeRange): Promise<ReadonlyMap<string, number>> {
    const sizes = await this.#days()
    return new Map(daysInRange(sizes.keys(), range).map((day) => [day, sizes.get(day) ?? 0]))
  }

  async *entries({ environments, range, feature, event, throwIfAborted }: EventRecordsQuery) {
    const since = utcHourStart(range.start)
    const texts = [feature, event].map((text) => JSON.stringify(text))
    for (const day of daysInRange((await this.#days()).keys(), range)) {
      throwIfAborted?.()
      for await (const rows of readEntries(this.#database, { day, environments, since, texts })) {
        throwIfAborted?.()
        yield* rows.flatMap((row) => toEntry(row, day) ?? [])
      }
    }
  }

  async *entriesOf({ environments, user_id, isWanted }: UserEventsQuery) {
    const texts = [JSON.stringify(user_id)]
    for (const day of [...(await this.#days()).keys()].sort()) {
      for await (const rows of readEntries(this.#database, { day, environments, since: 0, texts })) {
        if (isWanted?.() === false) return
        yield* rows.flatMap((row) => toEntry(row, day) ?? [])
      }
    }
  }

  async replaceUser(replacement: UserReplacement): Promise<number> {
    try {
      const days = [...(await this.#days()).keys()].sort()
      return await replaceUserInEvents(this.#database, days, replacement)
    } catch (cause) {
      throw new EventsUnavailableError(`the events could not be rewritten: ${reasonOf(cause)}`, { cause })
    } finally {
      this.#limits.clear()
    }
  }

  async close(): Promise<void> {
    await this.#maintenance.stop()
    await this.#watching.stop()
    await this.#commits.idle()
  }

  /** Writes a batch. If it fails for a reason other than the connection, one of its entries may be the cause. */
  async #commit(batch: readonly PendingAppend[]): Promise<void> {
    try {
      await this.#write(batch)
    } catch (cause) {
      if (batch.length === 1 || cause instanceof StoreUnavailableError) for (const append of batch) append.cause = cause
      else for (const append of batch) await this.#commit([append])
    }
  }

  async #write(batch: readonly PendingAppend[]): Promise<void> {
    for (const day of new Set(batch.map(({ entry }) => toUtcDay(entry.at)))) await this.#partitions.ensure(day)
    const counted = batch.flatMap(({ entry }) => (entry.counts.length > 0 ? [entry.at] : []))
    const summaries = await this.#limits.load(counted)
    const kept = await this.#database.transaction((client) => {
      return writeBatch(client, batch, summaries, this.#options.now())
    })
    for (const [day, summary] of summaries) this.#limits.reportCoarse(day, summary)
    for (const append of batch) {
      // A repeated batch of this server counts as kept, because no earlier append was acknowledged.
      const isKept = kept.has(append) || append.entry.batchId !== undefined
      append.outcome = isKept ? 'kept' : 'repeated'
    }
  }

  async #watch(): Promise<void> {
    const sizes = await this.#days()
    this.#foreignRevision = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  /** Returns the days with entries, and the numbers of entries that were ever added to them. */
  async #days(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.read<{ day: string; size: number }>(
      'select day::text as day, size from burgee_event_days'
    )
    return new Map(rows.map(({ day, size }) => [day, size]))
  }

  /** Deletes expired entries, counts and payload ids. */
  async #maintain(): Promise<void> {
    const { retention, onInfo } = this.#options
    const now = await readRetentionTime(this.#database, this.#options.now)
    await this.#database.write('delete from burgee_event_payloads where at <= $1', [now - 2 * HOUR])
    this.#completeSince = await readTime(this.#database, 'eventsCompleteSince')
    const days = [...(await this.#days()).keys()].sort()
    if (this.#clockJumps.isSuspect(toUtcDay(now), days)) return
    const oldest = toUtcDay(now - retention * DAY)
    for (const day of days.filter((one) => one < oldest)) {
      await this.#noteExpired(utcDayStart(day) + DAY)
      await this.#partitions.drop(day)
      onInfo?.(`the events of ${day} were deleted: events are kept for ${retention} days`)
    }
    const oldestCount = utcDayStart(toUtcDay(now - SUMMARY_RETENTION_DAYS * DAY))
    for (const table of ['burgee_event_counts', 'burgee_event_users']) {
      await this.#database.write(`delete from ${table} where hour < $1`, [oldestCount])
    }
  }

  /** Records, before entries are deleted, that there are none from before a given time. */
  async #noteExpired(moment: number): Promise<void> {
    this.#completeSince = Math.max(this.#completeSince, moment)
    await this.#database.write(...raiseMeta('eventsCompleteSince', moment))
  }
}

/** An entry that waits for its commit, and the result of it. */
interface PendingAppend extends Append {
  outcome?: 'kept' | 'repeated'
  cause?: unknown
}

const RETRY_MS = 60_000

const WATCH_MS = 1_000

async function readTime(database: Database, name: MetaName): Promise<number> {
  const time = await readMeta(database, name)
  return typeof time === 'number' ? time : 0
}
