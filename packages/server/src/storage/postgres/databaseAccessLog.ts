import { every, type PeriodicJob, type Serializer, serialize } from '@burgee/kit'
import { ClockJumpDetector } from '../../lib/clockJumpDetector.ts'
import { DAY, HOUR, toIsoString } from '../../lib/time.ts'
import {
  ACCESS_LOG_ENTRIES,
  type AccessLog,
  type AccessLogFilter,
  type AccessLogOptions,
  type AccessLogQuery,
  meetsFilter,
  type StoredAccessEntry
} from '../accessLog/accessLog.ts'
import { toUtcDay } from '../events/utcDay.ts'
import type { Page } from '../store.ts'
import type { Database } from './connection/database.ts'
import { readRetentionTime } from './connection/retentionTime.ts'

/** An access log in a database. Queries read entries in batches and keep one page in memory. */
export class DatabaseAccessLog implements AccessLog {
  readonly #database: Database
  readonly #options: AccessLogOptions
  readonly #clockJumps: ClockJumpDetector
  readonly #maintenance: PeriodicJob
  /** Queries read all entries of a range, so they run one after another. */
  readonly #inTurn: Serializer = serialize()

  constructor(database: Database, options: AccessLogOptions) {
    this.#database = database
    this.#options = options
    this.#clockJumps = new ClockJumpDetector({ what: ACCESS_LOG_ENTRIES, onInfo: options.onInfo })
    this.#maintenance = every(HOUR, () => this.#removeExpired(), {
      immediately: true,
      onError: (error) => options.onNotice(`old entries of the access log could not be deleted: ${String(error)}`)
    })
  }

  async append(entries: readonly StoredAccessEntry[]): Promise<void> {
    if (entries.length === 0) return
    await this.#database.write(
      'insert into burgee_access_entries (date, entry) select * from unnest($1::text[], $2::json[])',
      [entries.map(({ date }) => date), entries.map((entry) => JSON.stringify(entry))]
    )
  }

  list(query: AccessLogQuery): Promise<Page<StoredAccessEntry>> {
    return this.#inTurn(() => this.#list(query))
  }

  async *iterate(filter: AccessLogFilter): AsyncGenerator<StoredAccessEntry, void> {
    yield* this.#read(filter, 'asc')
  }

  async close(): Promise<void> {
    await this.#maintenance.stop()
  }

  async #list({ sortOrder, page, perPage, ...filter }: AccessLogQuery): Promise<Page<StoredAccessEntry>> {
    const start = (page - 1) * perPage
    const items: StoredAccessEntry[] = []
    let count = 0
    for await (const entry of this.#read(filter, sortOrder)) {
      if (count >= start && count < start + perPage) items.push(entry)
      count++
    }
    return { items, count }
  }

  /** Reads the matching entries by date. */
  async *#read(filter: AccessLogFilter, order: 'asc' | 'desc'): AsyncGenerator<StoredAccessEntry, void> {
    const after = order === 'asc' ? '>' : '<'
    let last: readonly [date: string, id: number] =
      order === 'asc' ? [filter.from ?? '', 0] : [filter.to ?? MAX_DATE, MAX_ID]
    while (true) {
      const rows = await this.#database.read<{ id: number; entry: StoredAccessEntry }>(
        `select id, entry from burgee_access_entries
        where (date, id) ${after} ($1, $2) and date between $3 and $4 order by date ${order}, id ${order} limit ${BATCH}`,
        [...last, filter.from ?? '', filter.to ?? MAX_DATE]
      )
      for (const { entry } of rows) if (meetsFilter(entry, filter)) yield entry
      const final = rows.at(-1)
      if (!final || rows.length < BATCH) return
      last = [final.entry.date, final.id]
    }
  }

  async #removeExpired(): Promise<void> {
    const { now, retention, onInfo } = this.#options
    const at = await readRetentionTime(this.#database, now)
    const today = toUtcDay(at)
    const [newest] = await this.#database.read<{ date: string | null }>(
      'select max(date) as date from burgee_access_entries where date < $1',
      [toIsoString(`${today}T00:00:00.000Z`)]
    )
    if (this.#clockJumps.isSuspect(today, newest?.date ? [newest.date.slice(0, 10)] : [])) return
    const oldest = toUtcDay(at - retention * DAY)
    const [row] = await this.#database.write<{ count: number }>(
      'with removed as (delete from burgee_access_entries where date < $1 returning 1) select count(*) as count from removed',
      [toIsoString(`${oldest}T00:00:00.000Z`)]
    )
    if (row && row.count > 0) {
      onInfo(`${row.count} entries of the access log were deleted: they are kept for ${retention} days`)
    }
  }
}

/** After all dates in ISO 8601. */
const MAX_DATE = '~'

const MAX_ID = Number.MAX_SAFE_INTEGER

const BATCH = 1_000
