import type { Logger } from '@openfeature/server-sdk'

/** The subject of a message. */
export type Topic = 'source' | 'sourceWarning' | 'bootstrap' | 'cacheFile'

/** Logs one line per change of state, even if the state is reported repeatedly. */
export class StatusReporter {
  readonly #logger: Logger
  readonly #states = new Map<Topic, string>()
  #isClosed = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Logs a warning, unless the topic is in this state already. */
  warn(topic: Topic, message: string, state = message): void {
    if (this.#isClosed || this.#states.get(topic) === state) return
    this.#states.set(topic, state)
    this.#logger.warn(message)
  }

  /** Notes that a topic has no problem any more. */
  clear(topic: Topic): void {
    this.#states.delete(topic)
  }

  /** Logs that the source works again. */
  recover(message: string): void {
    this.clear('source')
    this.clear('sourceWarning')
    this.#logger.info(message)
  }

  close(): void {
    this.#isClosed = true
  }
}
