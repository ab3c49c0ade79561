import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract/schemas'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { StoredConfiguration, StoredEnvironment } from '../../../storage/resources.ts'
import { diffItems, isEmptyDiff } from './model/diffItems.ts'
import type { FeatureState } from './model/featureState.ts'

/** A feature on both sides of a change; before its creation there is none. */
export interface FeatureDiff {
  readonly before: FeatureState | undefined
  readonly after: FeatureState
  readonly environments: readonly StoredEnvironment[]
}

/**
 * Demands the right to publish of those who complete or archive a feature, and of those who change what users of a
 * protected environment get, now or by switching on or off; where roles are told apart in full, of those who change
 * anything of a protected environment (`management.md` §3).
 * @throws {ApiError} 403
 */
export function assertCanPublish(caller: TokenCaller, change: FeatureDiff): void {
  const isGuarded = caller.access.mode === 'full' && changesProtectedTargeting(change)
  if (isGuarded || endsFeature(change) || changesActiveTargeting(change)) {
    assertPermission(caller, 'feature:publish', change.after.feature._project)
  }
}

/**
 * Whether a caller may change anything of what a feature does in an environment: where not, `demandPublishing` refuses
 * whatever they try. Of a configuration nothing is said before there is one.
 */
export function canConfigure(
  { access }: Pick<TokenCaller, 'access'>,
  environment: Pick<StoredEnvironment, 'type' | '_project'>,
  configuration: Pick<StoredConfiguration, 'status'> | undefined
): boolean {
  const isGuarded = isProtected(environment) && (access.mode === 'full' || configuration?.status === 'active')
  const isOpen = !isGuarded || access.allows('feature:publish', environment._project)
  return isOpen && access.allows('feature:write', environment._project)
}

/** Whether a change is one of targeting in a protected environment. */
export function changesProtectedTargeting(change: FeatureDiff): boolean {
  return !isEmptyDiff(
    diffItems(protectedConfigurations(change.before, change), protectedConfigurations(change.after, change))
  )
}

/** Whether a feature becomes complete or archived, or complete with another variation. */
function endsFeature({ before, after: { feature } }: FeatureDiff): boolean {
  if (feature.status === 'active') return false
  return feature.status !== before?.feature.status || feature.staticVariation !== before.feature.staticVariation
}

function changesActiveTargeting(change: FeatureDiff): boolean {
  const isLive = ({ status }: StoredConfiguration) => status === 'active'
  const was = protectedConfigurations(change.before, change).filter(isLive)
  const is = protectedConfigurations(change.after, change).filter(isLive)
  if (was.length === 0 && is.length === 0) return false
  return !isEmptyDiff(diffItems(was, is)) || changesContents(change)
}

function protectedConfigurations(
  state: FeatureState | undefined,
  { environments }: FeatureDiff
): readonly StoredConfiguration[] {
  const guarded = new Set(environments.filter(isProtected).map(({ _id }) => _id))
  return (state?.configurations ?? []).filter(({ _environment }) => guarded.has(_environment))
}

/** Whether its key, variables, their values, or those who see them are others. */
function changesContents({ before, after }: FeatureDiff): boolean {
  if (!before) return false
  const variations = diffItems(before.feature.variations, after.feature.variations)
  const variables = diffItems(before.variables, after.variables)
  const isSeenAlike = isDeepStrictEqual(before.feature.sdkVisibility, after.feature.sdkVisibility)
  const isRenamed = before.feature.key !== after.feature.key
  return isRenamed || !isSeenAlike || !isEmptyDiff(variations) || !isEmptyDiff(variables)
}
