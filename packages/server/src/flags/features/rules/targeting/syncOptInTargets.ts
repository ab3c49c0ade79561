import type { StoredConfiguration } from '../../../../storage/resources/feature.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import type { FeatureState } from '../model/featureState.ts'
import { isOptInTarget, optInTarget } from './builtInTargets.ts'
import { configurationFor, withConfiguration } from './configureEnvironment.ts'

/**
 * Puts an opt-in target first in every environment of a feature that allows opt-in, and removes these targets when the
 * feature stops allowing it.
 */
export function syncOptInTargets(before: FeatureState, after: FeatureState, context: FeatureContext): FeatureState {
  const { feature } = after
  if (feature.status !== 'active') return after
  if (feature.settings.optInEnabled)
    return context.project.settings.optIn.enabled ? withOptInTargets(after, context) : after
  return before.feature.settings.optInEnabled ? withoutOptInTargets(after) : after
}

function withOptInTargets(state: FeatureState, context: FeatureContext): FeatureState {
  const [variation] = state.feature.variations
  if (!variation) return state
  return context.environments.reduce((next, environment) => {
    const configuration = configurationFor(next, environment, context)
    if (configuration.targets.some(isOptInTarget)) return next
    const target = optInTarget(variation, context.id)
    return withConfiguration(next, { ...configuration, targets: [target, ...configuration.targets] })
  }, state)
}

/** Turns the feature off where no other target remains. */
function withoutOptInTargets(state: FeatureState): FeatureState {
  const configurations = state.configurations.map((configuration): StoredConfiguration => {
    const targets = configuration.targets.filter((target) => !isOptInTarget(target))
    return { ...configuration, targets, status: targets.length > 0 ? configuration.status : 'inactive' }
  })
  return { ...state, configurations }
}
