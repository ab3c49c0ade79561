import type { SdkKeyType } from '@burgee/contract'
import { isPublicKeyType } from '@burgee/contract/access'
import { type Config, changedPart, type Variable } from '@burgee/core'
import { hasSameItems, memoizeByIdentity } from '../../lib/object.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import type { ConfigInput } from './configSources.ts'

/** The features that a type of key sees, and their variables. */
export interface SdkView {
  readonly isVisible: (feature: ConfigView<'features'>) => boolean
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
  return isSameView(viewFor(one, resources), viewFor(other, resources))
}

const isSameView = memoizeByIdentity((one: SdkView, other: SdkView): boolean => {
  return hasSameItems(one.visible, other.visible) && hasSameItems(one.variables, other.variables)
})

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
  const isVisibleHere = (feature: ConfigView<'features'>) => isVisible(feature, keyType)
  /** The last view of each list of variables, which most changes of features do not affect. */
  const last = new WeakMap<ConfigInput['variables'], { readonly features: ConfigInput['features']; view: SdkView }>()
  return (features: ConfigInput['features'], variables: ConfigInput['variables']): SdkView => {
    const before = last.get(variables)
    if (before?.features === features) return before.view
    const visible = features.filter(isVisibleHere)
    const seen = () => toVariables(features, variables, keyType, before?.view.variables)
    const view = {
      isVisible: isVisibleHere,
      visible,
      variables: before && hasSameVisibility(before.features, features, keyType) ? before.view.variables : seen(),
      variablesOf: (feature: ConfigView<'features'>) => {
        return isVariableVisible(feature, keyType) ? (groupByFeature(variables).get(feature._id) ?? []) : []
      }
    }
    last.set(variables, { features, view })
    return view
  }
}

/** Whether no feature was added, removed or moved, and no change affects which variables a type of key sees. */
function hasSameVisibility(
  before: ConfigInput['features'],
  after: ConfigInput['features'],
  keyType: ViewKind
): boolean {
  const { start, beforeEnd, afterEnd } = changedPart(before, after)
  const added = after.slice(start, afterEnd)
  return (
    beforeEnd === afterEnd &&
    before.slice(start, beforeEnd).every((feature, index) => {
      const next = added[index]
      const isSeen = isVariableVisible(feature, keyType)
      return next?._id === feature._id && isVariableVisible(next, keyType) === isSeen
    })
  )
}

/** The active variables that a type of key sees: the former list if it has the same items. */
function toVariables(
  features: ConfigInput['features'],
  variables: ConfigInput['variables'],
  keyType: ViewKind,
  before: readonly Variable[] = []
): readonly Variable[] {
  const positions = positionsOf(features)
  const seen = variables.flatMap((variable) => {
    const { status, _feature } = variable
    const feature = _feature === undefined ? undefined : features[positions.get(_feature) ?? features.length]
    const isKnown = _feature === undefined || feature !== undefined
    return status === 'active' && isKnown && isVariableVisible(feature, keyType) ? [toVariable(variable)] : []
  })
  return hasSameItems(before, seen) ? before : seen
}

/** The positions of features in a list, by id. */
export const positionsOf = memoizeByIdentity((features: ConfigInput['features']): ReadonlyMap<string, number> => {
  return new Map(features.map(({ _id }, index) => [_id, index]))
})

const toVariable = memoizeByIdentity(({ _id, key, type, metadata }: ConfigView<'variables'>): Variable => {
  return { _id, key, type, ...(metadata ? { metadata } : {}) }
})

/** The active variables by the id of their feature. */
const groupByFeature = memoizeByIdentity(
  (variables: ConfigInput['variables']): ReadonlyMap<string, readonly ConfigView<'variables'>[]> => {
    const groups = new Map<string, ConfigView<'variables'>[]>()
    for (const variable of variables) {
      const { status, _feature } = variable
      if (status !== 'active' || _feature === undefined) continue
      const group = groups.get(_feature)
      if (group) group.push(variable)
      else groups.set(_feature, [variable])
    }
    return groups
  }
)
