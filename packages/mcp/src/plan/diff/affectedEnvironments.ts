import { isDeepStrictEqual } from 'node:util'
import type { AffectedEnvironment } from '../state/affectedEnvironment.ts'
import { type ConfigurationState, type FeatureState, isOn } from '../state/featureState.ts'
import { variableTree } from './featureTree.ts'

/**
 * Returns the environments in which users are affected: the environments where the feature is on, if their configuration
 * or a part that all environments share changes.
 */
export function affectedEnvironments(before: FeatureState, after: FeatureState): readonly AffectedEnvironment[] {
  const isSharedChanged = !isDeepStrictEqual(sharedState(before), sharedState(after))
  return after.configurations
    .filter((configuration, index) => {
      const earlier = before.configurations[index]
      const isEnabled = isOn(configuration) || (earlier !== undefined && isOn(earlier))
      return isEnabled && (isSharedChanged || !isDeepStrictEqual(earlier, configuration))
    })
    .map(({ environment }) => toAffected(environment))
}

/** The parts that affect users in every environment. */
function sharedState({ status, key, variables, variations, sdkVisibility, settings }: FeatureState) {
  const parts = { status, key, variables: variables.map(variableTree), variations, sdkVisibility, settings }
  // Drops `undefined` members, which `isDeepStrictEqual` would count as differences.
  return JSON.parse(JSON.stringify(parts))
}

/** Returns the environments in which a feature is on. */
export function enabledEnvironments({
  configurations
}: Pick<FeatureState, 'configurations'>): readonly AffectedEnvironment[] {
  return configurations.filter(isOn).map(({ environment }) => toAffected(environment))
}

function toAffected({ key, type }: ConfigurationState['environment']): AffectedEnvironment {
  return { key, type }
}
