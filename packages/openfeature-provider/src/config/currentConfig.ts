import { type Config, ConfigError, type Evaluator, recompile } from '@burgee/core'
import type { FlagMetadata } from '@openfeature/server-sdk'
import { toFlagSetMetadata } from '../evaluation/flagMetadata.ts'
import { errorMessage } from '../lib/text.ts'
import type { ConfigUpdate } from '../sources/source.ts'
import { changedFlags } from './changedFlags.ts'
import { shareStructure } from './structuralSharing.ts'

/** The result of an update. */
export type UpdateResult =
  | { readonly type: 'applied'; readonly flagsChanged: readonly string[] }
  /** The config in use has the same ETag. */
  | { readonly type: 'unchanged' }
  /** The config in use is newer. */
  | { readonly type: 'older' }
  | { readonly type: 'malformed'; readonly message: string }

/** The config in use: the last valid one that a source delivered. */
export class CurrentConfig {
  #evaluator: Evaluator | undefined
  #config: Config | undefined
  #update: ConfigUpdate | undefined
  #flagSet: FlagMetadata = {}

  get evaluator(): Evaluator | undefined {
    return this.#evaluator
  }

  /** Identifies the config in telemetry. */
  get flagSet(): FlagMetadata {
    return this.#flagSet
  }

  /** Uses a document, unless it is malformed or older than the one in use. Never throws. */
  apply(update: ConfigUpdate): UpdateResult {
    const hasSameEnvironment = environmentOf(update.config) === this.#config?.environment._id
    if (hasSameEnvironment && this.#update) {
      const { etag, lastModified, owner } = this.#update
      // The same document for a different key is applied: the cache file must contain the new owner.
      if (etag !== undefined && etag === update.etag && owner === update.owner) return { type: 'unchanged' }
      if (isOlderThan(update.lastModified, lastModified)) return { type: 'older' }
    }
    try {
      return this.#compile(update)
    } catch (error) {
      const reason = error instanceof ConfigError ? error.message : errorMessage(error)
      return { type: 'malformed', message: `the document is not a config: ${reason}` }
    }
  }

  #compile(update: ConfigUpdate): UpdateResult {
    const before = this.#config
    // The compiler accepts a document of unknown shape and throws unless it is a config.
    const document = update.config as Config
    const config = before ? withSharedParts(before, document) : document
    const evaluator = recompile(config, this.#evaluator)
    const flagsChanged = changedFlags(before, config)
    this.#evaluator = evaluator
    this.#config = config
    this.#update = update
    this.#flagSet = toFlagSetMetadata(config, update)
    return { type: 'applied', flagsChanged }
  }
}

/**
 * Reuses the unchanged parts of the previous config. Returns a malformed document unchanged; the compiler reports
 * why.
 */
function withSharedParts(previous: Config, next: Config): Config {
  try {
    return shareStructure(previous, next)
  } catch {
    return next
  }
}

function isOlderThan(next: number | undefined, current: number | undefined): boolean {
  return next !== undefined && current !== undefined && next < current
}

function environmentOf(config: unknown): unknown {
  return (config as { environment?: { _id?: unknown } } | null | undefined)?.environment?._id
}
