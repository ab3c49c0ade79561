import type { EventStore } from '../../storage/events/eventStore.ts'
import { computeTimeSeries, type InterimResult, type TimeSeriesQuery } from './computeTimeSeries.ts'
import { abandonedError, createFairQueue } from './fairQueue.ts'

/** Measures, and keeps for a while what came of it. @throws {ApiError} 429 when too many wait already. */
export type TimeSeriesCache = (query: TimeSeriesQuery, asker: Requester) => Promise<TimeSeries>

/** Somebody who waits for a measurement. */
export interface Requester {
  /** The same for all that one caller asks. */
  readonly id: string
  /** Whether they have hung up. */
  readonly isGone: () => boolean
}

/** What was measured. */
export interface TimeSeries {
  readonly interimResults: readonly InterimResult[]
  /** When that was begun, in epoch milliseconds: everything that was kept by then is in it. */
  readonly at: number
  /** Whether it had been begun before somebody asked for it. */
  readonly cached: boolean
}

interface CacheEntry {
  readonly at: number
  readonly revision: number
  readonly looks: Promise<readonly InterimResult[]>
  /** How long it took, once it had its turn; endless while it is under way. */
  durationMs: number
  /** Adds somebody to those who wait for it. */
  readonly join: (asker: Requester) => void
  /** Whether any of them still does. */
  readonly isWanted: () => boolean
}

/**
 * Measuring reads everything that happened in the range. So what was measured is used again while nothing more has happened,
 * and for ten times as long as it took; who asks while it is under way shares it; it is done for few at a time, and no longer
 * than anybody waits for it.
 */
export function createTimeSeriesCache(
  eventStore: Pick<EventStore, 'eventRecords' | 'revision'>,
  now: () => number
): TimeSeriesCache {
  const kept = new Map<string, CacheEntry>()
  const inTurn = createFairQueue()

  const isGood = ({ at, durationMs, revision, isWanted }: CacheEntry, query: TimeSeriesQuery): boolean => {
    if (durationMs === Number.POSITIVE_INFINITY) return isWanted()
    const age = now() - at
    // A clock that was set back must not keep it for longer.
    return (age >= 0 && age < 10 * durationMs) || revision === eventStore.revision(query.environments)
  }

  const begin = (name: string, query: TimeSeriesQuery, asker: Requester): CacheEntry => {
    let askers = [asker]
    const isWanted = (): boolean => askers.some(({ isGone }) => !isGone())
    const goOn = (): void => {
      if (!isWanted()) throw abandonedError()
    }
    let workedSince = now()
    const work = () => {
      workedSince = now()
      return computeTimeSeries(eventStore, { ...query, throwIfAborted: goOn })
    }
    const begun: CacheEntry = {
      at: workedSince,
      revision: eventStore.revision(query.environments),
      durationMs: Number.POSITIVE_INFINITY,
      looks: inTurn({ caller: asker.id, isWanted, work }),
      join: (another) => {
        askers = [...askers.filter(({ isGone }) => !isGone()), another]
      },
      isWanted
    }
    begun.looks.then(
      () => {
        begun.durationMs = now() - workedSince
        askers = []
      },
      () => {
        if (kept.get(name) === begun) kept.delete(name)
      }
    )
    return begun
  }

  return async (query, asker) => {
    const name = JSON.stringify(query)
    const known = kept.get(name)
    const isCached = known !== undefined && isGood(known, query)
    const used = isCached ? known : begin(name, query, asker)
    if (isCached && known.durationMs === Number.POSITIVE_INFINITY) known.join(asker)
    // What was asked for longest ago stands first, and goes first.
    kept.delete(name)
    kept.set(name, used)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return { interimResults: await used.looks, at: used.at, cached: isCached }
  }
}

/** How many measurements are kept; each is some kilobytes. */
const KEPT = 100
