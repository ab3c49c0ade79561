import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR, MINUTE } from '../../../lib/time.ts'
import { readLineBytes } from '../../disk/readLines.ts'
import type { DayState, DaySummary } from '../engine/daySummary.ts'
import type { EventStorage, EventStoreOptions } from '../engine/eventStorage.ts'
import type { PayloadDeduplicator } from '../engine/payloadDeduplicator.ts'
import type { EventEntry } from '../eventEntry.ts'
import { type EventRecordsQuery, EventsUnavailableError, type TimeRange } from '../eventStore.ts'
import { daysInRange, toUtcDay } from '../utcDay.ts'
import { ClockJumpDetector } from './clockJumpDetector.ts'
import { dayFilePath, parseDayFileName, summaryFilePath } from './dayFileNames.ts'
import { findOffset, readDayState } from './dayState.ts'
import { DayStateCache } from './dayStateCache.ts'
import { DayWriter } from './dayWriter.ts'
import { createLineFilter, parseEntryLine, parsePayloadIdentity } from './entryLine.ts'
import { removeExpiredDays } from './removeExpiredDays.ts'
import { assertKnownVersion, writeSummary } from './summaryFile.ts'

/**
 * A home in a folder. Of each UTC day it has
 * - `2026-11-21.jsonl`: a line for each entry that arrived. Appends share an fsync, and resolve after it. A last line without its
 *   end is cut away; a damaged one in between is told and left out, and never keeps a server from starting;
 * - `2026-11-21.summary.json`: what the entries come to, and how many bytes of the first file that covers. It is written when the
 *   day is over, and in between, so that a start reads only what came after. One that is missing or damaged is made anew.
 * Beside them, `since` says since when there has been an event store.
 */
export class FileEventStorage implements EventStorage {
  readonly since: number
  readonly #folder: string
  readonly #options: EventStoreOptions
  /** The days that there are files of. */
  readonly #days: Set<string>
  readonly #open = new Map<string, OpenDayHandle>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #recent = new DayStateCache()
  readonly #timer: NodeJS.Timeout
  #upkeep: Promise<void> = Promise.resolve()
  /** The day of the last upkeep. */
  #today: string
  /** The day on which what is too old was removed. */
  #cleaned: string | undefined
  readonly #doubt: ClockJumpDetector
  /** Of which it has been told that there is too much to tell apart. */
  readonly #coarse = new Set<string>()

  private constructor(folder: string, days: Set<string>, since: number, options: EventStoreOptions) {
    this.#folder = folder
    this.#days = days
    this.since = since
    this.#options = options
    this.#doubt = new ClockJumpDetector(options)
    this.#today = toUtcDay(options.now())
    this.#timer = setInterval(() => this.#keepUp(), MAINTENANCE_MS).unref()
  }

  /** Opens the home in a folder that is there. `payloadIds` is told those of the last hour. */
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
    const days = new Set(files.flatMap((name) => parseDayFileName(name)?.day ?? []))
    const home = new FileEventStorage(folder, days, since, options)
    try {
      const lastHour = options.now() - HOUR
      const newest = [...days].sort().at(-1)
      const recent = [...days].filter((day) => day >= toUtcDay(lastHour) || day === newest).sort()
      for (const day of new Set([...recent, home.#today])) {
        const { state } = await home.#use(day, async (open) => open)
        for await (const line of readLineBytes(dayFilePath(folder, day), state.covered, findOffset(state, lastHour))) {
          const identified = parsePayloadIdentity(line)
          if (identified && identified.at > lastHour) payloadIds.remember(identified)
        }
      }
      home.#keepUp()
      return home
    } catch (error) {
      await home.close()
      throw error
    }
  }

  async add(entry: EventEntry): Promise<void> {
    try {
      if (toUtcDay(this.#options.now()) !== this.#today) this.#keepUp()
      await this.#use(toUtcDay(entry.at), (open, opened) => this.#append(entry, open, opened))
    } catch (cause) {
      throw new EventsUnavailableError(`the events could not be written: ${String(cause)}`, { cause })
    }
  }

  async *days(range: TimeRange): AsyncGenerator<DaySummary, void> {
    for (const day of daysInRange(this.#days, range)) yield (await this.#stateOf(day)).summary
  }

  async *entries({
    environments,
    range,
    feature,
    event,
    throwIfAborted: goOn
  }: EventRecordsQuery): AsyncGenerator<EventEntry, void> {
    const isAbout = createLineFilter(environments, [feature, event])
    for (const day of daysInRange(this.#days, range)) {
      const state = await this.#stateOf(day)
      const start = findOffset(state, range.start)
      try {
        for await (const line of readLineBytes(dayFilePath(this.#folder, day), state.covered, start)) {
          goOn?.()
          // One that is damaged was told when it was counted.
          const entry = isAbout(line) ? parseEntryLine(line, day) : undefined
          if (entry) yield entry
        }
      } catch (error) {
        // A day that is not kept any more has nothing to say.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#upkeep
    for (const day of this.#open.keys()) this.#retire(day)
    await Promise.all(this.#closing.values())
  }

  async #stateOf(day: string): Promise<DayState> {
    const open = this.#open.get(day)
    if (open) return (await open.day).state
    await this.#closing.get(day)
    return this.#recent.get(day, () => this.#load(day))
  }

  /** What is known of a day that nothing is appended to, and is known faster the next time. */
  async #load(day: string): Promise<DayState> {
    const { state, isKept } = await readDayState(this.#folder, day, this.#options.onNotice)
    this.#tellCoarse(day, state)
    if (!isKept && !this.#open.has(day)) {
      const writing = async () => {
        await this.#options.assertOwned?.()
        await writeSummary(summaryFilePath(this.#folder, day), state)
      }
      await writing().catch((error) => this.#tellUnwritten(day, error))
    }
    return state
  }

  /** Does something with a day that is opened for it if it is not, and stays so until it is done. */
  async #use<T>(day: string, work: (open: DayWriter, opened: OpenDayHandle) => Promise<T>): Promise<T> {
    const opened = this.#open.get(day) ?? this.#start(day)
    opened.users++
    try {
      return await work(await opened.day, opened)
    } finally {
      opened.users--
    }
  }

  async #append(entry: EventEntry, open: DayWriter, opened: OpenDayHandle): Promise<void> {
    const day = toUtcDay(entry.at)
    try {
      await open.append(entry)
    } catch (error) {
      const hasChanged = await open.hasChanged().catch(() => false)
      if (hasChanged && this.#open.get(day) === opened) {
        // The next one gets a file that is there.
        this.#open.delete(day)
        this.#close(day, open.abandon())
      }
      throw error
    }
    this.#tellCoarse(day, open.state)
  }

  #start(day: string): OpenDayHandle {
    const before = this.#closing.get(day) ?? Promise.resolve()
    const opened = { users: 0, day: before.then(() => DayWriter.open(this.#folder, day, this.#options)) }
    this.#open.set(day, opened)
    this.#recent.forget(day)
    opened.day.then(
      () => this.#days.add(day),
      // The next one who wants it tries again.
      () => this.#open.delete(day)
    )
    return opened
  }

  #retire(day: string): void {
    const opened = this.#open.get(day)
    if (!opened || opened.users > 0) return
    this.#open.delete(day)
    this.#close(
      day,
      opened.day.then((open) => open.close())
    )
  }

  #close(day: string, closed: Promise<void>): void {
    const closing = closed.catch((error) => this.#tellUnwritten(day, error)).then(() => void this.#closing.delete(day))
    this.#closing.set(day, closing)
  }

  /** Does what nobody asks for: closes days that are over, keeps what the others come to, and removes what is too old. */
  #keepUp(): void {
    this.#today = toUtcDay(this.#options.now())
    this.#upkeep = this.#upkeep
      .then(async () => {
        for (const [day, opened] of this.#open) {
          if (day === this.#today) await this.#checkpoint(await opened.day)
          else this.#retire(day)
        }
        if (this.#cleaned === this.#today) return
        if (this.#doubt.isSuspect(this.#today, this.#days)) return
        this.#cleaned = this.#today
        await this.#options.assertOwned?.()
        const isOpen = (day: string) => this.#open.has(day) || this.#closing.has(day)
        await removeExpiredDays(this.#folder, this.#days, isOpen, this.#options)
      })
      .catch((error) => this.#options.onNotice(`${this.#folder} could not be kept in order: ${String(error)}`))
  }

  /** Keeps what a day comes to, where counting it again would take a while. */
  async #checkpoint(open: DayWriter): Promise<void> {
    if (open.uncheckpointedBytes >= CHECKPOINT_BYTES) await open.checkpoint()
  }

  #tellCoarse(day: string, { summary }: DayState): void {
    if (!summary.isCoarse || this.#coarse.has(day)) return
    this.#coarse.add(day)
    const path = summaryFilePath(this.#folder, day)
    this.#options.onNotice(
      `${path}: there is too much to tell apart; what came last counts without variable and platform`
    )
  }

  #tellUnwritten(day: string, error: unknown): void {
    const path = summaryFilePath(this.#folder, day)
    this.#options.onNotice(`${path} could not be written, and is made anew when it is needed: ${String(error)}`)
  }
}

/** A day that is open. */
interface OpenDayHandle {
  readonly day: Promise<DayWriter>
  /** How many are at work with it. */
  users: number
}

const MAINTENANCE_MS = MINUTE

/** So much is counted again in less than a second. */
const CHECKPOINT_BYTES = 16 * 2 ** 20
