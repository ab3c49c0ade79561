import { type RetryBackoff, type RetryOptions, retryBackoff } from './retryBackoff.ts'

/** A period without requests to the server. */
export interface Pause {
  readonly ms: number
  readonly reason: string
}

/**
 * A circuit breaker: decides from the results of all requests when the next request may be sent. Concurrent failures
 * lengthen the next pause only once.
 */
export class Cooldown {
  readonly #limit: number
  readonly #backoff: RetryBackoff
  #failures = 0
  #problem = ''
  #isHealthy = false
  /** When to retry after a failure, on the clock of `performance.now()`. */
  #retryAt = Number.NEGATIVE_INFINITY
  /** When the server's `Retry-After` ends, on the same clock. */
  #retryAfter = Number.NEGATIVE_INFINITY

  /** @param limit The number of consecutive failures that start a pause. */
  constructor(limit: number, { retry, random }: { readonly retry?: RetryOptions; readonly random?: () => number }) {
    this.#limit = limit
    this.#backoff = retryBackoff(retry, random)
  }

  /** The current pause, if any. */
  get pause(): Pause | undefined {
    const retryAfterMs = msUntil(this.#retryAfter)
    const ms = this.#failures < this.#limit ? 0 : msUntil(this.#retryAt)
    if (retryAfterMs > ms) return { ms: retryAfterMs, reason: 'its Retry-After has not elapsed' }
    return ms > 0 ? { ms, reason: this.#problem } : undefined
  }

  /** Whether a trial request must succeed before others are sent: initially, while the server is silent, and after a pause (half-open state). */
  get needsTrial(): boolean {
    return !this.#isHealthy
  }

  /** The wait before a retry that no evaluation triggers, in milliseconds. */
  get retryMs(): number {
    return msUntil(Math.max(this.#retryAt, this.#retryAfter))
  }

  fail(problem: string, isRefused: boolean): void {
    this.#failures += 1
    this.#problem = problem
    if (this.#failures >= this.#limit) this.#isHealthy = false
    if (msUntil(this.#retryAt) === 0) this.#retryAt = performance.now() + this.#backoff.next(isRefused)
  }

  /** Records that the server is silent: from now on, one trial request at a time is sent until one succeeds. */
  suspect(): void {
    this.#isHealthy = false
  }

  /** Ends the back-off. An earlier `Retry-After` remains in effect. */
  succeed(): void {
    this.#isHealthy = true
    this.reset()
  }

  /** Records that the server limits the request rate. An earlier `Retry-After` that ends later remains in effect. */
  throttle(retryAfterMs = 0): void {
    this.reset()
    this.#retryAfter = Math.max(this.#retryAfter, performance.now() + retryAfterMs)
  }

  /** Resets the failure count and the back-off. */
  reset(): void {
    this.#failures = 0
    this.#retryAt = Number.NEGATIVE_INFINITY
    this.#backoff.reset()
  }
}

function msUntil(moment: number): number {
  return Math.max(0, moment - performance.now())
}
