import { ApiError } from '@burgee/contract/client'
import type { CreateFeature } from '@burgee/contract/schemas'
import type { ResourceChange } from '../difference/createPlan.ts'
import { type ApplyContext, desired } from './applyContext.ts'
import { needsOneRequest } from './applyFeature.ts'
import { newFeatureBody } from './requestBodies.ts'

/** New features that are created in requests of several: the server compiles its configs once for each request. */
export interface FeatureBatches {
  /**
   * Creates a feature together with those after it. Returns whether it was created; the others are left to a request
   * of their own, which tells why. @throws {ApiError} 429, after which it can be called again.
   */
  readonly create: (change: ResourceChange) => Promise<boolean>
  readonly isCreated: (change: ResourceChange) => boolean
}

/** @param isBlocked Whether a change cannot be made, since something that it refers to failed. */
export function openFeatureBatches(
  changes: readonly ResourceChange[],
  { session: { client }, server }: ApplyContext,
  isBlocked: (change: ResourceChange) => boolean
): FeatureBatches {
  const waiting = new Set(changes.filter(needsOneRequest))
  const created = new Set<ResourceChange>()
  return {
    isCreated: (change) => created.has(change),
    create: async (change) => {
      if (created.has(change)) return true
      if (!waiting.has(change)) return false
      const batch = takeBatch(waiting, isBlocked)
      if (batch.size < 2) return false
      const params = { project: server.key }
      const isDone = await client.createFeatures({ params, body: [...batch.values()] }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 429) throw error
          return false
        }
      )
      for (const one of batch.keys()) {
        waiting.delete(one)
        if (isDone) created.add(one)
      }
      return created.has(change)
    }
  }
}

/** The API takes 100. A transaction of fewer keeps other writes waiting for less time. */
const MAX_FEATURES = 50

/** Requests of the API have at most 1 MiB, and their responses are some times larger. */
const MAX_CHARACTERS = 200_000

function takeBatch(
  changes: Iterable<ResourceChange>,
  isBlocked: (change: ResourceChange) => boolean
): ReadonlyMap<ResourceChange, CreateFeature> {
  const batch = new Map<ResourceChange, CreateFeature>()
  let characters = 0
  for (const change of changes) {
    if (isBlocked(change)) continue
    const body = newFeatureBody(change.key, desired(change, {}))
    characters += JSON.stringify(body).length
    if (batch.size === MAX_FEATURES || (batch.size > 0 && characters > MAX_CHARACTERS)) break
    batch.set(change, body)
  }
  return batch
}
