import type { Options } from '../cli/settings.ts'
import { type EventRecorder, openEventRecorder } from '../insights/evaluations/eventRecorder.ts'
import { createInspectProject, type InspectProject } from '../insights/staleness/inspectProject.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import type { EventStore } from '../storage/events/eventStore.ts'
import { openEventStore } from '../storage/open/openEventStore.ts'
import { parseStoreDirectory } from '../storage/open/openStore.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'

interface Dependencies {
  readonly options: Options
  readonly now: () => number
  readonly log: Logger
  readonly metrics: Pick<ServerMetrics, 'appends' | 'evaluations' | 'droppedEvaluations'>
  /** Closes what is opened here. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** What keeps what happened, what counts it, and what finds out from it which features are stale. */
export interface EventServices {
  readonly eventStore: EventStore
  readonly recorder: EventRecorder
  readonly inspect: InspectProject
}

/** Puts together what has to do with events. The recorder ends before the event store, which takes what it still has. */
export async function openEvents({ options, now, log, metrics, disposer }: Dependencies): Promise<EventServices> {
  const eventStore = await openEventStore(parseStoreDirectory(options.store), {
    now,
    retention: options.eventsRetentionDays,
    onNotice: (message) => log.warn(message),
    onInfo: (message) => log.info(message),
    onAppend: ({ entry, outcome, seconds }) => {
      metrics.appends.observe({ outcome }, seconds)
      if (outcome === 'kept') metrics.evaluations.add(entry)
    }
  })
  disposer.defer(() => eventStore.close())
  const recorder = openEventRecorder(eventStore, {
    now,
    warn: (message) => log.warn(message),
    onDropped: (count) => metrics.droppedEvaluations.inc(count)
  })
  disposer.defer(recorder.close)
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'it is not known what was evaluated, so nothing is called unused')
  return { eventStore, recorder, inspect: createInspectProject({ eventStore, now, onError }) }
}
