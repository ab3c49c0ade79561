import { type Backoff, backoff, type RetryOptions } from './backoff.ts'

/** A while in which a server is left alone. */
export interface Rest {
  readonly ms: number
  readonly why: string
}

/**
 * For how long a server is left alone, by what came of the requests to it. They all share one, so that requests that
 * come to nothing at the same time make the next wait no longer than one would.
 */
export class Patience {
  readonly #limit: number
  readonly #backoff: Backoff
  #failures = 0
  #problem = ''
  /** When to ask again after a failure, on the clock of `performance.now()`. */
  #retryAt = Number.NEGATIVE_INFINITY
  /** Until when the server wants no request, on the same clock. */
  #demandedUntil = Number.NEGATIVE_INFINITY

  /** @param limit How many requests have to come to nothing, one after the other, before there is a rest. */
  constructor(limit: number, { retry, random }: { readonly retry?: RetryOptions; readonly random?: () => number }) {
    this.#limit = limit
    this.#backoff = backoff(retry, random)
  }

  /** How long the server is left alone from now on, if it is. */
  get rest(): Rest | undefined {
    const demandedMs = msUntil(this.#demandedUntil)
    const ms = this.#failures < this.#limit ? 0 : msUntil(this.#retryAt)
    if (demandedMs > ms) return { ms: demandedMs, why: 'as it demands' }
    return ms > 0 ? { ms, why: this.#problem } : undefined
  }

  /** How long to wait before it is tried again by itself. */
  get retryMs(): number {
    return msUntil(Math.max(this.#retryAt, this.#demandedUntil))
  }

  /** A request came to nothing. */
  fail(problem: string, isRefused: boolean): void {
    this.#failures += 1
    this.#problem = problem
    if (msUntil(this.#retryAt) === 0) this.#retryAt = performance.now() + this.#backoff.next(isRefused)
  }

  /** The server answered. What it demanded before still holds. */
  succeed(): void {
    this.#failures = 0
    this.#retryAt = Number.NEGATIVE_INFINITY
    this.#backoff.reset()
  }

  /** The server wants no request for a while. That takes back no longer one that it demanded before. */
  demand(ms: number): void {
    this.#demandedUntil = Math.max(this.#demandedUntil, performance.now() + ms)
  }
}

function msUntil(moment: number): number {
  return Math.max(0, moment - performance.now())
}
