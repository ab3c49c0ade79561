import { ConfigPoller } from '../http/configPoller.ts'
import { assertUrl, keyOf, ownerOf, type ServerOptions } from '../http/serverOptions.ts'
import { normalizeNumbers } from '../optionRanges.ts'
import { restartableSource } from './restartableSource.ts'
import type { Source, SourceListener } from './source.ts'

/** The options of a polling source. */
export interface PollingSourceOptions extends ServerOptions {
  /** The interval between polls. Default: 10 seconds. */
  readonly pollIntervalMs?: number
}

/** Polls a server with conditional requests: unchanged configs are not transferred again. */
export function pollingSource(serverOptions: PollingSourceOptions): Source {
  const options = normalizeNumbers(serverOptions)
  assertUrl(options.url)
  const open = (listener: SourceListener): ConfigPoller => {
    const poller = new ConfigPoller(options, listener, { intervalMs: () => options.pollIntervalMs ?? 10_000 })
    poller.start()
    return poller
  }
  return restartableSource(`the server ${options.url}`, open, (owner) => owner === ownerOf(options, keyOf(options)))
}
