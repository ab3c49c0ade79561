import type { StoredFeature, StoredVariable } from '../../storage/resources/feature.ts'
import type { Store } from '../../storage/store.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/** Reads the configurations and variables of a feature. */
export async function readFeatureState(store: Store, feature: StoredFeature): Promise<FeatureState> {
  const where = { _feature: feature._id }
  const [configurations, variables] = await Promise.all([
    store.collection('configurations').list({ where }),
    store.collection('variables').list({ where })
  ])
  return {
    feature,
    configurations: configurations.items,
    variables: inValueOrder(variables.items, feature),
    detachedVariables: []
  }
}

/** Sorts variables, which the store does not order, in the order of the values of the first variation. */
function inValueOrder(variables: readonly StoredVariable[], { variations }: StoredFeature): readonly StoredVariable[] {
  const positions = new Map(variations[0]?.variables.map(({ _var }, index) => [_var, index]))
  const positionOf = ({ _id }: StoredVariable) => positions.get(_id) ?? positions.size
  return [...variables].sort((one, other) => positionOf(one) - positionOf(other))
}
