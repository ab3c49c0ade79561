import { backoff } from '../http/backoff.ts'
import { RetryTimer } from '../http/retryTimer.ts'
import type { ServerOptions } from '../http/serverOptions.ts'
import { EventQueue } from './eventQueue.ts'
import { EventSender } from './eventSender.ts'
import { isSplit } from './exposureTracker.ts'
import type { Recorder } from './recorder.ts'
import { sendBatch } from './sendBatch.ts'

/** Which events are sent, and how. */
export interface EventOptions {
  /** Whether the events that the application tracks are sent; they are unless this is `false`. */
  readonly tracking?: boolean
  /** Whether it is counted which variations flags evaluate to; it is unless this is `false`. */
  readonly evaluations?: boolean
  /** Whether the server is told who is served what of features that are split between users, which comparing the variations takes; it is unless this is `false`. */
  readonly exposures?: boolean
  /** How often what has gathered is sent; 10 seconds unless said otherwise. */
  readonly flushIntervalMs?: number
  /** How many events are kept while they cannot be delivered; 2,000 unless said otherwise. Further ones are dropped. */
  readonly maxQueuedEvents?: number
  /** How many bytes of them are kept; 16 MiB unless said otherwise. What users are served counts once for all events that say the same. */
  readonly maxQueuedBytes?: number
  /** How long closing may take to deliver what is left; 3 seconds unless said otherwise. */
  readonly closeTimeoutMs?: number
}

/** Gathers events and sends them to the server in batches (`evaluation.md` §8.2). What goes wrong is told to `warn`, which does not throw, and never to whoever evaluates. */
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
  warn: (message: string) => void,
  now: () => number = Date.now
): Recorder {
  const queue = new EventQueue({ events: maxQueuedEvents, bytes: maxQueuedBytes }, warn)
  const sender = new EventSender({
    next: () => queue.next(),
    send: (payload, signal) => sendBatch(server, payload, signal),
    backoff: backoff(server.retry, server.random),
    retryTimer: new RetryTimer(server),
    warn
  })
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    timer ??= setInterval(() => {
      if (!sender.isResting) void sender.run()
    }, flushIntervalMs).unref()
  }

  const sendIfFull = () => {
    if (queue.hasFullPayload && !sender.isResting) void sender.run()
  }

  return {
    recordEvaluation: ({ key, user, resolution, isDefaulted }) => {
      if (!evaluations && !exposures) return
      if (evaluations) queue.countEvaluation(key, resolution, isDefaulted)
      begin()
      if (!exposures || isDefaulted || !isSplit(resolution) || !user.user_id) return
      if (queue.addExposure(key, user.user_id, resolution, { underWay: sender.size, at: now() })) sendIfFull()
    },
    recordTracking: (event) => {
      if (!tracking) return
      queue.addTracked(event, sender.size)
      begin()
      sendIfFull()
    },
    flush: () => sender.run(),
    close: async () => {
      clearInterval(timer)
      timer = undefined
      await withDeadline(closeTimeoutMs, sender.drain(closeTimeoutMs))
      const left = queue.clear() + sender.size
      sender.stop()
      if (left > 0) warn(`${left} events are lost: they could not be delivered before closing`)
    }
  }
}

/** Resolves when something is done, or after so long. Until then it keeps the process alive: somebody waits for it. */
function withDeadline(ms: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void done.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
