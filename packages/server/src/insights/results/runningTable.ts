import { hash } from 'node:crypto'
import { yieldToEventLoop } from '../../lib/time.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import { USERS_PER_SLICE, type UserTable } from '../../storage/events/tables/userTable.ts'
import type { AttributionState } from './attribution/attribution.ts'
import { UserRowIndex } from './attribution/userRowIndex.ts'
import { UserVariationTable } from './attribution/userVariationTable.ts'
import type { DaySnapshot, TimeSeriesQuery } from './timeSeries.ts'

/** The table of an experiment at the end of a day: the state of its users, and the statistics of all days so far. */
export interface TableState {
  /** Ids, including variations that were removed since. */
  readonly variations: readonly string[]
  readonly snapshots: readonly DaySnapshot[]
  readonly attribution: AttributionState
}

/** The stored table of a query. */
export interface RunningTable {
  /** The stored state; absent if there is none, or if events have arrived that it lacks. */
  readonly saved: (TableState & { readonly since: number }) | undefined
  /** The time from which a computation without the saved state includes all events, in epoch milliseconds. */
  readonly since: number
  /** Replaces the stored state. Does nothing if it is not newer. */
  readonly save: (state: TableState) => Promise<void>
}

/** Returns the name of the table of a query. All ends of a range share it. */
export function tableNameOf(query: TimeSeriesQuery): string {
  const { environments, feature, event, dimension, countsFrom, filter, range } = query
  const { platform, sdkType, audience } = filter ?? {}
  const parts = [[...environments].sort(), feature, event, dimension, countsFrom, range.start]
  return hash('sha256', JSON.stringify([...parts, platform, sdkType, audience]), 'base64url')
}

/** Opens the table of a query. Must be called before events are read. */
export async function openRunningTable(
  { userTables, completeSince, daySizes }: Pick<EventStore, 'userTables' | 'completeSince' | 'daySizes'>,
  query: TimeSeriesQuery
): Promise<RunningTable> {
  const name = tableNameOf(query)
  const erasures = userTables.erasures()
  const since = Math.max(query.range.start, completeSince())
  const sizes = await daySizes(query.range)
  const table = await userTables.read(name)
  const parsed = table && (await parseTable(table))
  const saved = parsed && isCurrent(parsed, sizes, since) ? parsed : undefined
  return {
    saved,
    since,
    save: async ({ variations, snapshots, attribution }) => {
      if (snapshots.length <= (saved?.snapshots.length ?? 0)) return
      const { rows, firstRows, ...rest } = attribution
      const through = snapshots.at(-1)?.date.slice(0, 10) ?? ''
      const ofDays = Object.fromEntries([...sizes].filter(([day]) => day <= through))
      const head: Head = {
        variations,
        snapshots,
        ...rest,
        size: rows.size,
        since: saved?.since ?? since,
        sizes: { ...saved?.sizes, ...ofDays }
      }
      const users = [...firstRows.entries()]
      const firsts = new Uint8Array(Int32Array.from(users, ([, row]) => row).buffer)
      await userTables.write(
        name,
        { head, users: users.map(([user]) => user), columns: [firsts, ...rows.columns()] },
        erasures
      )
    }
  }
}

/** The part of a table that is not by user. */
interface Head extends Omit<AttributionState, 'rows' | 'firstRows'> {
  readonly variations: readonly string[]
  readonly snapshots: readonly DaySnapshot[]
  readonly since: number
  /** The number of rows. */
  readonly size: number
  /** Day → the size of its events when the table was computed. */
  readonly sizes: Readonly<Record<string, number>>
}

async function parseTable({ head, users, columns: [firsts, ...columns] }: UserTable) {
  // The version and the checksum of the file prove its type.
  const { variations, snapshots, since, sizes, size, ...rest } = head as Head
  const rows = UserVariationTable.restore(size, columns)
  if (!rows || firsts?.length !== users.length * Int32Array.BYTES_PER_ELEMENT) return undefined
  const firstRows = new UserRowIndex()
  const firstOf = new Int32Array(firsts.buffer)
  for (const [index, user] of users.entries()) {
    if (index % USERS_PER_SLICE === USERS_PER_SLICE - 1) await yieldToEventLoop()
    firstRows.set(user, firstOf[index] ?? 0)
  }
  return { variations, snapshots, since, sizes, attribution: { ...rest, rows, firstRows } }
}

/**
 * Whether a table includes all events of its days. If not, because events arrived late, it is computed again; if that
 * is not possible because the first events have expired, the table is still the better result.
 */
function isCurrent(
  { sizes, snapshots, since }: Pick<Head, 'sizes' | 'snapshots' | 'since'>,
  now: ReadonlyMap<string, number>,
  computableSince: number
): boolean {
  if (computableSince > since) return true
  const through = snapshots.at(-1)?.date.slice(0, 10) ?? ''
  return [...now].every(([day, size]) => day > through || sizes[day] === size)
}
