import { isProtected } from '@burgee/contract/schemas'
import type { StoredEnvironment } from '../../../../storage/resources/project.ts'
import type { FeatureState } from './featureState.ts'

/**
 * The protected environments that serve values of a feature: those where it is on, and those with `ofrepOffValues` if
 * it has an off value.
 */
export function protectedServingEnvironments(
  state: FeatureState,
  environments: readonly StoredEnvironment[]
): readonly StoredEnvironment[] {
  const active = new Set(
    state.configurations.filter(({ status }) => status === 'active').map(({ _environment }) => _environment)
  )
  return environments.filter(
    (environment) => isProtected(environment) && (active.has(environment._id) || servesOffValue(state, environment))
  )
}

/** Whether an environment serves an off value of a feature to some type of key (`toOffValues`). */
export function servesOffValue(
  { feature, variables }: FeatureState,
  { settings }: Pick<StoredEnvironment, 'settings'>
): boolean {
  if (settings.ofrepOffValues !== true || feature.status === 'archived') return false
  // A damaged feature without the setting is hidden.
  const isVisible = Object.values(feature.sdkVisibility ?? {}).includes(true)
  return isVisible && variables.length > 0 && feature.variations.length > 0
}
