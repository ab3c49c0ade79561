import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type PeriodicJob, type Serializer, serialize } from '@burgee/kit'
import { hasCode } from '@burgee/kit/files'
import { ClockJumpDetector } from '../../lib/clockJumpDetector.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { decodeLine, readLineBytes } from '../disk/readLines.ts'
import { parseDayFileName } from '../events/files/dayFileNames.ts'
import { toUtcDay } from '../events/utcDay.ts'
import type { Page } from '../store.ts'
import {
  ACCESS_LOG_ENTRIES,
  type AccessLog,
  type AccessLogFilter,
  type AccessLogOptions,
  type AccessLogQuery,
  meetsFilter,
  type StoredAccessEntry
} from './accessLog.ts'
import { OpenLogs } from './openLogs.ts'

/**
 * An access log in a folder: a file for each UTC day (`2026-11-21.jsonl`), a line for each entry, in the order of
 * arrival. Appends share an fsync and resolve after it. Queries read the files and keep one page in memory.
 */
export class FileAccessLog implements AccessLog {
  readonly #folder: string
  readonly #options: AccessLogOptions
  readonly #logs: OpenLogs
  readonly #clockJumps: ClockJumpDetector
  readonly #maintenance: PeriodicJob
  /** Queries read whole files, so they run one after another. */
  readonly #inTurn: Serializer = serialize()

  private constructor(folder: string, options: AccessLogOptions) {
    this.#folder = folder
    this.#options = options
    this.#logs = new OpenLogs({ ...options, folder })
    this.#clockJumps = new ClockJumpDetector({ what: ACCESS_LOG_ENTRIES, onInfo: options.onInfo })
    this.#maintenance = every(HOUR, () => this.#removeExpired(), {
      immediately: true,
      onError: (error) => options.onNotice(`the maintenance of ${folder} failed: ${String(error)}`)
    })
  }

  static async open(folder: string, options: AccessLogOptions): Promise<FileAccessLog> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await readdir(folder)
    return new FileAccessLog(folder, options)
  }

  async append(entries: readonly StoredAccessEntry[]): Promise<void> {
    if (entries.length === 0) return
    await this.#logs.append(
      toUtcDay(this.#options.now()),
      entries.map((entry) => JSON.stringify(entry))
    )
  }

  list(query: AccessLogQuery): Promise<Page<StoredAccessEntry>> {
    return this.#inTurn(() => this.#list(query))
  }

  async *iterate(filter: AccessLogFilter): AsyncGenerator<StoredAccessEntry, void> {
    for (const day of await this.#days(filter)) yield* this.#read(day, filter)
  }

  async close(): Promise<void> {
    await this.#maintenance.stop()
    await this.#logs.close()
  }

  /** Counts the matches of each day first, then reads the days of the page. */
  async #list({ sortOrder, page, perPage, ...filter }: AccessLogQuery): Promise<Page<StoredAccessEntry>> {
    const days: { readonly day: string; readonly matches: number }[] = []
    for (const day of await this.#days(filter)) {
      let matches = 0
      for await (const _ of this.#read(day, filter)) matches++
      days.push({ day, matches })
    }
    const count = days.reduce((sum, { matches }) => sum + matches, 0)
    const start = (page - 1) * perPage
    const isDescending = sortOrder === 'desc'
    const first = isDescending ? Math.max(count - start - perPage, 0) : start
    const end = isDescending ? count - start : start + perPage
    const items: StoredAccessEntry[] = []
    let offset = 0
    for (const { day, matches } of days) {
      if (offset < end && offset + matches > first) {
        let index = offset
        for await (const entry of this.#read(day, filter)) {
          // Entries that were added since the count are not part of it.
          if (index >= Math.min(end, offset + matches)) break
          if (index >= first) items.push(entry)
          index++
        }
      }
      offset += matches
    }
    return { items: isDescending ? items.reverse() : items, count }
  }

  /** Returns the days whose files can have matching entries, the oldest first. */
  async #days({ from, to }: AccessLogFilter): Promise<readonly string[]> {
    const days = (await readdir(this.#folder)).flatMap((name) => parseDayFileName(name)?.day ?? [])
    // An entry is written shortly after its date, possibly on the next day.
    const last = to === undefined ? undefined : toUtcDay(Date.parse(to) + DAY)
    return days.filter((day) => day >= (from ?? '').slice(0, 10) && (last === undefined || day <= last)).sort()
  }

  /** Reads the matching entries of a day; skips damaged lines, and a last line whose append is in progress. */
  async *#read(day: string, filter: AccessLogFilter): AsyncGenerator<StoredAccessEntry, void> {
    try {
      for await (const line of readLineBytes(this.#pathOf(day))) {
        const entry = parseAccessLine(line)
        if (entry && meetsFilter(entry, filter)) yield entry
      }
    } catch (error) {
      // The file expired meanwhile.
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }

  async #removeExpired(): Promise<void> {
    const { now, retention, assertOwned, onInfo } = this.#options
    const days = await this.#days({ matches: () => true })
    const today = toUtcDay(now())
    if (this.#clockJumps.isSuspect(today, days)) return
    const oldest = toUtcDay(now() - retention * DAY)
    for (const day of days) {
      if (day >= oldest) continue
      await assertOwned()
      await rm(this.#pathOf(day), { force: true })
      onInfo(`${this.#pathOf(day)} was deleted: the access log is kept for ${retention} days`)
    }
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}.jsonl`)
  }
}

/** Parses a line of a file of the access log; returns `undefined` for a damaged one. */
export function parseAccessLine(line: Uint8Array): StoredAccessEntry | undefined {
  try {
    const entry: unknown = JSON.parse(decodeLine(line))
    // Only this class writes the lines.
    return typeof entry === 'object' && entry !== null && 'date' in entry ? (entry as StoredAccessEntry) : undefined
  } catch {
    return undefined
  }
}
