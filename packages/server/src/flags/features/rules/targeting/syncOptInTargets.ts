import type { StoredConfiguration } from '../../../../storage/resources.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import type { FeatureState } from '../model/featureState.ts'
import { configurationFor, withConfiguration } from './configureEnvironment.ts'
import { isOptInTarget, optInTarget } from './optInTarget.ts'

/**
 * Gives a feature that users can opt in to a target for them in every environment, in the first place; takes these
 * targets away when it is opened to them no more.
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

/** Where nobody else has a target, the feature is switched off. */
function withoutOptInTargets(state: FeatureState): FeatureState {
  const configurations = state.configurations.map((configuration): StoredConfiguration => {
    const targets = configuration.targets.filter((target) => !isOptInTarget(target))
    return { ...configuration, targets, status: targets.length > 0 ? configuration.status : 'inactive' }
  })
  return { ...state, configurations }
}
