import type { SourceListener } from '../sources/source.ts'
import { type Backoff, backoff } from './backoff.ts'
import { type CacheValidators, downloadConfig } from './configDownload.ts'
import { RetryTimer } from './retryTimer.ts'
import type { ServerOptions } from './serverOptions.ts'

/** How many good polls in a row end a back-off. */
const SUCCESSES_TO_RESET = 2

/** How many wishes are granted at once, and how long it takes until one more is. */
const BURST_POLLS = 5
const REQUESTED_POLL_INTERVAL_MS = 1_000

/** Told of what each poll brings, besides the listener. */
export interface PollObserver {
  /** How long to wait after a poll that went well. */
  readonly intervalMs: () => number
  /** Told after each poll that reached the server, with the document if there was another one, and whether the poll before had failed. */
  readonly onReached?: (config: unknown, isBack: boolean) => void
}

/** Downloads the config document again and again, one download at a time. */
export class ConfigPoller {
  readonly #server: ServerOptions
  readonly #listener: SourceListener
  readonly #observer: PollObserver
  readonly #backoff: Backoff
  readonly #ended = new AbortController()
  #known: CacheValidators | undefined
  #lastModified = Number.NEGATIVE_INFINITY
  readonly #timer: RetryTimer
  /** The key that the last poll was refused with. */
  #refusedKey: string | undefined
  #isPolling = false
  #isWanted = false
  #goodPolls = 0
  #hasFailed = false
  /** When the next poll is due, and before when none may be made: on the clock of `performance.now()`. */
  #dueAt = Number.POSITIVE_INFINITY
  #restUntil = Number.NEGATIVE_INFINITY
  #wishes = BURST_POLLS
  #wishedAt = performance.now()

  constructor(server: ServerOptions, listener: SourceListener, observer: PollObserver) {
    this.#server = server
    this.#listener = listener
    this.#observer = observer
    this.#backoff = backoff(server.retry, server.random)
    this.#timer = new RetryTimer(server)
  }

  /** When the document at hand was made, epoch milliseconds. */
  get lastModified(): number {
    return this.#lastModified
  }

  /** What the server calls the document at hand. */
  get etag(): string | undefined {
    return this.#known?.etag ?? undefined
  }

  /** Begins to poll. */
  start(): void {
    if (!this.#isPolling) void this.#run()
  }

  /**
   * Polls at once, because there may be something new; where a poll is under way, once more after it, because its
   * answer may be older than the wish. Of many wishes, no more than one a second is granted in the long run.
   */
  requestPoll(): void {
    if (this.#isPolling) this.#isWanted = true
    else if (this.pollWithin(this.#wishWaitMs())) this.#wishes -= 1
  }

  /** Polls after a wait, and not before the server wants to be asked again. False where the next poll is due before that. */
  pollWithin(ms: number): boolean {
    const now = performance.now()
    const at = Math.max(now + ms, this.#restUntil)
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
    this.#isWanted = false
    const wait = await this.#poll(signal)
    this.#isPolling = false
    if (signal.aborted) return
    this.#pollIn(wait)
    if (this.#isWanted) this.requestPoll()
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

  /** After how long one more wish is granted. */
  #wishWaitMs(): number {
    const now = performance.now()
    this.#wishes = Math.min(BURST_POLLS, this.#wishes + (now - this.#wishedAt) / REQUESTED_POLL_INTERVAL_MS)
    this.#wishedAt = now
    return Math.max(0, (1 - this.#wishes) * REQUESTED_POLL_INTERVAL_MS)
  }

  /** Answers how long to wait for the next poll. */
  async #poll(signal: AbortSignal): Promise<number> {
    const outcome = await downloadConfig(this.#server, this.#known, signal)
    if (signal.aborted) return 0
    switch (outcome.type) {
      case 'failure':
        this.#listener.onFailure({ message: outcome.message, isRefused: outcome.refusedKey !== undefined })
        return this.#failed(outcome)
      case 'unchanged':
        this.#listener.onUnchanged()
        return this.#reached(undefined)
      case 'config': {
        const { delivery, validators } = outcome
        // The validators of a document that is of no use are forgotten, or the server would say that nothing is new.
        if (!this.#listener.onConfig(delivery)) return this.#failed({})
        this.#known = validators.etag || validators.lastModified ? validators : undefined
        this.#lastModified = delivery.lastModified ?? Number.NEGATIVE_INFINITY
        return this.#reached(delivery.config)
      }
    }
  }

  #failed({
    refusedKey,
    retryAfterMs = 0
  }: {
    readonly refusedKey?: string
    readonly retryAfterMs?: number | undefined
  }): number {
    const isRefused = refusedKey !== undefined
    this.#refusedKey = refusedKey
    this.#goodPolls = 0
    this.#hasFailed = true
    const wait = this.#backoff.next(isRefused)
    // Nothing shortens a wait that the server asked for; spread like any other, so that many do not return at once.
    const rest = isRefused ? wait : retryAfterMs && retryAfterMs + wait
    this.#restUntil = performance.now() + rest
    return Math.max(wait, rest)
  }

  #reached(config: unknown): number {
    this.#refusedKey = undefined
    this.#goodPolls += 1
    if (this.#goodPolls >= SUCCESSES_TO_RESET) this.#backoff.reset()
    const isBack = this.#hasFailed
    this.#hasFailed = false
    this.#observer.onReached?.(config, isBack)
    // Up to a tenth more or less, so that many programs that start together do not stay together.
    return this.#observer.intervalMs() * (0.9 + 0.2 * (this.#server.random ?? Math.random)())
  }
}
