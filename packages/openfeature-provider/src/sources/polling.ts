import { Poller } from '../http/poller.ts'
import { assertUrl, keyOf, ownerOf, type ServerOptions } from '../http/server.ts'
import { withNumbers } from '../numbers.ts'
import type { Source, SourceListener } from '../source.ts'
import { restartable } from './restartable.ts'

/** How a server is polled. */
export interface PollingOptions extends ServerOptions {
  /** How often to ask whether there is something new; 10 seconds unless said otherwise. */
  readonly pollIntervalMs?: number
}

/** A server that is asked again and again; it answers in a few bytes while nothing is new. */
export function polling(given: PollingOptions): Source {
  const options = withNumbers(given)
  assertUrl(options.url)
  const begin = (listener: SourceListener): Poller => {
    const poller = new Poller(options, listener, { intervalMs: () => options.pollIntervalMs ?? 10_000 })
    poller.poll()
    return poller
  }
  return restartable(`the server ${options.url}`, begin, (owner) => owner === ownerOf(options, keyOf(options)))
}
