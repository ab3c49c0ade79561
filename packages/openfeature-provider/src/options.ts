import type { Config } from '@burgee/core'
import { type Logger, ProviderFatalError } from '@openfeature/server-sdk'
import type { EventOptions } from './events/eventRecorder.ts'
import type { StreamOptions } from './http/eventStream.ts'
import { assertUrl, keyOf, type ServerOptions } from './http/serverOptions.ts'
import { errorMessage } from './lib/text.ts'
import { normalizeNumbers } from './optionRanges.ts'
import type { Source } from './sources/source.ts'
import { streamingSource } from './sources/streamingSource.ts'

/**
 * The options of a provider: a server, a source of configs, or both. With both, the source provides the config and the
 * server receives events.
 */
export type ProviderOptions = CommonOptions &
  (
    | (ServerOptions & { readonly source?: Source })
    | { readonly url?: never; readonly sdkKey?: never; readonly source: Source }
  )

/** The options that do not depend on the source. */
export interface CommonOptions extends StreamOptions {
  /** A config, or a function that returns one, for use until the source delivers one. */
  readonly bootstrap?: Config | (() => Config | Promise<Config>)
  /** The file that stores the last valid config for the next start. */
  readonly cacheFile?: string
  /** The age in milliseconds after which an unconfirmed config evaluates with the reason `STALE`. Default: no limit. */
  readonly maxAge?: number
  /** How long `initialize` waits for a config. Default: 5 seconds. */
  readonly initTimeoutMs?: number
  /** How long the source may be unavailable before the status is `STALE`. Default: 5 seconds. */
  readonly staleAfterMs?: number
  /** How long the source may be unavailable before the status is `ERROR`. Default: 1 minute. */
  readonly errorAfterMs?: number
  /** How often the server is polled while its stream is down. Default: 10 seconds. */
  readonly pollIntervalMs?: number
  /** How often the server is polled while its stream is open. Default: 10 minutes. */
  readonly safetyPollMs?: number
  /** Whether flags are evaluated in this process or on the server. Default: `inProcess`. */
  readonly evaluation?: 'inProcess' | 'remote'
  /** Which events are sent to the server; `false` sends none. */
  readonly events?: EventOptions | false
  /** Whether metadata explains the evaluation. Default: `true`. A flag's own metadata is always included. */
  readonly flagMetadata?: boolean
  /** Receives warnings about the source. Default: OpenFeature's console logger. */
  readonly logger?: Logger
  /** Returns the current time, as for rollouts and events, in epoch milliseconds. Default: the system clock. */
  readonly now?: () => number
}

/** Returns the server options, if there is a server. */
export function toServerOptions({ url, sdkKey, ...rest }: ProviderOptions): ServerOptions | undefined {
  return url === undefined || sdkKey === undefined ? undefined : { url, sdkKey, ...rest }
}

/** The evaluation mode. */
export type Mode = RemoteMode | InProcessMode

/** Flags are evaluated on the server. */
export interface RemoteMode {
  readonly evaluation: 'remote'
  readonly server: ServerOptions
}

/** Flags are evaluated in this process, and on the server while there is no config. */
export interface InProcessMode {
  readonly evaluation: 'inProcess'
  readonly source: Source
  readonly server: ServerOptions | undefined
}

/**
 * Returns the mode that the options select.
 *
 * @throws {ProviderFatalError} if the options are invalid. The provider becomes `FATAL`, and the application gets its
 * defaults.
 */
export function resolveMode(options: ProviderOptions): Mode {
  const { source, evaluation } = options
  const server = validServerOptions(options)
  if (evaluation === 'remote') {
    if (server) return { evaluation, server }
    throw new ProviderFatalError('evaluation "remote" needs a url and an sdkKey')
  }
  if (source) return { evaluation: 'inProcess', source, server }
  if (server) return { evaluation: 'inProcess', source: streamingSource(server), server }
  throw new ProviderFatalError('the provider needs a url and an sdkKey, or a source')
}

/**
 * Returns the options with every number in its range.
 *
 * @throws {ProviderFatalError} if a number is below its range.
 */
export function normalizeOptions(options: ProviderOptions): ProviderOptions {
  try {
    return normalizeNumbers(options)
  } catch (error) {
    throw new ProviderFatalError(errorMessage(error))
  }
}

function validServerOptions(options: ProviderOptions): ServerOptions | undefined {
  const { url, sdkKey } = options
  if (url === undefined) return undefined
  if (!sdkKey) throw new ProviderFatalError('the provider needs an sdkKey for the url')
  try {
    assertUrl(url)
    // A function may return a valid key later.
    if (typeof sdkKey !== 'function') keyOf({ sdkKey })
  } catch (error) {
    throw new ProviderFatalError(errorMessage(error))
  }
  return toServerOptions(options)
}
