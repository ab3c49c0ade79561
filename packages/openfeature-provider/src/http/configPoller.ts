import { DocumentReader } from '../config/documentReader.ts'
import type { SourceListener } from '../sources/source.ts'
import { type CacheValidators, downloadConfig } from './configDownload.ts'
import { type RetryBackoff, retryBackoff } from './retryBackoff.ts'
import { RetryTimer } from './retryTimer.ts'
import type { ServerOptions } from './serverOptions.ts'

/** The number of consecutive successes that reset the back-off. */
const SUCCESSES_TO_RESET = 2

/** A token bucket for requested polls: its size, and the time per token. */
const BURST_POLLS = 5
const REQUESTED_POLL_INTERVAL_MS = 1_000

/** Controls the interval of polls, and observes their success. */
export interface PollObserver {
  /** Returns the wait after a successful poll. */
  readonly intervalMs: () => number
  /** Called after each successful poll, with the document if it is new, and whether the previous poll had failed. */
  readonly onSuccess?: (config: unknown, hasRecovered: boolean) => void
}

interface PollFailure {
  readonly refusedKey?: string
  readonly retryAfterMs?: number | undefined
}

/** Downloads the config repeatedly, one download at a time. */
export class ConfigPoller {
  readonly #server: ServerOptions
  readonly #listener: SourceListener
  readonly #observer: PollObserver
  readonly #backoff: RetryBackoff
  readonly #documents = new DocumentReader()
  readonly #ended = new AbortController()
  #validators: CacheValidators | undefined
  #lastModified = Number.NEGATIVE_INFINITY
  readonly #timer: RetryTimer
  /** The last key that the server rejected. */
  #refusedKey: string | undefined
  #isPolling = false
  #isPollRequested = false
  #successes = 0
  #hasFailed = false
  /** The time of the next poll, and the earliest time for one, on the clock of `performance.now()`. */
  #dueAt = Number.POSITIVE_INFINITY
  #notBefore = Number.NEGATIVE_INFINITY
  #tokens = BURST_POLLS
  #tokensUpdatedAt = performance.now()

  constructor(server: ServerOptions, listener: SourceListener, observer: PollObserver) {
    this.#server = server
    this.#listener = listener
    this.#observer = observer
    this.#backoff = retryBackoff(server.retry, server.random)
    this.#timer = new RetryTimer(server)
  }

  /** The modification time of the last document, in epoch milliseconds. */
  get lastModified(): number {
    return this.#lastModified
  }

  /** The ETag of the last document. */
  get etag(): string | undefined {
    return this.#validators?.etag ?? undefined
  }

  /** Starts polling. */
  start(): void {
    if (!this.#isPolling) void this.#run()
  }

  /**
   * Polls immediately, because a message announced a change. If a poll is in progress, polls again after it, since its
   * response may be outdated. A token bucket limits the average to one poll per second.
   */
  requestPoll(): void {
    if (this.#isPolling) this.#isPollRequested = true
    else if (this.pollWithin(this.#tokenWaitMs())) this.#tokens -= 1
  }

  /** Polls within `ms`, but not before `Retry-After` has elapsed. Returns false if the next poll is due earlier. */
  pollWithin(ms: number): boolean {
    const now = performance.now()
    const at = Math.max(now + ms, this.#notBefore)
    if (this.#isPolling || at >= this.#dueAt) return false
    if (at <= now) void this.#run()
    else this.#pollIn(at - now)
    return true
  }

  close(): void {
    this.#timer.clear()
    this.#ended.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    if (signal.aborted) return
    this.#timer.clear()
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#isPolling = true
    this.#isPollRequested = false
    const wait = await this.#poll(signal)
    this.#isPolling = false
    if (signal.aborted) return
    this.#pollIn(wait)
    if (this.#isPollRequested) this.requestPoll()
  }

  #pollIn(ms: number): void {
    if (this.#ended.signal.aborted) return
    this.#dueAt = performance.now() + ms
    const poll = (hasNewKey: boolean): void => {
      if (hasNewKey) this.#backoff.reset()
      this.start()
    }
    this.#timer.start(ms, poll, this.#refusedKey)
  }

  /** The wait for the next token. */
  #tokenWaitMs(): number {
    const now = performance.now()
    this.#tokens = Math.min(BURST_POLLS, this.#tokens + (now - this.#tokensUpdatedAt) / REQUESTED_POLL_INTERVAL_MS)
    this.#tokensUpdatedAt = now
    return Math.max(0, (1 - this.#tokens) * REQUESTED_POLL_INTERVAL_MS)
  }

  /** Returns the wait before the next poll. */
  async #poll(signal: AbortSignal): Promise<number> {
    const outcome = await downloadConfig(this.#server, this.#validators, this.#documents, signal)
    if (signal.aborted) return 0
    switch (outcome.type) {
      case 'failure':
        this.#listener.onFailure({ message: outcome.message, isRefused: outcome.refusedKey !== undefined })
        return this.#handleFailure(outcome)
      case 'unchanged':
        this.#listener.onUnchanged()
        return this.#handleSuccess(undefined)
      case 'config': {
        const { update, validators } = outcome
        // Validators of an unusable document are not stored; the server would otherwise respond with 304.
        if (!this.#listener.onConfig(update)) return this.#handleFailure({})
        this.#validators = validators.etag || validators.lastModified ? validators : undefined
        this.#lastModified = update.lastModified ?? Number.NEGATIVE_INFINITY
        return this.#handleSuccess(update.config)
      }
    }
  }

  #handleFailure({ refusedKey, retryAfterMs = 0 }: PollFailure): number {
    const isRefused = refusedKey !== undefined
    this.#refusedKey = refusedKey
    this.#successes = 0
    this.#hasFailed = true
    const wait = this.#backoff.next(isRefused)
    // The back-off is added to `Retry-After` as jitter, which spreads the clients.
    const pause = isRefused ? wait : retryAfterMs && retryAfterMs + wait
    this.#notBefore = performance.now() + pause
    return Math.max(wait, pause)
  }

  #handleSuccess(config: unknown): number {
    this.#refusedKey = undefined
    this.#successes += 1
    if (this.#successes >= SUCCESSES_TO_RESET) this.#backoff.reset()
    const hasRecovered = this.#hasFailed
    this.#hasFailed = false
    this.#observer.onSuccess?.(config, hasRecovered)
    // Jitter of ±10% spreads clients that started together.
    return this.#observer.intervalMs() * (0.9 + 0.2 * (this.#server.random ?? Math.random)())
  }
}
