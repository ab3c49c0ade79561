import { isProtected } from '@burgee/contract/schemas'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { StoredConfiguration } from '../../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../../storage/resources/project.ts'
import { changesContents, type FeatureDiff } from './model/featureDiff.ts'

/**
 * Asserts `feature:publish` for completing or archiving a feature, and for changes that affect what a protected
 * environment serves, including turning on or off, and off values; in mode `full`, for any change of a protected
 * environment (docs/reference/management.md, Permissions).
 * @throws {HttpError} 403
 */
export function assertCanPublish(caller: TokenCaller, diff: FeatureDiff): void {
  const changesGuarded = caller.access.mode === 'full' && diff.changesProtectedTargeting
  const changesServed = diff.changesLiveTargeting || (diff.isLive && changesContents(diff))
  if (changesGuarded || changesServed || endsFeature(diff)) {
    assertPermission(caller, 'feature:publish', diff.after.feature._project)
  }
}

/** Whether a feature becomes complete or archived, or complete with another variation. */
function endsFeature({ before, after: { feature } }: FeatureDiff): boolean {
  if (feature.status === 'active') return false
  return feature.status !== before?.feature.status || feature.staticVariation !== before.feature.staticVariation
}

/** Returns whether a caller may change a configuration at all; `undefined` stands for one that does not exist yet. */
export function canConfigure(
  { access }: Pick<TokenCaller, 'access'>,
  environment: Pick<StoredEnvironment, 'type' | '_project'>,
  configuration: Pick<StoredConfiguration, 'status'> | undefined
): boolean {
  const isGuarded = isProtected(environment) && (access.mode === 'full' || configuration?.status === 'active')
  const isOpen = !isGuarded || access.allows('feature:publish', environment._project)
  return isOpen && access.allows('feature:write', environment._project)
}
