import { every, inFlight } from '@burgee/kit'
import { reasonOf } from '../../lib/reasonOf.ts'
import { SECOND } from '../../lib/time.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import { type Evaluation, EvaluationBuffer } from './evaluationBuffer.ts'
import { createEvaluationWriter, type WriterListener } from './evaluationWriter.ts'

/** Writes evaluations and reported events to the event store, in the order in which they arrive. */
export interface EventRecorder {
  /** Counts an evaluation of a single variable in memory; it is durable within a second. */
  readonly record: (evaluation: Evaluation) => void
  /**
   * Appends events that an application reported, after everything recorded before.
   * @throws {StoreUnavailableError} when they could not be made durable.
   */
  readonly append: (entry: EventEntry) => Promise<void>
  /**
   * Resolves when everything recorded so far has been appended or has failed; failed entries stay in memory and are
   * retried.
   */
  readonly flush: (options?: FlushOptions) => Promise<void>
  readonly close: () => Promise<void>
}

interface FlushOptions {
  /** Includes which users the evaluations since their exposures of this hour are of; false if omitted. */
  readonly withUsers?: boolean
}

/** Counts evaluations in memory, and appends the counts every second and before each reported entry. */
export function openEventRecorder(
  eventStore: Pick<EventStore, 'append'>,
  { now, id, warn, onDropped }: Dependencies
): EventRecorder {
  /** By environment id. */
  const buffers = new Map<string, EvaluationBuffer>()
  const pendingAppends = inFlight()
  const { write, reportDropped } = createEvaluationWriter(eventStore, { warn, onDropped })

  const bufferOf = (environment: string): EvaluationBuffer => {
    const existing = buffers.get(environment)
    if (existing) return existing
    const buffer = new EvaluationBuffer(environment, id)
    buffers.set(environment, buffer)
    return buffer
  }
  /** Every append starts before this returns, so entries appended later come later in the store. */
  const startFlush = (buffer: EvaluationBuffer, withUsers = false): void => {
    for (const entry of buffer.drain(withUsers)) void pendingAppends.track(write(buffer, entry))
  }
  const flush = async ({ withUsers = false }: FlushOptions = {}): Promise<void> => {
    for (const buffer of buffers.values()) startFlush(buffer, withUsers)
    await pendingAppends.settled()
  }
  const flushIdle = async (): Promise<void> => {
    for (const [environment, buffer] of buffers) {
      buffer.endHour(now())
      if (buffer.isIdle(now())) buffers.delete(environment)
    }
    // With a slow disk, the next entry grows instead of more entries queueing up.
    if (pendingAppends.size() === 0) await flush()
  }
  const onError = (error: unknown) => warn(`evaluations could not be written: ${reasonOf(error)}`)
  const job = every(FLUSH_INTERVAL_MS, flushIdle, { onError })

  return {
    record: (evaluation) => {
      reportDropped(bufferOf(evaluation.caller.environment._id).record(evaluation))
    },
    append: async (entry) => {
      const buffer = bufferOf(entry.environment)
      startFlush(buffer)
      await eventStore.append(buffer.normalizeReported(entry))
    },
    flush,
    close: async () => {
      await job.stop()
      // Evaluations stay in the buffer while there are many uncertain entries.
      await flush()
      await flush({ withUsers: true })
      const lost = [...buffers.values()].reduce((sum, buffer) => sum + buffer.size, 0)
      if (lost === 0) return
      onDropped(lost)
      warn(`evaluations lost at shutdown: ${lost}; the event store did not accept them`)
    }
  }
}

/** The longest time that evaluations stay in memory, and thus the largest loss in a crash. */
const FLUSH_INTERVAL_MS = SECOND

interface Dependencies extends WriterListener {
  readonly now: () => number
  /** Creates an id that no other server creates. */
  readonly id: () => string
}
