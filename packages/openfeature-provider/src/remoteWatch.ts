import { HealthMonitor } from './health.ts'
import type { StartOptions } from './resolver.ts'

/** Watches whether a server answers, from `start` to `close`. While it does not, it is asked again by itself. */
export class RemoteWatch {
  readonly #ask: () => Promise<void>
  readonly #health: HealthMonitor
  readonly #initTimeoutMs: number
  #problem: string | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param ask Makes a request, and says what came of it by `succeed` or `fail`. */
  constructor(ask: () => Promise<void>, { initTimeoutMs, onHealth, ...options }: StartOptions) {
    this.#ask = ask
    this.#initTimeoutMs = initTimeoutMs
    this.#health = new HealthMonitor(options, onHealth)
  }

  /**
   * Resolves when the server has answered. Until then it keeps the process alive: somebody waits for it.
   *
   * @throws when it has not, at once or at the deadline. It goes on being watched.
   */
  async start(): Promise<void> {
    let deadline: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        this.#problem ??= `the server did not answer within ${this.#initTimeoutMs} ms`
        resolve()
      }, this.#initTimeoutMs)
    })
    await Promise.race([this.#ask(), late])
    clearTimeout(deadline)
    this.#health.begin(this.#problem === undefined ? 'READY' : 'ERROR')
    if (this.#problem === undefined) return
    throw new Error(this.#problem)
  }

  /** A request was answered. */
  succeed(): void {
    if (this.#isClosed) return
    this.#problem = undefined
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#health.succeed()
  }

  /** A request came to nothing; the next one is made after a wait, unless one is answered before. */
  fail(problem: string, retryMs: number): void {
    if (this.#isClosed) return
    this.#problem = problem
    this.#health.fail(problem)
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      void this.#ask()
    }, retryMs).unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#health.close()
  }
}
