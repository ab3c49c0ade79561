import type { StoredFeature, StoredVariable } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/** A feature of the store, with what belongs to it. */
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

/** Variables have no order of their own: the values of the first variation tell it. */
function inValueOrder(variables: readonly StoredVariable[], { variations }: StoredFeature): readonly StoredVariable[] {
  const places = new Map(variations[0]?.variables.map(({ _var }, index) => [_var, index]))
  const placeOf = ({ _id }: StoredVariable) => places.get(_id) ?? places.size
  return [...variables].sort((one, other) => placeOf(one) - placeOf(other))
}
