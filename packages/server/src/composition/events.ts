import type { Options } from '../cli/options.ts'
import type { EnvironmentUses } from '../flags/environments/environmentUse.ts'
import { type EventRecorder, openEventRecorder } from '../insights/evaluations/eventRecorder.ts'
import { openResultMaintenance } from '../insights/results/resultMaintenance.ts'
import { createTimeSeriesCache, type TimeSeriesCache } from '../insights/results/timeSeriesCache.ts'
import { createInspectProject, type InspectProject } from '../insights/staleness/inspectProject.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import type { EventStore } from '../storage/events/eventStore.ts'
import { openEventStore } from '../storage/open/openEventStore.ts'
import type { StoreLocation } from '../storage/open/openStore.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import type { WorkerPool } from './workers/workerPool.ts'

interface Dependencies {
  readonly store: Store
  /** Where the store has its data. */
  readonly location: StoreLocation
  readonly options: Options
  readonly now: () => number
  readonly ids: Pick<IdGenerator, 'id'>
  readonly log: Logger
  /** Throws if another process has taken over the store, which also contains the events. */
  readonly assertOwned: () => Promise<void>
  /** Whether a suspended process may have the files of the events open. */
  readonly mayHaveFormerOwner?: boolean | undefined
  readonly metrics: Pick<ServerMetrics, 'appends' | 'evaluations' | 'droppedEvaluations'>
  readonly environmentUses: Pick<EnvironmentUses, 'recordEntry'>
  /** The processes that count evaluations, too, if there are any. */
  readonly workers: Pick<WorkerPool, 'flush'> | undefined
  /** How often time-based jobs check the clock, in milliseconds. */
  readonly clockMs: number | undefined
  /** Closes the opened services. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** The storage, recording and analysis of events. */
export interface EventServices {
  readonly eventStore: EventStore
  readonly recorder: EventRecorder
  readonly inspect: InspectProject
  /** Computes the time series of metric results. */
  readonly readTimeSeries: TimeSeriesCache
}

/** Opens the event store and its recorder. The recorder closes first, and flushes its buffer. */
export async function openEvents({
  store,
  location,
  options,
  now,
  ids,
  log,
  assertOwned,
  mayHaveFormerOwner,
  metrics,
  environmentUses,
  workers,
  clockMs,
  disposer
}: Dependencies): Promise<EventServices> {
  const eventStore = await openEventStore(location, {
    now,
    retention: options.eventsRetentionDays,
    assertOwned,
    mayHaveFormerOwner: mayHaveFormerOwner === true,
    onNotice: (message, level = 'warn') => log[level](message),
    onInfo: (message) => log.info(message),
    onAppend: ({ entry, outcome, seconds }) => {
      metrics.appends.observe({ outcome }, seconds)
      if (outcome !== 'kept') return
      metrics.evaluations.add(entry)
      environmentUses.recordEntry(entry)
    }
  })
  disposer.defer(() => eventStore.close())
  const own = openEventRecorder(eventStore, {
    now,
    id: ids.id,
    warn: (message) => log.warn(message),
    onDropped: (count) => metrics.droppedEvaluations.inc(count)
  })
  disposer.defer(own.close)
  const flush: EventRecorder['flush'] = async (flushOptions) => {
    await workers?.flush(flushOptions)
    await own.flush(flushOptions)
  }
  const recorder = workers ? { ...own, flush } : own
  const readTimeSeries = createTimeSeriesCache(eventStore, now)
  const maintenance = openResultMaintenance({
    userTables: eventStore.userTables,
    readTimeSeries,
    findVariations: async (feature) => {
      const found = await store.collection('features').get({ _id: feature })
      return found?.variations.map(({ _id }) => _id)
    },
    now,
    checkMs: clockMs,
    onNotice: (message) => log.warn(message),
    onError: (error) => log.warn({ err: error }, 'results of experiments could not be continued; it will be retried')
  })
  disposer.defer(maintenance.close)
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'counts of evaluations could not be read; no feature is reported as unused')
  return { eventStore, recorder, inspect: createInspectProject({ eventStore, now, onError }), readTimeSeries }
}
