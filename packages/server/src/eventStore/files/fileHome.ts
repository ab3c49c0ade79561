import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLineBytes } from '../../disk/readLines.ts'
import { HOUR, MINUTE } from '../../duration.ts'
import type { DayState, DaySummary } from '../daySummary.ts'
import type { EventEntry } from '../entry.ts'
import { EventsUnavailableError, type OccurrencesQuery, type Range } from '../eventStore.ts'
import type { EventStoreOptions, Home } from '../home.ts'
import type { PayloadIds } from '../payloadIds.ts'
import { dayOf, daysWithin } from '../utcDay.ts'
import { ClockDoubt } from './clockDoubt.ts'
import { dayFile, dayOfFile, summaryFile } from './dayFile.ts'
import { linesAbout, payloadIdIn, readLine } from './dayLine.ts'
import { offsetSince, readDay } from './dayState.ts'
import { OpenDay } from './openDay.ts'
import { RecentDays } from './recentDays.ts'
import { removeOld } from './removeOld.ts'
import { demandKnownVersion, writeSummary } from './summaryFile.ts'

/**
 * A home in a folder. Of each UTC day it has
 * - `2026-11-21.jsonl`: a line for each entry that arrived. Appends share an fsync, and resolve after it. A last line without its
 *   end is cut away; a damaged one in between is told and left out, and never keeps a server from starting;
 * - `2026-11-21.summary.json`: what the entries come to, and how many bytes of the first file that covers. It is written when the
 *   day is over, and in between, so that a start reads only what came after. One that is missing or damaged is made anew.
 * Beside them, `since` says since when there has been an event store.
 */
export class FileHome implements Home {
  readonly since: number
  readonly #folder: string
  readonly #options: EventStoreOptions
  /** The days that there are files of. */
  readonly #days: Set<string>
  readonly #open = new Map<string, Opened>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #recent = new RecentDays()
  readonly #timer: NodeJS.Timeout
  #upkeep: Promise<void> = Promise.resolve()
  /** The day of the last upkeep. */
  #today: string
  /** The day on which what is too old was removed. */
  #cleaned: string | undefined
  readonly #doubt: ClockDoubt
  /** Of which it has been told that there is too much to tell apart. */
  readonly #coarse = new Set<string>()

  private constructor(folder: string, days: Set<string>, since: number, options: EventStoreOptions) {
    this.#folder = folder
    this.#days = days
    this.since = since
    this.#options = options
    this.#doubt = new ClockDoubt(options)
    this.#today = dayOf(options.now())
    this.#timer = setInterval(() => this.#keepUp(), UPKEEP_MS).unref()
  }

  /** Opens the home in a folder that is there. `payloadIds` is told those of the last hour. */
  static async open(
    folder: string,
    since: number,
    payloadIds: PayloadIds,
    options: EventStoreOptions
  ): Promise<FileHome> {
    const files = await readdir(folder)
    for (const name of files) {
      if (dayOfFile(name)?.hasEntries === false) await demandKnownVersion(join(folder, name))
    }
    const days = new Set(files.flatMap((name) => dayOfFile(name)?.day ?? []))
    const home = new FileHome(folder, days, since, options)
    try {
      const lastHour = options.now() - HOUR
      const newest = [...days].sort().at(-1)
      const recent = [...days].filter((day) => day >= dayOf(lastHour) || day === newest).sort()
      for (const day of new Set([...recent, home.#today])) {
        const { state } = await home.#use(day, async (open) => open)
        for await (const line of readLineBytes(dayFile(folder, day), state.covered, offsetSince(state, lastHour))) {
          const identified = payloadIdIn(line)
          if (identified && identified.at > lastHour) payloadIds.note(identified)
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
      if (dayOf(this.#options.now()) !== this.#today) this.#keepUp()
      await this.#use(dayOf(entry.at), (open, opened) => this.#append(entry, open, opened))
    } catch (cause) {
      throw new EventsUnavailableError(`the events could not be written: ${String(cause)}`, { cause })
    }
  }

  async *days(range: Range): AsyncGenerator<DaySummary, void> {
    for (const day of daysWithin(this.#days, range)) yield (await this.#stateOf(day)).summary
  }

  async *entries({ environments, range, feature, event, goOn }: OccurrencesQuery): AsyncGenerator<EventEntry, void> {
    const isAbout = linesAbout(environments, [feature, event])
    for (const day of daysWithin(this.#days, range)) {
      const state = await this.#stateOf(day)
      const start = offsetSince(state, range.start)
      try {
        for await (const line of readLineBytes(dayFile(this.#folder, day), state.covered, start)) {
          goOn?.()
          // One that is damaged was told when it was counted.
          const entry = isAbout(line) ? readLine(line, day) : undefined
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
    const { state, isKept } = await readDay(this.#folder, day, this.#options.onNotice)
    this.#tellCoarse(day, state)
    if (!isKept && !this.#open.has(day)) {
      await writeSummary(summaryFile(this.#folder, day), state).catch((error) => this.#tellUnwritten(day, error))
    }
    return state
  }

  /** Does something with a day that is opened for it if it is not, and stays so until it is done. */
  async #use<T>(day: string, work: (open: OpenDay, opened: Opened) => Promise<T>): Promise<T> {
    const opened = this.#open.get(day) ?? this.#start(day)
    opened.users++
    try {
      return await work(await opened.day, opened)
    } finally {
      opened.users--
    }
  }

  async #append(entry: EventEntry, open: OpenDay, opened: Opened): Promise<void> {
    const day = dayOf(entry.at)
    try {
      await open.append(entry)
    } catch (error) {
      const isGone = await open.isGone().catch(() => false)
      if (isGone && this.#open.get(day) === opened) {
        // The next one gets a file that is there.
        this.#open.delete(day)
        this.#close(day, open.abandon())
      }
      throw error
    }
    this.#tellCoarse(day, open.state)
  }

  #start(day: string): Opened {
    const before = this.#closing.get(day) ?? Promise.resolve()
    const opened = { users: 0, day: before.then(() => OpenDay.open(this.#folder, day, this.#options.onNotice)) }
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
    this.#today = dayOf(this.#options.now())
    this.#upkeep = this.#upkeep
      .then(async () => {
        for (const [day, opened] of this.#open) {
          if (day === this.#today) await this.#checkpoint(await opened.day)
          else this.#retire(day)
        }
        if (this.#cleaned === this.#today) return
        if (this.#doubt.has(this.#today, this.#days)) return
        this.#cleaned = this.#today
        const isOpen = (day: string) => this.#open.has(day) || this.#closing.has(day)
        await removeOld(this.#folder, this.#days, isOpen, this.#options)
      })
      .catch((error) => this.#options.onNotice(`${this.#folder} could not be kept in order: ${String(error)}`))
  }

  /** Keeps what a day comes to, where counting it again would take a while. */
  async #checkpoint(open: OpenDay): Promise<void> {
    if (open.uncovered >= CHECKPOINT_BYTES) await open.checkpoint()
  }

  #tellCoarse(day: string, { summary }: DayState): void {
    if (!summary.isCoarse || this.#coarse.has(day)) return
    this.#coarse.add(day)
    const path = summaryFile(this.#folder, day)
    this.#options.onNotice(
      `${path}: there is too much to tell apart; what came last counts without variable and platform`
    )
  }

  #tellUnwritten(day: string, error: unknown): void {
    const path = summaryFile(this.#folder, day)
    this.#options.onNotice(`${path} could not be written, and is made anew when it is needed: ${String(error)}`)
  }
}

/** A day that is open. */
interface Opened {
  readonly day: Promise<OpenDay>
  /** How many are at work with it. */
  users: number
}

const UPKEEP_MS = MINUTE

/** So much is counted again in less than a second. */
const CHECKPOINT_BYTES = 16 * 2 ** 20
