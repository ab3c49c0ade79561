import { RetryTimer } from '../http/retryTimer.ts'
import type { ServerOptions } from '../http/serverOptions.ts'
import { HealthMonitor } from '../status/healthMonitor.ts'
import type { StartOptions } from './resolver.ts'

/** When the next request is due after a failure. */
interface Retry {
  readonly retryMs: number
  readonly refusedKey: string | undefined
}

/** Watches whether a server answers, from `start` to `close`. While it does not, it is asked again by itself. */
export class ServerMonitor {
  readonly #ask: () => Promise<void>
  readonly #health: HealthMonitor
  readonly #initTimeoutMs: number
  #problem: string | undefined
  readonly #retry: RetryTimer
  #isClosed = false

  /** @param ask Makes a request, and says what came of it by `succeed` or `fail`. */
  constructor(server: ServerOptions, ask: () => Promise<void>, { initTimeoutMs, onHealth, ...options }: StartOptions) {
    this.#ask = ask
    this.#retry = new RetryTimer(server)
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
    this.#health.announceFrom(this.#problem === undefined ? 'READY' : 'ERROR')
    if (this.#problem === undefined) return
    throw new Error(this.#problem)
  }

  /** A request was answered. */
  reportSuccess(): void {
    if (this.#isClosed) return
    this.#problem = undefined
    this.#retry.clear()
    this.#health.succeed()
  }

  /** A request came to nothing; the next one is made after a wait, unless one is answered before. */
  reportFailure(problem: string, { retryMs, refusedKey }: Retry): void {
    if (this.#isClosed) return
    this.#problem = problem
    this.#health.fail(problem)
    if (!this.#retry.isRunning) this.#retry.start(retryMs, () => void this.#ask(), refusedKey)
  }

  close(): void {
    this.#isClosed = true
    this.#retry.clear()
    this.#health.close()
  }
}
