import type { UpdateFeatureStatus } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../../lib/errors.ts'
import type { StoredConfiguration, StoredFeature, StoredVariable } from '../../../storage/resources/feature.ts'
import type { FeatureContext } from './model/featureContext.ts'
import type { FeatureState } from './model/featureState.ts'
import { allUsersTarget } from './targeting/builtInTargets.ts'
import { configurationFor } from './targeting/configureEnvironment.ts'
import { syncOptInTargets } from './targeting/syncOptInTargets.ts'
import { findVariation } from './variations/variations.ts'

/** Changes the status of a feature. Only `complete` changes its targets. */
export function applyStatusUpdate(
  state: FeatureState,
  { status, staticVariation = '' }: UpdateFeatureStatus,
  context: FeatureContext
): FeatureState {
  switch (status) {
    case 'complete':
      return completeFeature(state, staticVariation, context)
    case 'active':
      // The targets remain those of the static variation. Earlier ones are not restored.
      return syncOptInTargets(state, withStatus(state, 'active'), context)
    case 'archived':
      return withStatus(state, 'archived')
  }
}

/** Serves one variation to all users of every environment. The statuses of the configurations do not change. */
function completeFeature(state: FeatureState, reference: string, context: FeatureContext): FeatureState {
  const variation = findVariation(state.feature, reference)
  if (!variation) {
    const wanted = `the key or id of a variation of feature "${state.feature.key}"`
    throw badRequest([`staticVariation should be ${wanted}, got ${formatValue(reference)}`])
  }
  const { feature, ...rest } = withStatus(state, 'complete')
  const configurations = context.environments.map((environment): StoredConfiguration => {
    const configuration = configurationFor(state, environment, context)
    const isDone = state.feature.status === 'complete' && configuration.targets.length > 0
    if (isDone && state.feature.staticVariation === variation.key) return configuration
    return { ...configuration, targets: [allUsersTarget(variation, context.id)] }
  })
  return { ...rest, feature: { ...feature, staticVariation: variation.key }, configurations }
}

/** The status of the variables follows that of their feature. */
function withStatus({ feature, variables, ...rest }: FeatureState, status: StoredFeature['status']): FeatureState {
  const { staticVariation, ...members } = feature
  const variableStatus: StoredVariable['status'] = status === 'archived' ? 'archived' : 'active'
  return {
    ...rest,
    feature: { ...members, status },
    variables: variables.map((variable) => ({ ...variable, status: variableStatus }))
  }
}
