import { Poller } from '../http/poller.ts'
import type { ServerOptions } from '../http/server.ts'
import type { Source } from '../source.ts'

/** How a server is polled. */
export interface PollingOptions extends ServerOptions {
  /** How often to ask whether there is something new; 10 seconds unless said otherwise. */
  readonly pollIntervalMs?: number
}

/** A server that is asked again and again; it answers in a few bytes while nothing is new. */
export function polling(options: PollingOptions): Source {
  let poller: Poller | undefined
  return {
    name: `the server ${options.url}`,
    start: (listener) => {
      poller?.close()
      poller = new Poller(options, listener, { intervalMs: () => options.pollIntervalMs ?? 10_000 })
      poller.poll()
    },
    close: () => {
      poller?.close()
      poller = undefined
    }
  }
}
