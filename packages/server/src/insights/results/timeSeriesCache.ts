import { rateLimited } from '../../lib/errors.ts'
import { createFairQueue } from '../../lib/limits/fairQueue.ts'
import { DAY, SECOND } from '../../lib/time.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import { computeTimeSeries, type ResultSource } from './computeTimeSeries.ts'
import type { TimeSeries, TimeSeriesQuery } from './timeSeries.ts'

/**
 * Returns a time series from the cache, or computes it.
 * @throws {HttpError} 429 when too many computations are queued.
 */
export type TimeSeriesCache = (query: TimeSeriesQuery, requester: Requester) => Promise<CachedTimeSeries>

/** A request that waits for a time series. */
export interface Requester {
  /** The same for all requests of one caller. */
  readonly id: string
  /** Whether the client has disconnected. */
  readonly isGone: () => boolean
}

/** A computed time series. */
export interface CachedTimeSeries {
  readonly timeSeries: TimeSeries
  /** When the computation began, in epoch milliseconds; it includes all events stored by then. */
  readonly at: number
  /** Whether the computation began before this request. */
  readonly cached: boolean
}

interface CacheEntry {
  readonly at: number
  readonly revision: number
  readonly timeSeries: Promise<TimeSeries>
  /** The duration of the computation without its time in the queue; infinite until it has finished. */
  durationMs: number
  /** Adds a request that waits for the computation. */
  readonly join: (requester: Requester) => void
  /** Whether any request still waits. */
  readonly isWanted: () => boolean
}

/**
 * Creates a cache of time series, whose computation reads every event of the range. An entry is valid for ten times as
 * long as its computation took. After that it is valid until an event is added or the UTC day ends, because a running
 * experiment gains a day then. Requests for the same query share one computation, which is aborted when all of their
 * clients have disconnected.
 */
export function createTimeSeriesCache(
  eventStore: ResultSource & Pick<EventStore, 'revision'>,
  now: () => number
): TimeSeriesCache {
  const entries = new Map<string, CacheEntry>()
  const enqueue = createFairQueue(QUEUE)

  const isValid = ({ at, durationMs, revision, isWanted }: CacheEntry, query: TimeSeriesQuery): boolean => {
    if (durationMs === Number.POSITIVE_INFINITY) return isWanted()
    const age = now() - at
    // The age is negative after the clock was set back.
    if (age >= 0 && age < VALIDITY_FACTOR * durationMs) return true
    return dayOf(now()) === dayOf(at) && revision === eventStore.revision(query.environments)
  }

  const compute = (key: string, query: TimeSeriesQuery, requester: Requester): CacheEntry => {
    let requesters = [requester]
    const isWanted = (): boolean => requesters.some(({ isGone }) => !isGone())
    const throwIfAborted = (): void => {
      if (!isWanted()) throw rateLimited('the client disconnected', QUEUE.retryAfterMs)
    }
    let startedAt = now()
    const work = () => {
      startedAt = now()
      return computeTimeSeries(eventStore, { ...query, throwIfAborted }, startedAt)
    }
    const entry: CacheEntry = {
      at: startedAt,
      revision: eventStore.revision(query.environments),
      durationMs: Number.POSITIVE_INFINITY,
      timeSeries: enqueue({ caller: requester.id, isWanted, work }),
      join: (another) => {
        requesters = [...requesters.filter(({ isGone }) => !isGone()), another]
      },
      isWanted
    }
    entry.timeSeries.then(
      () => {
        entry.durationMs = now() - startedAt
        requesters = []
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      }
    )
    return entry
  }

  return async (query, requester) => {
    const key = JSON.stringify(query)
    const existing = entries.get(key)
    const isCached = existing !== undefined && isValid(existing, query)
    const entry = isCached ? existing : compute(key, query, requester)
    if (isCached && entry.durationMs === Number.POSITIVE_INFINITY) entry.join(requester)
    // Re-inserting keeps the map in order of use, so that the least recently used entry comes first.
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    return { timeSeries: await entry.timeSeries, at: entry.at, cached: isCached }
  }
}

function dayOf(moment: number): number {
  return Math.floor(moment / DAY)
}

/** The validity of an entry, in multiples of its computing time. Limits the share of time spent on one query. */
const VALIDITY_FACTOR = 10

/** Each entry takes up to some hundred kilobytes. */
const MAX_ENTRIES = 100

/**
 * Computations need memory for each user, and share one core. A retry waits about as long as it takes to read a few
 * million events.
 */
const QUEUE = {
  subject: 'requests for metric results',
  maxRunning: 2,
  maxQueuedPerCaller: 2,
  maxQueued: 50,
  retryAfterMs: 10 * SECOND
}
