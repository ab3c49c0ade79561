import { isRecord } from '@burgee/kit'
import { HOUR } from '../../lib/time.ts'
import type { UserTableStore } from '../../storage/events/tables/userTableStore.ts'
import { toUtcDay } from '../../storage/events/utcDay.ts'
import { tableNameOf } from './runningTable.ts'
import type { TimeSeriesQuery } from './timeSeries.ts'

/** A look at a running experiment: the always-valid p-value at that time. */
export interface Look {
  /** The end of the range of included events, in epoch milliseconds. */
  readonly at: number
  readonly pValue: number
  /** The treatment's rate minus the control's. */
  readonly difference: number
}

/** The metadata of the table of a query: when its result was requested, and the smallest p-values so far. */
export interface ResultMetadata {
  readonly version: number
  readonly query: TimeSeriesQuery
  /** The first and the last time of a request, in epoch milliseconds. */
  readonly requested: { readonly first: number; readonly last: number }
  /** Id of the control → id of the treatment → looks, each with a smaller p-value than all before it. */
  readonly looks: Readonly<Record<string, Readonly<Record<string, readonly Look[]>>>>
}

/** Reads the metadata of a query; undefined if there is none. */
export async function readMetadata(tables: UserTableStore, name: string): Promise<ResultMetadata | undefined> {
  return toMetadata(await tables.readMetadata(name))
}

function toMetadata(metadata: unknown): ResultMetadata | undefined {
  // `recordLooks` wrote it, in this version.
  return isRecord(metadata) && metadata.version === VERSION ? (metadata as unknown as ResultMetadata) : undefined
}

/** The version of the metadata, and of the methods that their p-values come from. */
const VERSION = 1

/** The looks of a request at the comparisons with a control. */
export interface NewLooks {
  readonly control: string
  /** By id of the treatment. */
  readonly looks: ReadonlyMap<string, Look>
}

/** Adds the looks of a request to the metadata of its query, which keeps the smallest p-value of all requests. */
export function recordLooks(
  tables: UserTableStore,
  { throwIfAborted: _, ...query }: TimeSeriesQuery,
  { control, looks }: NewLooks,
  now: number
): Promise<void> {
  return tables.updateMetadata(tableNameOf(query), (stored): ResultMetadata | undefined => {
    const before = toMetadata(stored)
    const ofControl = { ...before?.looks[control] }
    for (const [treatment, look] of looks) ofControl[treatment] = withLook(ofControl[treatment] ?? [], look)
    const isNew = JSON.stringify(ofControl) !== JSON.stringify(before?.looks[control] ?? {})
    if (before && !isNew && now - before.requested.last < REQUEST_TIME_PRECISION) return undefined
    return {
      version: VERSION,
      query,
      requested: { first: before?.requested.first ?? now, last: now },
      looks: { ...before?.looks, [control]: ofControl }
    }
  })
}

/** The precision with which the time of the last request is stored. */
const REQUEST_TIME_PRECISION = HOUR

/** Returns the look with the smallest p-value of those up to the given time. */
export function bestLook(looks: readonly Look[], until: number): Look | undefined {
  return looks.filter(({ at }) => at <= until).reduce<Look | undefined>(smaller, undefined)
}

/** Returns the look with the smaller p-value; the first one of equal ones. */
export function smaller(one: Look | undefined, other: Look): Look {
  return one && one.pValue <= other.pValue ? one : other
}

/**
 * Adds a look, and removes redundant ones. Earlier looks with larger p-values stay: a range can end before the others.
 */
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
