import { every, type PeriodicJob, withDeadline } from '@burgee/kit'
import { retryBackoff } from '../http/retryBackoff.ts'
import { RetryTimer } from '../http/retryTimer.ts'
import type { ServerOptions } from '../http/serverOptions.ts'
import { errorMessage } from '../lib/text.ts'
import { EventQueue } from './eventQueue.ts'
import { EventSender } from './eventSender.ts'
import { isSplit } from './exposureTracker.ts'
import type { Recorder } from './recorder.ts'
import { sendBatch } from './sendBatch.ts'

/** The options for sending events. */
export interface EventOptions {
  /** Whether tracked events are sent. Default: `true`. */
  readonly tracking?: boolean
  /** Whether evaluations are counted by variation. Default: `true`. */
  readonly evaluations?: boolean
  /**
   * Whether exposures of experiments and split features are sent, which metric results require. Default: `true`.
   */
  readonly exposures?: boolean
  /** The interval between requests. Default: 10 seconds. */
  readonly flushIntervalMs?: number
  /** The maximum number of queued events; further ones are dropped. Default: 2,000. */
  readonly maxQueuedEvents?: number
  /** The maximum size of the queued events in bytes; equal `featureVars` count once. Default: 16 MiB. */
  readonly maxQueuedBytes?: number
  /** The timeout for delivering the remaining events on close. Default: 3 seconds. */
  readonly closeTimeoutMs?: number
}

/**
 * Creates a recorder that sends events in batches (`docs/reference/events.md`). Failures are reported to `warn`, which
 * must not throw. They never affect evaluations.
 */
export function createEventRecorder(
  server: ServerOptions,
  {
    tracking = true,
    evaluations = true,
    exposures = true,
    flushIntervalMs = 10_000,
    maxQueuedEvents = 2_000,
    maxQueuedBytes = 16 * 1024 * 1024,
    closeTimeoutMs = 3_000
  }: EventOptions,
  warn: (message: string) => void
): Recorder {
  const { now = Date.now } = server
  const queue = new EventQueue({ events: maxQueuedEvents, bytes: maxQueuedBytes }, warn, now)
  const sender = new EventSender({
    next: () => queue.next(),
    send: (payload, signal) => sendBatch(server, payload, signal),
    backoff: retryBackoff(server.retry, server.random),
    retryTimer: new RetryTimer(server),
    warn
  })
  let job: PeriodicJob | undefined
  const startJob = () => {
    const send = () => (sender.isWaiting ? undefined : sender.run())
    job ??= every(flushIntervalMs, send, { onError: (error) => warn(errorMessage(error)) })
  }

  const sendIfFull = () => {
    if (queue.hasFullPayload && !sender.isWaiting) void sender.run()
  }

  return {
    recordEvaluation: ({ key, user, resolution, isDefaulted }) => {
      if (!evaluations && !exposures) return
      if (evaluations) queue.countEvaluation(key, resolution, isDefaulted)
      startJob()
      if (!exposures || isDefaulted || !isSplit(resolution) || !user.user_id) return
      if (queue.addExposure(key, user.user_id, resolution, sender.size)) sendIfFull()
    },
    recordTracking: (event) => {
      if (!tracking) return
      queue.addTracked(event, sender.size)
      startJob()
      sendIfFull()
    },
    flush: () => sender.run(),
    close: async () => {
      // Not awaited: the run in progress may last longer than the deadline.
      void job?.stop()
      job = undefined
      await withDeadline(closeTimeoutMs, sender.drain(closeTimeoutMs), () => {})
      const lost = queue.clear() + sender.size
      sender.stop()
      if (lost > 0) warn(`events are lost (${lost}): they could not be delivered before the provider was closed`)
    }
  }
}
