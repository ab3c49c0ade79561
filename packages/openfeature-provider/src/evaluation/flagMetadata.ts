import { type Config, toUser } from '@burgee/core'
import type { EvaluationContext, FlagMetadata } from '@openfeature/server-sdk'
import { ownMetadata } from '../metadata.ts'
import type { ConfigUpdate } from '../sources/source.ts'

/** Which flags a config holds and in which state, by the names under which OpenFeature's telemetry looks for it in a flag's metadata. */
export function toFlagSetMetadata(
  { project, environment }: Config,
  { etag, lastModified }: ConfigUpdate
): FlagMetadata {
  const version = etag?.replace(/^(?:W\/)?"(.*)"$/, '$1') ?? (lastModified && new Date(lastModified).toISOString())
  return { flagSetId: `${project.key}/${environment.key}`, ...(version ? { version } : {}) }
}

const EMPTY: FlagMetadata = Object.freeze({})

/** Whom a flag was evaluated for, where the context says it otherwise than by the `targetingKey` that telemetry reads by itself. */
function toContextId(context: EvaluationContext): FlagMetadata {
  const contextId = context.targetingKey ? undefined : toUser(context).user.user_id
  return contextId ? { contextId } : EMPTY
}

/** Makes the metadata that an application is told of a flag: once for all evaluations that answer the same. */
export class FlagMetadataCache {
  readonly #isExplained: boolean
  #flagSet: FlagMetadata | undefined
  #known = new WeakMap<FlagMetadata, FlagMetadata>()

  /** @param isExplained Whether it says where a value comes from, and what telemetry looks for. */
  constructor(isExplained: boolean) {
    this.#isExplained = isExplained
  }

  /** What is told of a flag by a config; its own metadata win. */
  get(given: FlagMetadata | undefined, flagSet: FlagMetadata, context: EvaluationContext): FlagMetadata {
    const metadata = given ?? EMPTY
    if (flagSet !== this.#flagSet) {
      this.#flagSet = flagSet
      this.#known = new WeakMap()
    }
    const known = this.#known.get(metadata)
    const contextId = this.#isExplained ? toContextId(context) : EMPTY
    if (contextId !== EMPTY) return { ...flagSet, ...contextId, ...metadata }
    if (known) return known
    const told = this.#isExplained ? { ...flagSet, ...metadata } : ownMetadata(metadata)
    // Those that do not change are shared by evaluations.
    if (Object.isFrozen(metadata)) this.#known.set(metadata, Object.freeze(told))
    return told
  }
}
