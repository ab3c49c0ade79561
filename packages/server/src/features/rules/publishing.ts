import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract'
import { demand } from '../../access/demand.ts'
import type { TokenCaller } from '../../caller.ts'
import type { StoredConfiguration, StoredEnvironment } from '../../store/resources.ts'
import { differencesOf, isNothing } from './differences.ts'
import type { FeatureState } from './featureState.ts'

/** A feature on both sides of a change; before its creation there is none. */
export interface Change {
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
export function demandPublishing(caller: TokenCaller, change: Change): void {
  const isGuarded = caller.access.mode === 'full' && changesProtected(change)
  if (isGuarded || ends(change) || changesLive(change)) {
    demand(caller, 'feature:publish', change.after.feature._project)
  }
}

/**
 * Whether a caller may change anything of what a feature does in an environment: where not, `demandPublishing` refuses
 * whatever they try. Of a configuration nothing is said before there is one.
 */
export function mayConfigure(
  { access }: Pick<TokenCaller, 'access'>,
  environment: Pick<StoredEnvironment, 'type' | '_project'>,
  configuration: Pick<StoredConfiguration, 'status'> | undefined
): boolean {
  const isGuarded = isProtected(environment) && (access.mode === 'full' || configuration?.status === 'active')
  const isOpen = !isGuarded || access.allows('feature:publish', environment._project)
  return isOpen && access.allows('feature:write', environment._project)
}

/** Whether a change is one of targeting in a protected environment. */
export function changesProtected(change: Change): boolean {
  return !isNothing(differencesOf(inProtected(change.before, change), inProtected(change.after, change)))
}

/** Whether a feature becomes complete or archived, or complete with another variation. */
function ends({ before, after: { feature } }: Change): boolean {
  if (feature.status === 'active') return false
  return feature.status !== before?.feature.status || feature.staticVariation !== before.feature.staticVariation
}

function changesLive(change: Change): boolean {
  const isLive = ({ status }: StoredConfiguration) => status === 'active'
  const was = inProtected(change.before, change).filter(isLive)
  const is = inProtected(change.after, change).filter(isLive)
  if (was.length === 0 && is.length === 0) return false
  return !isNothing(differencesOf(was, is)) || hasOtherContents(change)
}

function inProtected(state: FeatureState | undefined, { environments }: Change): readonly StoredConfiguration[] {
  const guarded = new Set(environments.filter(isProtected).map(({ _id }) => _id))
  return (state?.configurations ?? []).filter(({ _environment }) => guarded.has(_environment))
}

/** Whether its key, variables, their values, or those who see them are others. */
function hasOtherContents({ before, after }: Change): boolean {
  if (!before) return false
  const variations = differencesOf(before.feature.variations, after.feature.variations)
  const variables = differencesOf(before.variables, after.variables)
  const isSeenAlike = isDeepStrictEqual(before.feature.sdkVisibility, after.feature.sdkVisibility)
  const isRenamed = before.feature.key !== after.feature.key
  return isRenamed || !isSeenAlike || !isNothing(variations) || !isNothing(variables)
}
