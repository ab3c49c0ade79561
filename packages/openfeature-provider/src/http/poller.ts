import type { SourceListener } from '../source.ts'
import { type Backoff, backoff } from './backoff.ts'
import { download, type Validators } from './download.ts'
import type { ServerOptions } from './server.ts'

/** How many good polls in a row end a back-off. */
const GOOD_POLLS = 2

/** Told of what each poll brings, besides the listener. */
export interface PollObserver {
  /** How long to wait after a poll that went well. */
  readonly intervalMs: () => number
  /** Told after each poll that reached the server, with the document if there was another one. */
  readonly onReached?: (config: unknown) => void
}

/** Downloads the config document again and again, one download at a time. */
export class Poller {
  readonly #server: ServerOptions
  readonly #listener: SourceListener
  readonly #observer: PollObserver
  readonly #backoff: Backoff
  readonly #ended = new AbortController()
  #known: Validators | undefined
  #lastModified = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isPolling = false
  #isWanted = false
  #goodPolls = 0

  constructor(server: ServerOptions, listener: SourceListener, observer: PollObserver) {
    this.#server = server
    this.#listener = listener
    this.#observer = observer
    this.#backoff = backoff(server.retry, server.random)
  }

  /** When the document at hand was made, epoch milliseconds. */
  get lastModified(): number {
    return this.#lastModified
  }

  /** What the server calls the document at hand. */
  get etag(): string | undefined {
    return this.#known?.etag ?? undefined
  }

  /** Polls at once; where a poll is under way, once more after it, because its answer may be older than the wish. */
  poll(): void {
    if (this.#isPolling) this.#isWanted = true
    else void this.#run()
  }

  /** Polls after a wait, instead of when the next poll was due. */
  pollIn(ms: number): void {
    if (this.#ended.signal.aborted) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.poll(), ms).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#ended.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    if (signal.aborted) return
    clearTimeout(this.#timer)
    this.#isPolling = true
    this.#isWanted = false
    const wait = await this.#poll(signal)
    this.#isPolling = false
    if (signal.aborted) return
    if (this.#isWanted) this.poll()
    else this.pollIn(wait)
  }

  /** Answers how long to wait for the next poll. */
  async #poll(signal: AbortSignal): Promise<number> {
    const outcome = await download(this.#server, this.#known, signal)
    if (signal.aborted) return 0
    switch (outcome.type) {
      case 'failure':
        this.#listener.onFailure(outcome)
        return this.#failed(outcome.isRefused)
      case 'unchanged':
        this.#listener.onUnchanged()
        return this.#reached(undefined)
      case 'config': {
        const { delivery, validators } = outcome
        // The validators of a document that is of no use are forgotten, or the server would say that nothing is new.
        if (!this.#listener.onConfig(delivery)) return this.#failed(false)
        this.#known = validators.etag || validators.lastModified ? validators : undefined
        this.#lastModified = delivery.lastModified ?? Number.NEGATIVE_INFINITY
        return this.#reached(delivery.config)
      }
    }
  }

  #failed(isRefused: boolean): number {
    this.#goodPolls = 0
    return this.#backoff.next(isRefused)
  }

  #reached(config: unknown): number {
    this.#goodPolls += 1
    if (this.#goodPolls >= GOOD_POLLS) this.#backoff.reset()
    this.#observer.onReached?.(config)
    // Up to a tenth more or less, so that many programs that start together do not stay together.
    return this.#observer.intervalMs() * (0.9 + 0.2 * (this.#server.random ?? Math.random)())
  }
}
