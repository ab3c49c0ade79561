import { type Health, HealthMonitor, type HealthOptions } from './health.ts'
import type { Backoff } from './http/backoff.ts'

/** What a watch is told. */
export interface WatchOptions extends HealthOptions {
  /** How long a start may take. */
  readonly initTimeoutMs: number
  readonly onHealth: (health: Health, message: string) => void
}

/** Watches whether a server answers, from `start` to `close`. While it does not, it is asked again by itself. */
export class RemoteWatch {
  readonly #ask: () => Promise<unknown>
  readonly #backoff: Backoff
  readonly #health: HealthMonitor
  readonly #initTimeoutMs: number
  #problem: string | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param ask Makes a request, whose outcome comes back by `note`. */
  constructor(ask: () => Promise<unknown>, backoff: Backoff, { initTimeoutMs, onHealth, ...options }: WatchOptions) {
    this.#ask = ask
    this.#backoff = backoff
    this.#initTimeoutMs = initTimeoutMs
    this.#health = new HealthMonitor(options, onHealth)
  }

  /**
   * Resolves when the server has answered.
   *
   * @throws when it has not, at once or at the deadline. It goes on being watched.
   */
  async start(): Promise<void> {
    let deadline: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        this.#problem ??= `the server did not answer within ${this.#initTimeoutMs} ms`
        resolve()
      }, this.#initTimeoutMs).unref()
    })
    await Promise.race([this.#ask(), late])
    clearTimeout(deadline)
    if (this.#problem === undefined) return
    this.#health.begin('ERROR')
    throw new Error(this.#problem)
  }

  /** Takes what came of a request: what was wrong with the server, if anything was. */
  note(problem: string | undefined, isRefused: boolean): void {
    if (this.#isClosed) return
    this.#problem = problem
    if (problem === undefined) {
      clearTimeout(this.#retry)
      this.#retry = undefined
      this.#backoff.reset()
      this.#health.succeed()
      return
    }
    this.#health.fail(problem)
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      void this.#ask()
    }, this.#backoff.next(isRefused)).unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#health.close()
  }
}
