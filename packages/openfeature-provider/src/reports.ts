import type { Logger } from '@openfeature/server-sdk'

/** Tells a logger what goes wrong, each thing once until it goes well again. */
export class Reports {
  readonly #logger: Logger
  #lastReport = ''
  #lastTrouble = ''
  #isClosed = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Says what goes wrong. */
  report(message: string): void {
    if (message === this.#lastReport || this.#isClosed) return
    this.#lastReport = message
    this.#logger.warn(message)
  }

  /** Says what the source gets on without: it comes up again and again while everything else is well. */
  trouble(message: string): void {
    if (message === this.#lastTrouble || this.#isClosed) return
    this.#lastTrouble = message
    this.#logger.warn(message)
  }

  /** Says what goes well again; whatever goes wrong after that is news. */
  recover(message: string): void {
    this.#lastReport = ''
    this.#lastTrouble = ''
    this.#logger.info(message)
  }

  close(): void {
    this.#isClosed = true
  }
}
