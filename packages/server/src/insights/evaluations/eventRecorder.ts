import { every } from '@burgee/kit'
import { SECOND } from '../../lib/time.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import { type Evaluation, EvaluationBuffer } from './evaluationBuffer.ts'

/** Is told of each evaluation of a single variable, and of what applications report. */
export interface EventRecorder {
  /** Counts an evaluation. It takes no time worth speaking of: what is counted becomes durable within a second. */
  readonly record: (evaluation: Evaluation) => void
  /**
   * Appends what an application reported, behind everything that was evaluated before.
   * @throws {StoreUnavailableError} when it could not be made durable.
   */
  readonly append: (entry: EventEntry) => Promise<void>
  /** Resolves when everything that was evaluated so far has been appended, or was tried to be: what fails is kept and tried again. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Counts evaluations in memory, and appends them each second and before what happened later. */
export function openEventRecorder(
  eventStore: Pick<EventStore, 'append'>,
  { now, flushMs = FLUSH_MS, warn, onDropped }: Dependencies
): EventRecorder {
  const ledgers = new Map<string, EvaluationBuffer>()
  let underWay = 0
  /** What has been warned of since it last went well. */
  const warned = new Set<string>()

  const ledgerOf = (environment: string): EvaluationBuffer => {
    const known = ledgers.get(environment)
    if (known) return known
    const made = new EvaluationBuffer(environment)
    ledgers.set(environment, made)
    return made
  }
  const warnOnce = (message: string, cause = '') => {
    if (warned.has(message)) return
    warned.add(message)
    warn(message + cause)
  }
  const drop = (count: number) => {
    if (count === 0) return
    onDropped(count)
    warnOnce('evaluations are no longer counted where there is no room left for those that wait to be kept')
  }
  const send = async (ledger: EvaluationBuffer, entry: EventEntry) => {
    underWay++
    try {
      await eventStore.append(entry)
      warned.clear()
    } catch (error) {
      drop(ledger.restore(entry))
      warnOnce('evaluations could not be kept, which is tried again each second', `: ${String(error)}`)
    } finally {
      underWay--
    }
  }
  const flush = async (only: Iterable<EvaluationBuffer> = ledgers.values()) => {
    // All are handed over before anything is waited for: what is appended after this call comes behind them.
    await Promise.all([...only].flatMap((ledger) => ledger.drain().map((entry) => send(ledger, entry))))
  }
  const flushDue = async () => {
    for (const [environment, ledger] of ledgers) if (ledger.isIdle(now())) ledgers.delete(environment)
    // While the disk is slow, the next entry grows instead of joining a queue.
    if (underWay === 0) await flush()
  }
  const onError = (error: unknown) => warn(`evaluations could not be counted: ${String(error)}`)
  const job = every(flushMs, flushDue, { onError })

  return {
    record: (evaluation) => {
      drop(ledgerOf(evaluation.caller.environment._id).record(evaluation))
    },
    append: async (entry) => {
      const ledger = ledgerOf(entry.environment)
      const evaluations = flush([ledger])
      await eventStore.append(ledger.normalizeReported(entry))
      await evaluations
    },
    flush: () => flush(),
    close: async () => {
      await job.stop()
      await flush()
      const left = [...ledgers.values()].reduce((sum, ledger) => sum + ledger.size, 0)
      if (left === 0) return
      onDropped(left)
      warn(`${left} evaluations were not counted: they could not be kept before the server stopped`)
    }
  }
}

/** How long evaluations stay in memory, in milliseconds: a crash loses as much. */
const FLUSH_MS = SECOND

interface Dependencies {
  readonly now: () => number
  /** How long evaluations stay in memory, in milliseconds; a second if omitted. */
  readonly flushMs?: number | undefined
  readonly warn: (message: string) => void
  /** Told how many evaluations, or their users, there was no room for while they could not be appended. */
  readonly onDropped: (count: number) => void
}
