import { isRecord } from '@burgee/kit'
import { HOUR } from '../../lib/time.ts'
import type { UserTableStore } from '../../storage/events/tables/userTableStore.ts'
import { toUtcDay } from '../../storage/events/utcDay.ts'
import { tableNameOf } from './runningTable.ts'
import type { TimeSeriesQuery } from './timeSeries.ts'

/** An interim analysis of a running experiment: the always-valid p-value at a time. */
export interface InterimAnalysis {
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
  /**
   * Interim analyses by id of the control and id of the treatment, each with a smaller p-value than all before it. The
   * name is stored.
   */
  readonly looks: Readonly<Record<string, Readonly<Record<string, readonly InterimAnalysis[]>>>>
}

/** Reads the metadata of a query; undefined if there is none. */
export async function readMetadata(tables: UserTableStore, name: string): Promise<ResultMetadata | undefined> {
  return toMetadata(await tables.readMetadata(name))
}

function toMetadata(metadata: unknown): ResultMetadata | undefined {
  // `recordInterimAnalyses` wrote it, in this version.
  return isRecord(metadata) && metadata.version === VERSION ? (metadata as unknown as ResultMetadata) : undefined
}

/** The version of the metadata, and of the methods that their p-values come from. */
const VERSION = 1

/** The interim analyses of the comparisons with a control in one request. */
export interface NewInterimAnalyses {
  readonly control: string
  /** By id of the treatment. */
  readonly interimAnalyses: ReadonlyMap<string, InterimAnalysis>
}

/**
 * Adds the interim analyses of a request to the metadata of its query, which keeps the smallest p-value of all
 * requests.
 */
export function recordInterimAnalyses(
  tables: UserTableStore,
  { throwIfAborted: _, ...query }: TimeSeriesQuery,
  { control, interimAnalyses }: NewInterimAnalyses,
  now: number
): Promise<void> {
  return tables.updateMetadata(tableNameOf(query), (stored): ResultMetadata | undefined => {
    const before = toMetadata(stored)
    const ofControl = { ...before?.looks[control] }
    for (const [treatment, analysis] of interimAnalyses)
      ofControl[treatment] = addInterimAnalysis(ofControl[treatment] ?? [], analysis)
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

/** Returns the interim analysis with the smallest p-value of those up to the given time. */
export function bestInterimAnalysis(
  interimAnalyses: readonly InterimAnalysis[],
  until: number
): InterimAnalysis | undefined {
  return interimAnalyses.filter(({ at }) => at <= until).reduce<InterimAnalysis | undefined>(smaller, undefined)
}

/** Returns the interim analysis with the smaller p-value; the first one of equal ones. */
export function smaller(one: InterimAnalysis | undefined, other: InterimAnalysis): InterimAnalysis {
  return one && one.pValue <= other.pValue ? one : other
}

/**
 * Adds an interim analysis, and removes redundant ones. Earlier interim analyses with larger p-values stay: a range can
 * end before the others.
 */
function addInterimAnalysis(
  interimAnalyses: readonly InterimAnalysis[],
  analysis: InterimAnalysis
): readonly InterimAnalysis[] {
  const all = [...interimAnalyses, analysis].sort((a, b) => a.at - b.at)
  const isMinimum = (one: InterimAnalysis, index: number) =>
    all.slice(0, index).every(({ pValue }) => pValue > one.pValue)
  const minima = all.filter(isMinimum)
  // One a day: within a day, only the smallest one matters much.
  return minima.filter(({ at }, index) => {
    const next = minima[index + 1]
    return next === undefined || toUtcDay(next.at) !== toUtcDay(at)
  })
}
