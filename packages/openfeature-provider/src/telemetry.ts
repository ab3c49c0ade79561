import { type Config, toUser } from '@burgee/core'
import type { EvaluationContext, FlagMetadata } from '@openfeature/server-sdk'
import type { Delivery } from './source.ts'

/** Which flags a config holds and in which state, by the names under which OpenFeature's telemetry looks for it in a flag's metadata. */
export function toFlagSet({ project, environment }: Config, { etag, lastModified }: Delivery): FlagMetadata {
  const version = etag?.replace(/^(?:W\/)?"(.*)"$/, '$1') ?? (lastModified && new Date(lastModified).toISOString())
  return { flagSetId: `${project.key}/${environment.key}`, ...(version ? { version } : {}) }
}

/** Whom a flag was evaluated for, where the context says it otherwise than by the `targetingKey` that telemetry reads by itself. */
export function toContextId(context: EvaluationContext): FlagMetadata {
  const contextId = context.targetingKey ? undefined : toUser(context).user.user_id
  return contextId ? { contextId } : {}
}
