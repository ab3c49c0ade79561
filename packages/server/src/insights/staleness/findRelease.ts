import { variationForAll } from '@burgee/contract/rules'
import type { StoredConfiguration } from '../../storage/resources/feature.ts'

interface ReleaseContext {
  /** Whether users outside a target's rollout are passed to the next target. */
  readonly allowsPassthrough: boolean
  readonly now: number
}

/** Finds the single variation that all users of an environment get, and an upper bound of when that began. */
export function findRelease(
  configuration: StoredConfiguration,
  context: ReleaseContext
): { readonly variation: string; readonly since: number } | undefined {
  const found = variationForAll(configuration, context)
  if (found.variation === null) return undefined
  const { updatedAt, startedAt = updatedAt } = configuration
  return { variation: found.variation, since: Math.max(Date.parse(updatedAt), Date.parse(startedAt), found.since) }
}
