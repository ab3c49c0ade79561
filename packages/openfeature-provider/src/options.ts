import type { Config } from '@burgee/core'
import { type Logger, ProviderFatalError } from '@openfeature/server-sdk'
import type { EventOptions } from './events/eventRecorder.ts'
import type { StreamOptions } from './http/eventStream.ts'
import { assertUrl, keyOf, type ServerOptions } from './http/serverOptions.ts'
import { errorMessage } from './lib/text.ts'
import { normalizeNumbers } from './optionRanges.ts'
import type { Source } from './sources/source.ts'
import { streamingSource } from './sources/streamingSource.ts'

/** What a provider is made with: a server, a source of configs, or both; then the source gives the config and the server takes events. */
export type ProviderOptions = CommonOptions &
  (
    | (ServerOptions & { readonly source?: Source })
    | { readonly url?: never; readonly sdkKey?: never; readonly source: Source }
  )

/** What every provider can be told. */
export interface CommonOptions extends StreamOptions {
  /** A config to start with while the source has none, or a function that gives one. */
  readonly bootstrap?: Config | (() => Config | Promise<Config>)
  /** A file that keeps the last good config for the next start. */
  readonly cacheFile?: string
  /** How long a config counts as current that its source does not confirm, milliseconds; older ones are used with the reason `STALE`. No limit unless said. */
  readonly maxAge?: number
  /** How long `initialize` waits for a config; 5 seconds unless said otherwise. */
  readonly initTimeoutMs?: number
  /** How long the source may be away before the status is `STALE`; 5 seconds unless said otherwise. */
  readonly staleAfterMs?: number
  /** How long it may be away before the status is `ERROR`; 1 minute unless said otherwise. */
  readonly errorAfterMs?: number
  /** How often the server is polled while its stream is down; 10 seconds unless said otherwise. */
  readonly pollIntervalMs?: number
  /** How often it is polled while the stream is open; 10 minutes unless said otherwise. */
  readonly safetyPollMs?: number
  /** Where flags are evaluated: in this process, or by the server; in process unless said otherwise. */
  readonly evaluation?: 'inProcess' | 'remote'
  /** Which events go to the server; `false` sends none. */
  readonly events?: EventOptions | false
  /** Whether metadata tell where a value comes from; they do unless this is `false`. A flag's own metadata are always told. */
  readonly flagMetadata?: boolean
  /** Where the provider says what goes wrong with its source; OpenFeature's logger for the console unless said otherwise. */
  readonly logger?: Logger
  /** The time that rollouts go by, epoch milliseconds, instead of the clock. */
  readonly now?: () => number
}

/** The server that options name, if they name one. */
export function toServerOptions({ url, sdkKey, ...rest }: ProviderOptions): ServerOptions | undefined {
  return url === undefined || sdkKey === undefined ? undefined : { url, sdkKey, ...rest }
}

/** Where flags are evaluated, and with what. */
export type Mode = RemoteMode | InProcessMode

/** Flags are evaluated by the server. */
export interface RemoteMode {
  readonly evaluation: 'remote'
  readonly server: ServerOptions
}

/** Flags are evaluated in this process, and by the server while there is no config. */
export interface InProcessMode {
  readonly evaluation: 'inProcess'
  readonly source: Source
  readonly server: ServerOptions | undefined
}

/**
 * The mode that options ask for.
 *
 * @throws {ProviderFatalError} when they can never work, which says what they should be. The provider is in the state `FATAL` then, and the application goes on with its defaults.
 */
export function resolveMode(options: ProviderOptions): Mode {
  const { source, evaluation } = options
  const server = assertedServerOptions(options)
  if (evaluation === 'remote') {
    if (server) return { evaluation, server }
    throw new ProviderFatalError('evaluation "remote" needs a url and an sdkKey')
  }
  if (source) return { evaluation: 'inProcess', source, server }
  if (server) return { evaluation: 'inProcess', source: streamingSource(server), server }
  throw new ProviderFatalError('the provider needs a url and an sdkKey, or a source')
}

/**
 * Options whose numbers are in their ranges.
 *
 * @throws {ProviderFatalError} when one is out of its range.
 */
export function normalizeOptions(options: ProviderOptions): ProviderOptions {
  try {
    return normalizeNumbers(options)
  } catch (error) {
    throw new ProviderFatalError(errorMessage(error))
  }
}

function assertedServerOptions(options: ProviderOptions): ServerOptions | undefined {
  const { url, sdkKey } = options
  if (url === undefined) return undefined
  if (!sdkKey) throw new ProviderFatalError('the provider needs an sdkKey for the url')
  try {
    assertUrl(url)
    // A function may return a good key later.
    if (typeof sdkKey !== 'function') keyOf({ sdkKey })
  } catch (error) {
    throw new ProviderFatalError(errorMessage(error))
  }
  return toServerOptions(options)
}
