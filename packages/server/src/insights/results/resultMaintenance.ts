import { every } from '@burgee/kit'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import type { UserTableStore } from '../../storage/events/tables/userTableStore.ts'
import { SUMMARY_RETENTION_DAYS } from '../../storage/events/utcDay.ts'
import { type ResultMetadata, readMetadata } from './interimAnalyses.ts'
import type { TimeSeriesQuery } from './timeSeries.ts'
import type { TimeSeriesCache } from './timeSeriesCache.ts'

/** Each attempt reads all tables again, so a permanent failure must not be retried often. */
const RETRY_MS = 10 * MINUTE

interface Dependencies {
  readonly userTables: UserTableStore
  readonly readTimeSeries: TimeSeriesCache
  /** Returns the ids of the present variations of a feature; undefined if it was deleted. */
  readonly findVariations: (feature: string) => Promise<readonly string[] | undefined>
  readonly now: () => number
  readonly onNotice: (message: string) => void
  readonly onError: (error: unknown) => void
  /** How often to check whether a day is over, in milliseconds; a minute if omitted. */
  readonly checkMs?: number | undefined
}

/** A running maintenance of results. */
export interface ResultMaintenance {
  /** Stops the maintenance. Resolves when the run in progress has ended. */
  readonly close: () => Promise<void>
}

/**
 * Continues the running tables of requested results each day, so that they include events that expire later, and
 * removes those that are not needed any more (ADR 69).
 */
export function openResultMaintenance({
  userTables,
  readTimeSeries,
  findVariations,
  now,
  onNotice,
  onError,
  checkMs = MINUTE
}: Dependencies): ResultMaintenance {
  /** The end of the last day that was added to all tables. */
  let continued = 0
  let isClosed = false

  const removeUnneeded = async (): Promise<readonly ResultMetadata[]> => {
    const kept: { readonly name: string; readonly metadata: ResultMetadata }[] = []
    for (const name of await userTables.list()) {
      const metadata = await readMetadata(userTables, name)
      if (metadata && isNeeded(metadata, now()) && (await findVariations(metadata.query.feature)))
        kept.push({ name, metadata })
      else await userTables.remove(name)
    }
    kept.sort((a, b) => b.metadata.requested.last - a.metadata.requested.last)
    for (const { name, metadata } of kept.slice(MAX_TABLES)) {
      await userTables.remove(name)
      const { feature, event } = metadata.query
      onNotice(
        `the results of feature ${feature} for the event "${event}" are no longer continued: ${MAX_TABLES} others were requested later`
      )
    }
    return kept.slice(0, MAX_TABLES).map(({ metadata }) => metadata)
  }

  /** Computes the result of a query up to the end of a day, which stores its table. */
  const continueTable = async (query: TimeSeriesQuery, end: number): Promise<void> => {
    // Exposures to a variation that was added since would count as those to a removed one.
    const variations = await findVariations(query.feature)
    if (!variations) return
    const range = { start: query.range.start, end }
    const requester = { id: 'maintenance', isGone: () => isClosed }
    const { unsaved } = (await readTimeSeries({ ...query, range, variations }, requester)).timeSeries
    if (unsaved !== undefined) throw new Error(`the table of an experiment could not be written: ${unsaved}`)
  }

  const run = async (): Promise<void> => {
    // Events of a day can arrive until an hour after it.
    const end = Math.floor((now() - HOUR) / DAY) * DAY
    if (end === continued) return
    // A table that fails does not keep the others from being continued.
    const errors: unknown[] = []
    for (const { query } of await removeUnneeded()) {
      if (isClosed) return
      if (query.range.start < end) await continueTable(query, end).catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
    continued = end
  }

  const job = every(checkMs, run, { onError, retryMs: RETRY_MS })
  return {
    close: () => {
      isClosed = true
      return job.stop()
    }
  }
}

/**
 * Whether a result may be requested again. A range that was requested on one day only is a moving one, such as the last
 * week.
 */
function isNeeded({ query, requested: { first, last } }: ResultMetadata, now: number): boolean {
  if (query.range.start < now - SUMMARY_RETENTION_DAYS * DAY) return false
  return Math.floor(first / DAY) !== Math.floor(last / DAY) || last > now - MAX_UNUSED
}

const MAX_UNUSED = 30 * DAY

/** The maximum number of results that are continued. */
const MAX_TABLES = 1000
