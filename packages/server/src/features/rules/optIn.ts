import type { StoredConfiguration } from '../../store/resources.ts'
import { configurationOf, withConfiguration } from './configuration.ts'
import type { FeatureContext } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'
import { isOptIn, toOptInTarget } from './optInTarget.ts'

/**
 * Gives a feature that users can opt in to a target for them in every environment, in the first place; takes these
 * targets away when it is opened to them no more.
 */
export function followOptIn(before: FeatureState, after: FeatureState, context: FeatureContext): FeatureState {
  const { feature } = after
  if (feature.status !== 'active') return after
  if (feature.settings.optInEnabled) return context.project.settings.optIn.enabled ? opened(after, context) : after
  return before.feature.settings.optInEnabled ? closed(after) : after
}

function opened(state: FeatureState, context: FeatureContext): FeatureState {
  const [variation] = state.feature.variations
  if (!variation) return state
  return context.environments.reduce((next, environment) => {
    const configuration = configurationOf(next, environment, context)
    if (configuration.targets.some(isOptIn)) return next
    const target = toOptInTarget(variation, context.id)
    return withConfiguration(next, { ...configuration, targets: [target, ...configuration.targets] })
  }, state)
}

/** Where nobody else has a target, the feature is switched off. */
function closed(state: FeatureState): FeatureState {
  const configurations = state.configurations.map((configuration): StoredConfiguration => {
    const targets = configuration.targets.filter((target) => !isOptIn(target))
    return { ...configuration, targets, status: targets.length > 0 ? configuration.status : 'inactive' }
  })
  return { ...state, configurations }
}
