import type { SdkKeyType } from '@burgee/contract'
import { isPublicKeyType } from '@burgee/contract/rules'
import type { Config, Variable } from '@burgee/core'
import { hasSameItems, memoizeByIdentity } from '../../lib/object.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import type { ConfigInput } from './configSources.ts'

/** The features that a type of key sees, and their variables. */
interface SdkView {
  readonly visible: readonly ConfigView<'features'>[]
  readonly variables: readonly Variable[]
  readonly variablesOf: (feature: ConfigView<'features'>) => readonly ConfigView<'variables'>[]
}

/** A type of key, or `all` for every feature regardless of its visibility, as explanations need it. */
export type ViewKind = SdkKeyType | 'all'

type ViewInput = Pick<ConfigInput, 'features' | 'variables'>

/** Returns what a type of key sees of a project. Equal lists yield identical objects. */
export function viewFor(keyType: ViewKind, { features, variables }: ViewInput): SdkView {
  return views[keyType](features, variables)
}

/** Whether two types of key see the same features and variables, so that one config serves both. */
export function hasSameView(resources: ViewInput, one: SdkKeyType, other: SdkKeyType): boolean {
  const [first, second] = [viewFor(one, resources), viewFor(other, resources)]
  return hasSameItems(first.visible, second.visible) && hasSameItems(first.variables, second.variables)
}

/** Whether a config of a type of key names no feature or variable that has been hidden from that type since. */
export function revealsNothingHidden(config: Config, { features, variables }: ViewInput, keyType: SdkKeyType): boolean {
  const hidden = new Set(features.filter((feature) => !isVisible(feature, keyType)).map(({ _id }) => _id))
  const hiddenVariables = variables.filter(({ _feature }) => _feature !== undefined && hidden.has(_feature))
  const ids = new Set([...hidden, ...hiddenVariables.map(({ _id }) => _id)])
  return [...config.features, ...config.variables].every(({ _id }) => !ids.has(_id))
}

/**
 * Whether a type of key sees a feature. The setting of the feature applies, regardless of the settings of its project.
 * A damaged feature without the setting is hidden.
 */
function isVisible({ sdkVisibility }: Partial<ConfigView<'features'>>, keyType: ViewKind): boolean {
  return keyType === 'all' || (sdkVisibility?.[keyType] ?? false)
}

/**
 * Whether a type of key sees a variable, by the feature that carries it. Client and mobile keys are public, so they see
 * no variable of an archived feature and none without a feature.
 */
function isVariableVisible(feature: ConfigView<'features'> | undefined, keyType: ViewKind): boolean {
  const isPublic = keyType !== 'all' && isPublicKeyType(keyType)
  if (feature === undefined) return !isPublic
  return isVisible(feature, keyType) && !(isPublic && feature.status === 'archived')
}

/** The views by type of key. */
const views = { server: viewOf('server'), client: viewOf('client'), mobile: viewOf('mobile'), all: viewOf('all') }

function viewOf(keyType: ViewKind) {
  const lists = new WeakMap<ConfigInput['variables'], readonly Variable[]>()
  return memoizeByIdentity((features: ConfigInput['features'], variables: ConfigInput['variables']): SdkView => {
    const visible = features.filter((feature) => isVisible(feature, keyType))
    const byId = new Map(visible.map((feature) => [feature._id, feature]))
    const visibleVariables = variables.filter(({ status, _feature }) => {
      if (status !== 'active' || (_feature !== undefined && !byId.has(_feature))) return false
      return isVariableVisible(_feature === undefined ? undefined : byId.get(_feature), keyType)
    })
    const groups = groupByFeature(visibleVariables)
    const built = visibleVariables.map((variable) => toVariable(variable))
    // Most changes of features do not affect the variables; then the list stays the same object.
    const before = lists.get(variables)
    const list = before && hasSameItems(before, built) ? before : built
    lists.set(variables, list)
    return {
      visible,
      variables: list,
      variablesOf: (feature) => groups.get(feature._id) ?? []
    }
  })
}

const toVariable = memoizeByIdentity(({ _id, key, type, metadata }: ConfigView<'variables'>): Variable => {
  return { _id, key, type, ...(metadata ? { metadata } : {}) }
})

/** Variables by the id of their feature. */
function groupByFeature(
  variables: readonly ConfigView<'variables'>[]
): ReadonlyMap<string, readonly ConfigView<'variables'>[]> {
  const groups = new Map<string, ConfigView<'variables'>[]>()
  for (const variable of variables) {
    if (variable._feature === undefined) continue
    const group = groups.get(variable._feature)
    if (group) group.push(variable)
    else groups.set(variable._feature, [variable])
  }
  return groups
}
