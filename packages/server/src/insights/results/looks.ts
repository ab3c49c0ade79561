import { isRecord } from '@burgee/kit'
import { HOUR } from '../../lib/time.ts'
import type { UserTableStore } from '../../storage/events/tables/userTableStore.ts'
import { toUtcDay } from '../../storage/events/utcDay.ts'
import { tableNameOf } from './runningTable.ts'
import type { TimeSeriesQuery } from './timeSeries.ts'

/** An always-valid p-value that was computed at some time. */
export interface Look {
  /** Up to when events were included, in epoch milliseconds. */
  readonly at: number
  readonly pValue: number
  /** The treatment's rate minus the control's. */
  readonly difference: number
}

/** What is known of a query beside its table: who needs it, and the smallest p-values so far. */
export interface ResultNote {
  readonly version: number
  readonly query: TimeSeriesQuery
  /** The first and the last time of a request, in epoch milliseconds. */
  readonly requested: { readonly first: number; readonly last: number }
  /** Id of the control → id of the treatment → looks, each with a smaller p-value than all before it. */
  readonly looks: Readonly<Record<string, Readonly<Record<string, readonly Look[]>>>>
}

/** Reads the note of a query; undefined if there is none. */
export async function readNote(tables: UserTableStore, name: string): Promise<ResultNote | undefined> {
  return toNote(await tables.readNote(name))
}

function toNote(note: unknown): ResultNote | undefined {
  // `recordLooks` wrote it, in this version.
  return isRecord(note) && note.version === VERSION ? (note as unknown as ResultNote) : undefined
}

/** The version of the notes, and of the methods that their p-values come from. */
const VERSION = 1

/** The looks of a request at the comparisons with a control. */
export interface NewLooks {
  readonly control: string
  /** By id of the treatment. */
  readonly looks: ReadonlyMap<string, Look>
}

/** Adds the looks of a request to the note of its query: so the smallest p-value stays known, whenever it was computed. */
export function recordLooks(
  tables: UserTableStore,
  { throwIfAborted: _, ...query }: TimeSeriesQuery,
  { control, looks }: NewLooks,
  now: number
): Promise<void> {
  return tables.updateNote(tableNameOf(query), (stored): ResultNote | undefined => {
    const before = toNote(stored)
    const ofControl = { ...before?.looks[control] }
    for (const [treatment, look] of looks) ofControl[treatment] = withLook(ofControl[treatment] ?? [], look)
    const isNew = JSON.stringify(ofControl) !== JSON.stringify(before?.looks[control] ?? {})
    if (before && !isNew && now - before.requested.last < NOTE_INTERVAL) return undefined
    return {
      version: VERSION,
      query,
      requested: { first: before?.requested.first ?? now, last: now },
      looks: { ...before?.looks, [control]: ofControl }
    }
  })
}

/** How exactly the time of the last request is noted. */
const NOTE_INTERVAL = HOUR

/** Returns the look with the smallest p-value of those up to a moment. */
export function bestLook(looks: readonly Look[], until: number): Look | undefined {
  return looks.filter(({ at }) => at <= until).reduce<Look | undefined>(smaller, undefined)
}

/** Returns the look with the smaller p-value; the first one of equal ones. */
export function smaller(one: Look | undefined, other: Look): Look {
  return one && one.pValue <= other.pValue ? one : other
}

/** Adds a look, and removes those that it makes superfluous: a range ends at any time, so earlier larger ones stay. */
function withLook(looks: readonly Look[], look: Look): readonly Look[] {
  const all = [...looks, look].sort((a, b) => a.at - b.at)
  const isMinimum = (one: Look, index: number) => all.slice(0, index).every(({ pValue }) => pValue > one.pValue)
  const minima = all.filter(isMinimum)
  // One a day: within a day, only the smallest one matters much.
  return minima.filter(({ at }, index) => {
    const next = minima[index + 1]
    return next === undefined || toUtcDay(next.at) !== toUtcDay(at)
  })
}
