import { type Config, evaluationMetadata, toUser } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import type { EvaluationContext, FlagMetadata } from '@openfeature/server-sdk'
import type { ConfigUpdate } from '../sources/source.ts'

/**
 * Identifies the flags of a config and their version, by the names that OpenFeature's telemetry reads from flag
 * metadata.
 */
export function toFlagSetMetadata(
  { project, environment }: Config,
  { etag, lastModified }: ConfigUpdate
): FlagMetadata {
  const version = etag?.replace(/^(?:W\/)?"(.*)"$/, '$1') ?? (lastModified && new Date(lastModified).toISOString())
  return { flagSetId: `${project.key}/${environment.key}`, ...(version ? { version } : {}) }
}

const EMPTY: FlagMetadata = Object.freeze({})

/** Returns the id of the user, unless the context has a `targetingKey`, which telemetry reads directly. */
function toContextId(context: EvaluationContext): FlagMetadata {
  const contextId = context.targetingKey ? undefined : toUser(context).user.user_id
  return contextId ? { contextId } : EMPTY
}

/** Creates the metadata of resolution details. Evaluations with the same result share an object. */
export class FlagMetadataCache {
  readonly #includesEvaluation: boolean
  #flagSet: FlagMetadata | undefined
  #cache = new WeakMap<FlagMetadata, FlagMetadata>()

  /** @param includesEvaluation Whether to include members that explain the evaluation and that telemetry reads. */
  constructor(includesEvaluation: boolean) {
    this.#includesEvaluation = includesEvaluation
  }

  /** Returns the metadata of a flag. The flag's own members take precedence. */
  get(evaluated: FlagMetadata | undefined, flagSet: FlagMetadata, context: EvaluationContext): FlagMetadata {
    const metadata = evaluated ?? EMPTY
    if (flagSet !== this.#flagSet) {
      this.#flagSet = flagSet
      this.#cache = new WeakMap()
    }
    const cached = this.#cache.get(metadata)
    const contextId = this.#includesEvaluation ? toContextId(context) : EMPTY
    if (contextId !== EMPTY) return { ...flagSet, ...contextId, ...metadata }
    if (cached) return cached
    const result = this.#includesEvaluation ? { ...flagSet, ...metadata } : ownMetadata(metadata)
    // Frozen metadata never change, so evaluations can share the result.
    if (Object.isFrozen(metadata)) this.#cache.set(metadata, Object.freeze(result))
    return result
  }
}

const reservedNames: readonly string[] = evaluationMetadata

/** Returns the metadata that the flag itself defines: its scalar members, without those that explain an evaluation. */
export function ownMetadata(metadata: unknown): FlagMetadata {
  const members = Object.entries(isRecord(metadata) ? metadata : {}).filter(
    (member): member is [string, string | number | boolean] => {
      return ['string', 'number', 'boolean'].includes(typeof member[1]) && !reservedNames.includes(member[0])
    }
  )
  return Object.fromEntries(members)
}
