import { withDeadline } from '@burgee/kit'
import type { Logger } from '@openfeature/server-sdk'
import { RetryTimer } from '../http/retryTimer.ts'
import type { ServerOptions } from '../http/serverOptions.ts'
import { HealthMonitor } from '../status/healthMonitor.ts'
import { StatusReporter } from '../status/statusReporter.ts'
import type { StartOptions } from './resolver.ts'

/** When the next request is due after a failure. */
interface Retry {
  readonly retryMs: number
  readonly refusedKey: string | undefined
}

/** The options of evaluation on the server. */
export interface RemoteOptions extends StartOptions {
  readonly logger: Logger
}

/** Monitors the availability of a server from `start` to `close`, and probes it after failures. */
export class ServerMonitor {
  readonly #probe: () => Promise<void>
  readonly #url: string
  readonly #health: HealthMonitor
  readonly #statusReporter: StatusReporter
  readonly #initTimeoutMs: number
  #failure: string | undefined
  readonly #retry: RetryTimer
  #isClosed = false

  /** @param probe Makes a request and reports its result by `reportSuccess` or `reportFailure`. */
  constructor(
    server: ServerOptions,
    probe: () => Promise<void>,
    { initTimeoutMs, onHealth, logger, ...options }: RemoteOptions
  ) {
    this.#probe = probe
    this.#url = server.url
    this.#statusReporter = new StatusReporter(logger)
    this.#retry = new RetryTimer(server)
    this.#initTimeoutMs = initTimeoutMs
    this.#health = new HealthMonitor(options, onHealth)
  }

  /**
   * Resolves when the server has answered. A pending start keeps the process alive.
   *
   * @throws if the server fails or does not respond before the deadline. The monitor continues.
   */
  async start(): Promise<void> {
    await withDeadline(this.#initTimeoutMs, this.#probe(), () => {
      if (this.#failure !== undefined) return
      this.#failure = `the server did not answer within ${this.#initTimeoutMs} ms`
      // Not the state of a failure, which is logged with its reason when it comes.
      this.#statusReporter.warn('source', this.#failure, 'silent')
    })
    this.#health.announceFrom(this.#failure === undefined ? 'READY' : 'ERROR')
    if (this.#failure === undefined) return
    throw new Error(this.#failure)
  }

  /** Reports that the server answered. */
  reportSuccess(): void {
    if (this.#isClosed) return
    if (this.#failure !== undefined) this.#statusReporter.recover(`${this.#url} answers again`)
    this.#failure = undefined
    this.#retry.clear()
    this.#health.succeed()
  }

  /** Reports a failed request. Schedules the next probe, which a successful request cancels. */
  reportFailure(failure: string, { retryMs, refusedKey }: Retry): void {
    if (this.#isClosed) return
    this.#failure = failure
    this.#statusReporter.warn('source', failure, refusedKey === undefined ? 'unavailable' : 'refused')
    this.#health.fail(failure)
    if (!this.#retry.isRunning) this.#retry.start(retryMs, () => void this.#probe(), refusedKey)
  }

  close(): void {
    this.#isClosed = true
    this.#retry.clear()
    this.#health.close()
    this.#statusReporter.close()
  }
}
