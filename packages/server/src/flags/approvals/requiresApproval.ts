import { isDeepStrictEqual } from 'node:util'
import { isEmptyDiff } from '../features/rules/model/diffItems.ts'
import type { FeatureDiff } from '../features/rules/model/featureDiff.ts'
import type { FeatureState } from '../features/rules/model/featureState.ts'

/**
 * Whether a change needs approval in a project with approvals: it changes the configuration of a protected environment,
 * or a shared part of a feature that a protected environment serves (docs/reference/management.md, Change requests).
 */
export function requiresApproval(diff: FeatureDiff): boolean {
  return diff.changesProtectedTargeting || (isServedInProtected(diff) && changesSharedParts(diff))
}

/** Whether a protected environment serves the feature before or after the change. An archived feature is not served. */
function isServedInProtected({ isLive, before, after }: FeatureDiff): boolean {
  return isLive && [before, after].some((state) => state !== undefined && state.feature.status !== 'archived')
}

/** Whether a change affects what all environments share: anything but their configurations. */
export function changesSharedParts({ before, after, storedVariables }: FeatureDiff): boolean {
  return !isEmptyDiff(storedVariables) || !isDeepStrictEqual(before && sharedFields(before), sharedFields(after))
}

function sharedFields({ feature }: FeatureState): object {
  const { updatedAt, prodTargetingUpdatedAt, ...fields } = feature
  return fields
}
