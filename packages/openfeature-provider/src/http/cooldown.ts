import { type Backoff, backoff, type RetryOptions } from './backoff.ts'

/** A time during which the server gets no request. */
export interface Pause {
  readonly ms: number
  readonly why: string
}

/**
 * A circuit breaker: decides from the results of all requests when the server gets the next one. Requests that fail at
 * the same time lengthen the next pause once.
 */
export class Cooldown {
  readonly #limit: number
  readonly #backoff: Backoff
  #failures = 0
  #problem = ''
  #isProven = false
  /** When to ask again after a failure, on the clock of `performance.now()`. */
  #retryAt = Number.NEGATIVE_INFINITY
  /** When the server's `Retry-After` ends, on the same clock. */
  #retryAfter = Number.NEGATIVE_INFINITY

  /** @param limit The number of consecutive failures after which the server gets no request for a while. */
  constructor(limit: number, { retry, random }: { readonly retry?: RetryOptions; readonly random?: () => number }) {
    this.#limit = limit
    this.#backoff = backoff(retry, random)
  }

  /** The pause that holds now, if one does. */
  get pause(): Pause | undefined {
    const demandedMs = msUntil(this.#retryAfter)
    const ms = this.#failures < this.#limit ? 0 : msUntil(this.#retryAt)
    if (demandedMs > ms) return { ms: demandedMs, why: 'its Retry-After is not over' }
    return ms > 0 ? { ms, why: this.#problem } : undefined
  }

  /** Whether one request has to succeed before further ones are made: at first, and after a pause. */
  get needsTrial(): boolean {
    return !this.#isProven
  }

  /** How long the provider waits before it retries without an evaluation. */
  get retryMs(): number {
    return msUntil(Math.max(this.#retryAt, this.#retryAfter))
  }

  fail(problem: string, isRefused: boolean): void {
    this.#failures += 1
    this.#problem = problem
    if (this.#failures >= this.#limit) this.#isProven = false
    if (msUntil(this.#retryAt) === 0) this.#retryAt = performance.now() + this.#backoff.next(isRefused)
  }

  /** Ends the back-off. An earlier `Retry-After` still holds. */
  succeed(): void {
    this.#isProven = true
    this.reset()
  }

  /** Notes that the server asks for fewer requests. A longer `Retry-After` from before still holds. */
  busy(retryAfterMs = 0): void {
    this.reset()
    this.#retryAfter = Math.max(this.#retryAfter, performance.now() + retryAfterMs)
  }

  /** Forgets the failures. */
  reset(): void {
    this.#failures = 0
    this.#retryAt = Number.NEGATIVE_INFINITY
    this.#backoff.reset()
  }
}

function msUntil(moment: number): number {
  return Math.max(0, moment - performance.now())
}
