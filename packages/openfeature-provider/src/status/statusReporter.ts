import type { Logger } from '@openfeature/server-sdk'

/** The subject of a message. */
export type Topic = 'source' | 'sourceWarning' | 'bootstrap' | 'cacheFile'

/** Logs each change of state once, however often the state is reported. */
export class StatusReporter {
  readonly #logger: Logger
  readonly #states = new Map<Topic, string>()
  #isClosed = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Logs a warning, unless the topic is already in this state. */
  warn(topic: Topic, message: string, state = message): void {
    if (this.#isClosed || this.#states.get(topic) === state) return
    this.#states.set(topic, state)
    this.#logger.warn(message)
  }

  /** Records that the problem of a topic is resolved. */
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
