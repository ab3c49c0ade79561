import { type Config, ConfigError, type Evaluator, recompile } from '@burgee/core'
import type { FlagMetadata } from '@openfeature/server-sdk'
import { toFlagSetMetadata } from '../evaluation/flagMetadata.ts'
import { errorMessage } from '../lib/text.ts'
import type { ConfigUpdate } from '../sources/source.ts'
import { changedFlags } from './changedFlags.ts'
import { shareStructure } from './structuralSharing.ts'

/** What became of a delivery. */
export type UpdateResult =
  | { readonly type: 'taken'; readonly flagsChanged: readonly string[] }
  /** It is what is at hand already. */
  | { readonly type: 'known' }
  /** What is at hand is newer. */
  | { readonly type: 'older' }
  | { readonly type: 'malformed'; readonly message: string }

/** The config in use: the last good one that was delivered. */
export class CurrentConfig {
  #evaluator: Evaluator | undefined
  #config: Config | undefined
  #delivery: ConfigUpdate | undefined
  #flagSet: FlagMetadata = {}

  get evaluator(): Evaluator | undefined {
    return this.#evaluator
  }

  /** What telemetry is told of it. */
  get flagSet(): FlagMetadata {
    return this.#flagSet
  }

  /** Puts a delivered document in use, unless it is malformed, or not newer than what is. It never throws. */
  apply(delivery: ConfigUpdate): UpdateResult {
    const isSameEnvironment = environmentOf(delivery.config) === this.#config?.environment._id
    if (isSameEnvironment && this.#delivery) {
      const { etag, lastModified, owner } = this.#delivery
      // What another key leads to is taken, though it says the same: the copy is of that key from now on.
      if (etag !== undefined && etag === delivery.etag && owner === delivery.owner) return { type: 'known' }
      if (isOlderThan(delivery.lastModified, lastModified)) return { type: 'older' }
    }
    try {
      return this.#use(delivery)
    } catch (error) {
      const what = error instanceof ConfigError ? error.message : errorMessage(error)
      return { type: 'malformed', message: `the document is not a config: ${what}` }
    }
  }

  #use(delivery: ConfigUpdate): UpdateResult {
    const before = this.#config
    // The compiler reads it as a document of unknown shape, and refuses what is not a config.
    const document = delivery.config as Config
    const config = before ? withSharedParts(before, document) : document
    const evaluator = recompile(config, this.#evaluator)
    const flagsChanged = changedFlags(before, config)
    this.#evaluator = evaluator
    this.#config = config
    this.#delivery = delivery
    this.#flagSet = toFlagSetMetadata(config, delivery)
    return { type: 'taken', flagsChanged }
  }
}

/** The document with the parts of the previous one; one that is too malformed for that stays as it is, for the compiler to say why. */
function withSharedParts(previous: Config, next: Config): Config {
  try {
    return shareStructure(previous, next)
  } catch {
    return next
  }
}

function isOlderThan(offered: number | undefined, known: number | undefined): boolean {
  return offered !== undefined && known !== undefined && offered < known
}

function environmentOf(config: unknown): unknown {
  return (config as { environment?: { _id?: unknown } } | null | undefined)?.environment?._id
}
