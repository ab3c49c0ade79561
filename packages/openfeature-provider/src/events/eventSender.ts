import { randomUUID } from 'node:crypto'
import type { Backoff } from '../http/backoff.ts'
import type { RetryTimer } from '../http/retryTimer.ts'
import type { Payload } from './event.ts'
import type { SendResult } from './sendBatch.ts'

/** What a sender is made of. */
export interface EventSenderOptions {
  /** The next payload to send, if there is anything to say. */
  readonly next: () => Payload | undefined
  readonly send: (payload: Payload, signal: AbortSignal) => Promise<SendResult>
  readonly backoff: Backoff
  readonly retryTimer: RetryTimer
  /** Says what goes wrong; told once until things go right again. */
  readonly warn: (message: string) => void
}

/**
 * Sends payloads one after the other, each until the server has it. After a failure it rests and then tries the same
 * payload again; meanwhile nothing else is sent, and what there is to say gathers where it comes from.
 */
export class EventSender {
  readonly #options: EventSenderOptions
  /** Begun and not delivered: what failed, or came of splitting it. */
  #pending: Payload[] = []
  #running: Promise<void> | undefined
  /** When the server's `Retry-After` ends, on the clock of `performance.now()`. */
  #retryAfter = Number.NEGATIVE_INFINITY
  #ending = new AbortController()
  #hasWarned = false

  constructor(options: EventSenderOptions) {
    this.#options = options
  }

  /** How many events were begun and are not delivered. */
  get size(): number {
    return this.#pending.reduce((sum, { events }) => sum + events.length, 0)
  }

  /** Whether it waits before it tries again. */
  get isResting(): boolean {
    return this.#options.retryTimer.isRunning
  }

  /** Sends everything, until something fails. It ends a back-off, and sends nothing before a `Retry-After` is over. */
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

  /** Does the same once a `Retry-After` is over, and gives up at once where that is later than the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    const ms = this.#retryAfterMs
    const payload = this.#pending[0] ?? this.#options.next()
    if (!payload || ms > deadlineMs) return
    this.#pending[0] = payload
    const { signal } = this.#ending
    // One more, because a timer may end a moment early.
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms + 1))
    if (!signal.aborted) await this.run()
  }

  /** Gives up what is under way and what is left; it can be used again. */
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
      if (signal.aborted || !this.#settle(payload, outcome)) return
    }
  }

  /** Does with the first of the pending payloads what its outcome asks for. False where it has to wait. */
  #settle(payload: Payload, outcome: SendResult): boolean {
    const { backoff, retryTimer, warn } = this.#options
    if (outcome.kind === 'failed') {
      if (!this.#hasWarned) warn(`events are kept and sent again later: ${outcome.message}`)
      this.#hasWarned = true
      const { refusedKey, retryAfterMs = 0 } = outcome
      this.#retryAfter = performance.now() + retryAfterMs
      // Never earlier than the server asks for, and spread like any other wait.
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
      if (outcome.refusal !== undefined) warn(outcome.refusal)
    } else if (outcome.kind === 'tooLarge' && payload.events.length > 1) this.#pending.unshift(...splitInHalf(payload))
    else warn(`${payload.events.length} events are dropped: ${outcome.message}`)
    return true
  }

  get #retryAfterMs(): number {
    return Math.max(0, this.#retryAfter - performance.now())
  }
}

/** A payload in two parts, which are payloads of their own. */
function splitInHalf({ events }: Payload): Payload[] {
  const middle = Math.ceil(events.length / 2)
  return [events.slice(0, middle), events.slice(middle)].map((part) => ({ id: randomUUID(), events: part }))
}
