import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type PeriodicJob } from '@burgee/kit'
import { hasCode } from '@burgee/kit/files'
import { ClockJumpDetector } from '../../../lib/clockJumpDetector.ts'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { DAY, HOUR, MINUTE } from '../../../lib/time.ts'
import { isDiskFull } from '../../disk/diskFull.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import { readLineBytes } from '../../disk/readLines.ts'
import { UncertainWriteError } from '../../store.ts'
import type { DayState, DaySummary } from '../engine/daySummary.ts'
import type { DaySummaries, EventStorage, EventStoreOptions } from '../engine/eventStorage.ts'
import type { PayloadDeduplicator } from '../engine/payloadDeduplicator.ts'
import type { UserReplacement } from '../erasure/replaceUser.ts'
import type { EventEntry } from '../eventEntry.ts'
import { type EventRecordsQuery, EventsUnavailableError, type TimeRange, type UserEventsQuery } from '../eventStore.ts'
import { openFolderFileMap } from '../tables/folderFileMap.ts'
import { createUserTableStore, type FileMap, type UserTableStore } from '../tables/userTableStore.ts'
import { daysInRange, toUtcDay, utcDayStart } from '../utcDay.ts'
import { dayFilePath, parseDayFileName, parseLengthFileName, summaryFilePath } from './dayFileNames.ts'
import { findOffset, readDayState } from './dayState.ts'
import { DayStateCache } from './dayStateCache.ts'
import { createLineFilter, parseEntryLine, parsePayloadIdentity } from './entryLine.ts'
import { recordLosses, reportLosses } from './lostEntries.ts'
import { NewestDay, readNewestDay } from './newestDay.ts'
import { OpenDays } from './openDays.ts'
import { removeExpiredDays } from './removeExpiredDays.ts'
import { replaceNewestDay } from './replaceNewestDay.ts'
import { dayHasUser, replaceUserInDay } from './replaceUserInDay.ts'
import { assertKnownVersion, writeSummary } from './summaryFile.ts'

/**
 * Stores events in a folder (ADR 27). Each UTC day has two files:
 * - `2026-11-21.jsonl`: a line for each entry, in the order of arrival. Appends share an fsync and resolve after it. An
 *   incomplete last line is cut off; damaged lines before it are reported and skipped.
 * - `2026-11-21.summary.json`: the counts of the entries, and the number of bytes of the first file that they cover. It
 *   is written at the end of the day and periodically before, so that a start reads only the rest. A missing or damaged
 *   summary is rebuilt from the entries.
 *
 * While a day is open, `2026-11-21.length` records the length of its entries, which the summary lacks (`LengthRecord`).
 * `2026-11-21.lost` describes entries that a start missed (`lostEntries.ts`).
 * The file `since` contains the moment from which events are stored, `expired` the last day whose entries were deleted,
 * and the folder `tables` what experiments derive from events (ADR 69). `events.newest` beside the folder contains the
 * newest day with entries.
 *
 * Long because appending, reading, erasure and maintenance share the state of the open days.
 */
export class FileEventStorage implements EventStorage, DaySummaries {
  readonly since: number
  readonly userTables: UserTableStore
  readonly #folder: string
  readonly #options: EventStoreOptions
  /** The days that have files. */
  readonly #days: Set<string>
  /** The last day whose entries were removed. */
  #expired: string | undefined
  readonly #open: OpenDays
  readonly #newest: NewestDay
  readonly #recent = new DayStateCache()
  readonly #maintenance: PeriodicJob
  readonly #clockJumps: ClockJumpDetector
  /** The day of the last maintenance. */
  #today: string
  /** Days that a process left open when it was killed: their summaries and recorded lengths can be old. */
  #unclosed: string[] = []
  /** The day on which expired files were last removed. */
  #cleaned: string | undefined
  /** The days whose merged counts were reported. */
  readonly #coarse = new Set<string>()

  private constructor(
    folder: string,
    { days, expired, newest, since, tables }: OpenedFolder,
    options: EventStoreOptions
  ) {
    this.#folder = folder
    this.#days = days
    this.#expired = expired
    this.#newest = new NewestDay(folder, newest, options)
    this.since = since
    this.userTables = createUserTableStore(tables)
    this.#options = options
    this.#clockJumps = new ClockJumpDetector({ what: 'events', monotonic: options.monotonic, onInfo: options.onInfo })
    this.#today = toUtcDay(options.now())
    this.#open = new OpenDays({
      folder,
      options,
      onOpening: (day) => this.#recent.forget(day),
      onOpened: (day) => this.#days.add(day),
      onUnwritten: (day, error) => this.#reportUnwritten(day, error)
    })
    const onError = (error: unknown) => options.onNotice(`the maintenance of ${folder} failed: ${reasonOf(error)}`)
    this.#maintenance = every(MAINTENANCE_MS, () => this.#maintain(), { onError })
  }

  /** Opens the storage in an existing folder, and adds the payload ids of the last hour to `payloadIds`. */
  static async open(
    folder: string,
    since: number,
    payloadIds: PayloadDeduplicator,
    options: EventStoreOptions
  ): Promise<FileEventStorage> {
    const files = await readdir(folder)
    for (const name of files) {
      if (parseDayFileName(name)?.hasEntries === false) await assertKnownVersion(join(folder, name))
    }
    const parsed = files.flatMap((name) => parseDayFileName(name) ?? [])
    const days = new Set(parsed.map(({ day }) => day))
    const withEntries = new Set(parsed.filter(({ hasEntries }) => hasEntries).map(({ day }) => day))
    const expired = [...days]
      .filter((day) => !withEntries.has(day))
      .sort()
      .at(-1)
    if (options.mayHaveFormerOwner) await replaceNewestDay(folder, withEntries, options)
    const tables = await openFolderFileMap(join(folder, 'tables'), options)
    const { day: newest } = await readNewestDay(folder)
    const storage = new FileEventStorage(folder, { days, expired, newest, since, tables }, options)
    try {
      // First: reading payload ids creates the file of the current day.
      const recorded = files.flatMap((name) => parseLengthFileName(name) ?? [])
      // Reports a summary of more entries, and counts the remaining ones again.
      for (const day of await recordLosses(folder, files, options)) await storage.#stateOf(day)
      await reportLosses(folder, options.onNotice)
      // A restored or imported store has no record of it.
      const last = await findNewestDay(folder, withEntries)
      if (last !== undefined) await storage.#newest.record(last)
      storage.#unclosed = recorded.filter((day) => withEntries.has(day))
      await storage.#readPayloadIds(payloadIds)
      void storage.#maintenance.run()
      return storage
    } catch (error) {
      await storage.close()
      throw error
    }
  }

  async add(entry: EventEntry): Promise<'kept'> {
    try {
      this.#maintainNewDay()
      const day = toUtcDay(entry.at)
      await this.#open.use(day, async (writer) => {
        await writer.append(entry)
        this.#reportCoarse(day, writer.state)
      })
      await this.#newest.record(day)
      return 'kept'
    } catch (cause) {
      if (cause instanceof UncertainWriteError) throw cause
      throw new EventsUnavailableError(`the events could not be written: ${reasonOf(cause)}`, { cause })
    }
  }

  async probe(): Promise<void> {
    await this.#open.use(toUtcDay(this.#options.now()), (writer) => writer.probe())
  }

  completeSince(): number {
    return this.#expired === undefined ? 0 : utcDayStart(this.#expired) + DAY
  }

  async daySizes(range: TimeRange): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>()
    for (const day of daysInRange(this.#days, range)) {
      const size = await findFileSize(dayFilePath(this.#folder, day))
      if (size !== undefined) sizes.set(day, size)
    }
    return sizes
  }

  async *days(range: TimeRange): AsyncGenerator<DaySummary, void> {
    for (const day of daysInRange(this.#days, range)) yield (await this.#stateOf(day)).summary
  }

  async *entries({
    environments,
    range,
    feature,
    event,
    throwIfAborted
  }: EventRecordsQuery): AsyncGenerator<EventEntry, void> {
    const mayMatch = createLineFilter(environments, [feature, event])
    for (const day of daysInRange(this.#days, range)) {
      const state = await this.#stateOf(day)
      const start = findOffset(state, range.start)
      try {
        for await (const line of readLineBytes(dayFilePath(this.#folder, day), state.covered, start)) {
          throwIfAborted?.()
          // Damaged lines were reported when they were counted.
          const entry = mayMatch(line) ? parseEntryLine(line, day) : undefined
          if (entry) yield entry
        }
      } catch (error) {
        // The entries of the day have expired.
        if (!hasCode(error, 'ENOENT')) throw error
      }
    }
  }

  async *entriesOf({ environments, user_id, isWanted }: UserEventsQuery): AsyncGenerator<EventEntry, void> {
    const mayMatch = createLineFilter(environments, [user_id])
    for (const day of [...this.#days].sort()) {
      const { covered } = await this.#stateOf(day)
      try {
        for await (const line of readLineBytes(dayFilePath(this.#folder, day), covered)) {
          if (isWanted?.() === false) return
          const entry = mayMatch(line) ? parseEntryLine(line, day) : undefined
          if (entry) yield entry
        }
      } catch (error) {
        // The entries of the day have expired.
        if (!hasCode(error, 'ENOENT')) throw error
      }
    }
  }

  async replaceUser(replacement: UserReplacement): Promise<number> {
    let count = 0
    try {
      for (const day of [...this.#days].sort()) {
        // A day that is being read writes its summary then, which would contain the user again.
        const { summary } = await this.#stateOf(day)
        // Appends wait for a day that is rewritten, so days without the user stay open.
        if (!(await dayHasUser(this.#folder, day, summary, replacement))) continue
        const work = () => replaceUserInDay(this.#folder, day, replacement, this.#options)
        count += await this.#open.withClosed(day, work)
        this.#recent.forget(day)
      }
    } catch (cause) {
      throw new EventsUnavailableError(`the events could not be rewritten: ${reasonOf(cause)}`, { cause })
    }
    return count
  }

  async close(): Promise<void> {
    await this.#maintenance.stop()
    await this.#open.close()
  }

  async #readPayloadIds(payloadIds: PayloadDeduplicator): Promise<void> {
    const lastHour = this.#options.now() - HOUR
    const newest = [...this.#days].sort().at(-1)
    const recent = [...this.#days].filter((day) => day >= toUtcDay(lastHour) || day === newest).sort()
    for (const day of new Set([...recent, this.#today])) {
      const state = await this.#openDay(day)
      const path = dayFilePath(this.#folder, day)
      for await (const line of readLineBytes(path, state.covered, findOffset(state, lastHour))) {
        const identity = parsePayloadIdentity(line)
        if (identity && identity.at > lastHour) payloadIds.remember(identity)
      }
    }
  }

  /** Opens a day and creates its file if it is missing. On a full disk, it is only read; appends try again. */
  async #openDay(day: string): Promise<DayState> {
    try {
      return (await this.#open.use(day, async (writer) => writer)).state
    } catch (error) {
      if (!isDiskFull(error)) throw error
      return this.#stateOf(day)
    }
  }

  async #stateOf(day: string): Promise<DayState> {
    const writer = this.#open.find(day)
    if (writer !== undefined) return (await writer).state
    await this.#open.closed(day)
    return this.#recent.get(day, () => this.#load(day))
  }

  /** Reads a day that is not open, and writes its summary if that does not cover all entries. */
  async #load(day: string): Promise<DayState> {
    const { state, isComplete } = await readDayState(this.#folder, day, this.#options)
    this.#reportCoarse(day, state)
    if (isComplete || this.#open.has(day)) return state
    try {
      await writeSummary(summaryFilePath(this.#folder, day), state, this.#options.assertOwned)
    } catch (error) {
      this.#reportUnwritten(day, error)
    }
    return state
  }

  /** Runs the maintenance at once when a new day has begun. */
  #maintainNewDay(): void {
    const today = toUtcDay(this.#options.now())
    if (today === this.#today) return
    this.#today = today
    // A run in progress may have begun on the day before.
    void this.#maintenance.run().then(() => (this.#cleaned === today ? undefined : this.#maintenance.run()))
  }

  /** Closes days that are over, writes the summary of the current one, and removes expired files. */
  async #maintain(): Promise<void> {
    const today = toUtcDay(this.#options.now())
    this.#today = today
    // Reading a day writes its summary.
    for (const day of this.#unclosed.splice(0)) if (!this.#open.has(day)) await this.#stateOf(day)
    for (const day of this.#open) {
      if (day !== today) this.#open.retire(day)
      else await this.#open.use(day, (writer) => writer.checkpoint(CHECKPOINT_BYTES))
    }
    if (this.#cleaned === today || this.#clockJumps.isSuspect(today, this.#days)) return
    this.#cleaned = today
    const isInUse = (day: string) => this.#open.has(day) || this.#open.isClosing(day)
    const removed = await removeExpiredDays(this.#folder, this.#days, isInUse, this.#options)
    this.#expired = [...removed, ...(this.#expired === undefined ? [] : [this.#expired])].sort().at(-1)
  }

  #reportCoarse(day: string, { summary }: DayState): void {
    if (!summary.isCoarse || this.#coarse.has(day)) return
    this.#coarse.add(day)
    const path = summaryFilePath(this.#folder, day)
    this.#options.onNotice(
      `${path}: the limit of counts is reached; further evaluations are counted without variable and platform`
    )
  }

  #reportUnwritten(day: string, error: unknown): void {
    const path = summaryFilePath(this.#folder, day)
    this.#options.onNotice(`${path} could not be written; it will be rebuilt from the entries: ${reasonOf(error)}`)
  }
}

/** Returns the newest of some days whose file is not empty. */
async function findNewestDay(folder: string, days: ReadonlySet<string>): Promise<string | undefined> {
  for (const day of [...days].sort().reverse()) {
    if (((await findFileSize(dayFilePath(folder, day))) ?? 0) > 0) return day
  }
  return undefined
}

/** The content of the folder when it is opened. */
interface OpenedFolder {
  /** The days that have files. */
  readonly days: Set<string>
  /** The last day whose entries were removed. */
  readonly expired: string | undefined
  /** The newest day with entries. */
  readonly newest: string | undefined
  readonly since: number
  readonly tables: FileMap
}

const MAINTENANCE_MS = MINUTE

/** Counting this many bytes again takes less than a second. */
const CHECKPOINT_BYTES = 16 * 2 ** 20
