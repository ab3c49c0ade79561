import { ConfigPoller } from '../http/configPoller.ts'
import { assertUrl, keyOf, ownerOf, type ServerOptions } from '../http/serverOptions.ts'
import { normalizeNumbers } from '../optionRanges.ts'
import { restartableSource } from './restartableSource.ts'
import type { Source, SourceListener } from './source.ts'

/** How a server is polled. */
export interface PollingSourceOptions extends ServerOptions {
  /** The interval between polls. Default: 10 seconds. */
  readonly pollIntervalMs?: number
}

/** Polls a server. Unchanged configs cost a few bytes. */
export function pollingSource(given: PollingSourceOptions): Source {
  const options = normalizeNumbers(given)
  assertUrl(options.url)
  const begin = (listener: SourceListener): ConfigPoller => {
    const poller = new ConfigPoller(options, listener, { intervalMs: () => options.pollIntervalMs ?? 10_000 })
    poller.start()
    return poller
  }
  return restartableSource(`the server ${options.url}`, begin, (owner) => owner === ownerOf(options, keyOf(options)))
}
