import type { EventStore } from './eventStore/eventStore.ts'
import { openEventStore } from './eventStore/openEventStore.ts'
import { openRecorder, type Recorder } from './events/recorder.ts'
import type { Logger } from './log.ts'
import type { ServerMetrics } from './metrics/metrics.ts'
import type { Opened } from './opened.ts'
import type { Options } from './options.ts'
import { createInspect, type Inspect } from './staleness/inspect.ts'
import { directoryOf } from './store/openStore.ts'

interface Dependencies {
  readonly options: Options
  readonly now: () => number
  readonly log: Logger
  readonly metrics: Pick<ServerMetrics, 'appends' | 'evaluations' | 'droppedEvaluations'>
  /** Closes what is opened here. */
  readonly opened: Pick<Opened, 'add'>
}

/** What keeps what happened, what counts it, and what finds out from it which features are stale. */
export interface Events {
  readonly eventStore: EventStore
  readonly recorder: Recorder
  readonly inspect: Inspect
}

/** Puts together what has to do with events. The recorder ends before the event store, which takes what it still has. */
export async function openEvents({ options, now, log, metrics, opened }: Dependencies): Promise<Events> {
  const eventStore = await openEventStore(directoryOf(options.store), {
    now,
    retention: options.eventsRetentionDays,
    onNotice: (message) => log.warn(message),
    onInfo: (message) => log.info(message),
    onAppend: ({ entry, outcome, seconds }) => {
      metrics.appends.observe({ outcome }, seconds)
      if (outcome === 'kept') metrics.evaluations.add(entry)
    }
  })
  opened.add(() => eventStore.close())
  const recorder = openRecorder(eventStore, {
    now,
    warn: (message) => log.warn(message),
    onDropped: (count) => metrics.droppedEvaluations.inc(count)
  })
  opened.add(recorder.close)
  const onTrouble = (error: unknown) =>
    log.warn({ err: error }, 'it is not known what was evaluated, so nothing is called unused')
  return { eventStore, recorder, inspect: createInspect({ eventStore, now, onTrouble }) }
}
