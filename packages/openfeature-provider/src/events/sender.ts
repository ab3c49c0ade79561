import { randomUUID } from 'node:crypto'
import type { Backoff } from '../http/backoff.ts'
import type { Payload } from './event.ts'
import type { SendOutcome } from './send.ts'

/** What a sender is made of. */
export interface SenderOptions {
  /** The next payload to send, if there is anything to say. */
  readonly next: () => Payload | undefined
  readonly send: (payload: Payload, signal: AbortSignal) => Promise<SendOutcome>
  readonly backoff: Backoff
  /** Says what goes wrong; told once until things go right again. */
  readonly warn: (message: string) => void
}

/**
 * Sends payloads one after the other, each until the server has it. After a failure it rests and then tries the same
 * payload again; meanwhile nothing else is sent, and what there is to say gathers where it comes from.
 */
export class Sender {
  readonly #options: SenderOptions
  /** Begun and not delivered: what failed, or came of splitting it. */
  #pending: Payload[] = []
  #running: Promise<void> | undefined
  #rest: NodeJS.Timeout | undefined
  #ending = new AbortController()
  #hasWarned = false

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** How many events were begun and are not delivered. */
  get size(): number {
    return this.#pending.reduce((sum, { events }) => sum + events.length, 0)
  }

  /** Whether it waits before it tries again. */
  get isResting(): boolean {
    return this.#rest !== undefined
  }

  /** Sends everything that there is to say, until something fails. This ends a rest. */
  run(): Promise<void> {
    this.#wake()
    if (this.#running !== undefined) return this.#running
    const running = this.#sendAll().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  /** Gives up what is under way and what is left; it can be used again. */
  stop(): void {
    this.#wake()
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
  #settle(payload: Payload, outcome: SendOutcome): boolean {
    const { backoff, warn } = this.#options
    if (outcome.kind === 'failed') {
      if (!this.#hasWarned) warn(`events are kept and sent again later: ${outcome.message}`)
      this.#hasWarned = true
      // Never earlier than the server asks for, and spread like any other wait.
      const pause = backoff.next(outcome.isRefused) + (outcome.retryAfterMs ?? 0)
      this.#rest = setTimeout(() => void this.run(), pause).unref()
      return false
    }
    this.#pending.shift()
    backoff.reset()
    if (outcome.kind === 'delivered') {
      this.#hasWarned = false
      if (outcome.refusal !== undefined) warn(outcome.refusal)
    } else if (outcome.kind === 'tooLarge' && payload.events.length > 1) this.#pending.unshift(...halves(payload))
    else warn(`${payload.events.length} events are dropped: ${outcome.message}`)
    return true
  }

  #wake(): void {
    clearTimeout(this.#rest)
    this.#rest = undefined
  }
}

/** A payload in two parts, which are payloads of their own. */
function halves({ events }: Payload): Payload[] {
  const middle = Math.ceil(events.length / 2)
  return [events.slice(0, middle), events.slice(middle)].map((part) => ({ id: randomUUID(), events: part }))
}
