import { randomUUID } from 'node:crypto'
import type { RetryBackoff } from '../http/retryBackoff.ts'
import type { RetryTimer } from '../http/retryTimer.ts'
import type { Payload } from './event.ts'
import type { SendResult } from './sendBatch.ts'

/** The options of a sender. */
export interface EventSenderOptions {
  /** Returns the next payload, if there is one. */
  readonly next: () => Payload | undefined
  readonly send: (payload: Payload, signal: AbortSignal) => Promise<SendResult>
  readonly backoff: RetryBackoff
  readonly retryTimer: RetryTimer
  /** Reports a failure. Further failures are not reported until sending succeeds. */
  readonly warn: (message: string) => void
}

/**
 * Sends payloads one at a time and retries each until it is delivered. Further events wait in the queue in the
 * meantime.
 */
export class EventSender {
  readonly #options: EventSenderOptions
  /** Payloads that failed, or are parts of a split one. */
  #pending: Payload[] = []
  #running: Promise<void> | undefined
  /** When the server's `Retry-After` ends, on the clock of `performance.now()`. */
  #retryAfter = Number.NEGATIVE_INFINITY
  #ending = new AbortController()
  #hasWarned = false

  constructor(options: EventSenderOptions) {
    this.#options = options
  }

  /** The number of events in flight. */
  get size(): number {
    return this.#pending.reduce((sum, { events }) => sum + events.length, 0)
  }

  /** Whether a retry is scheduled. */
  get isWaiting(): boolean {
    return this.#options.retryTimer.isRunning
  }

  /** Sends all payloads until a request fails. Skips a pending back-off, but respects `Retry-After`. */
  run(): Promise<void> {
    if (this.#running !== undefined) return this.#running
    if (this.#retryAfterMs > 0) return Promise.resolve()
    this.#options.retryTimer.clear()
    const running = this.#sendAll().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  /** Like `run`, but waits for `Retry-After` to elapse. Gives up at once if that exceeds the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    const ms = this.#retryAfterMs
    const payload = this.#pending[0] ?? this.#options.next()
    if (!payload || ms > deadlineMs) return
    this.#pending[0] = payload
    const { signal } = this.#ending
    const end = performance.now() + ms
    // Repeated, because timers may fire early.
    while (performance.now() < end && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, end - performance.now() + 1))
    }
    if (!signal.aborted) await this.run()
  }

  /** Drops everything in flight. The sender can be used again. */
  stop(): void {
    this.#options.retryTimer.clear()
    this.#ending.abort()
    this.#ending = new AbortController()
    this.#running = undefined
    this.#pending = []
    this.#hasWarned = false
    this.#options.backoff.reset()
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#ending
    for (;;) {
      const payload = this.#pending[0] ?? this.#options.next()
      if (!payload) return
      this.#pending[0] = payload
      const outcome = await this.#options.send(payload, signal)
      if (signal.aborted || !this.#handleResult(payload, outcome)) return
    }
  }

  /** Handles the result of the first payload. Returns false if it has to be retried later. */
  #handleResult(payload: Payload, outcome: SendResult): boolean {
    const { backoff, retryTimer, warn } = this.#options
    if (outcome.kind === 'failed') {
      if (!this.#hasWarned) warn(`sending events failed and will be retried: ${outcome.message}`)
      this.#hasWarned = true
      const { refusedKey, retryAfterMs = 0 } = outcome
      this.#retryAfter = performance.now() + retryAfterMs
      // After `Retry-After`, plus jitter.
      retryTimer.start(
        backoff.next(refusedKey !== undefined) + retryAfterMs,
        (hasNewKey) => {
          if (hasNewKey) backoff.reset()
          void this.run()
        },
        refusedKey
      )
      return false
    }
    this.#pending.shift()
    backoff.reset()
    if (outcome.kind === 'delivered') {
      this.#hasWarned = false
      if (outcome.rejection !== undefined) warn(outcome.rejection)
    } else if (outcome.kind === 'tooLarge' && payload.events.length > 1) this.#pending.unshift(...splitInHalf(payload))
    else warn(`events are dropped (${payload.events.length}): ${outcome.message}`)
    return true
  }

  get #retryAfterMs(): number {
    return Math.max(0, this.#retryAfter - performance.now())
  }
}

/** Splits a payload into two with ids of their own. */
function splitInHalf({ events }: Payload): Payload[] {
  const middle = Math.ceil(events.length / 2)
  return [events.slice(0, middle), events.slice(middle)].map((part) => ({ id: randomUUID(), events: part }))
}
