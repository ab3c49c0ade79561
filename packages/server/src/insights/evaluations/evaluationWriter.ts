import { reasonOf } from '../../lib/reasonOf.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import { UncertainWriteError } from '../../storage/store.ts'
import type { EvaluationBuffer } from './evaluationBuffer.ts'

/** What a writer reports to. */
export interface WriterListener {
  readonly warn: (message: string) => void
  /** Called with the number of evaluations or exposures that were dropped. */
  readonly onDropped: (count: number) => void
}

/** Writes the entries of buffers to the event store. */
interface EvaluationWriter {
  /** Appends an entry of a buffer, or returns it to the buffer if that fails. */
  readonly write: (buffer: EvaluationBuffer, entry: EventEntry) => Promise<void>
  /** Reports evaluations that a full buffer dropped. */
  readonly reportDropped: (count: number) => void
}

/** Creates a writer. It logs each warning once until an entry is written. */
export function createEvaluationWriter(
  eventStore: Pick<EventStore, 'append'>,
  { warn, onDropped }: WriterListener
): EvaluationWriter {
  const warned = new Set<string>()
  const warnOnce = (message: string, cause = '') => {
    if (warned.has(message)) return
    warned.add(message)
    warn(message + cause)
  }
  const reportDropped = (count: number) => {
    if (count === 0) return
    onDropped(count)
    warnOnce('evaluations are dropped: the buffer is full, and the event store does not accept writes')
  }
  return {
    write: async (buffer, entry) => {
      try {
        await eventStore.append(entry)
        buffer.acknowledge(entry)
        warned.clear()
      } catch (error) {
        reportDropped(buffer.restore(entry, error instanceof UncertainWriteError))
        warnOnce('could not write evaluations to the event store; retrying every second', `: ${reasonOf(error)}`)
      }
    },
    reportDropped
  }
}
