import type { FeatureUndo } from '../../../storage/resources/history.ts'
import { detachVariable, type FeatureState } from './model/featureState.ts'

/** Undoes changes, the newest first. Returns undefined when one of them created the feature. */
export function revertState(state: FeatureState, undos: readonly FeatureUndo[]): FeatureState | undefined {
  const { features, configurations, variables } = undos.reduce(applyUndo, toItemsById(state))
  const feature = features.get(state.feature._id)
  if (!feature) return undefined
  const leaving = [...variables.values()].filter(({ _id, _feature }) => {
    return _feature !== feature._id && state.variables.some((variable) => variable._id === _id)
  })
  return {
    feature,
    configurations: [...configurations.values()],
    variables: [...variables.values()].filter(({ _feature }) => _feature === feature._id),
    // A variable from an archived feature returns there only when the entry of that feature is reverted.
    detachedVariables: leaving.map(detachVariable)
  }
}

/** The items of a feature by id. */
interface ItemsById {
  readonly features: ReadonlyMap<string, FeatureState['feature']>
  readonly configurations: ReadonlyMap<string, FeatureState['configurations'][number]>
  readonly variables: ReadonlyMap<string, FeatureState['variables'][number]>
}

function toItemsById({ feature, configurations, variables }: FeatureState): ItemsById {
  return { features: byId([feature]), configurations: byId(configurations), variables: byId(variables) }
}

function applyUndo(items: ItemsById, { features, configurations, variables, added }: FeatureUndo): ItemsById {
  const before = <T extends { readonly _id: string }>(present: ReadonlyMap<string, T>, former: readonly T[]) => {
    const kept = [...present.values()].filter(({ _id }) => !added.includes(_id))
    return byId([...kept, ...former])
  }
  return {
    features: before(items.features, features),
    configurations: before(items.configurations, configurations),
    variables: before(items.variables, variables)
  }
}

function byId<T extends { readonly _id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item._id, item]))
}
