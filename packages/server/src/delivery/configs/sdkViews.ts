import type { SdkKeyType } from '@burgee/contract'
import { isPublicKeyType } from '@burgee/contract/access'
import { type Config, replacePart, type Variable } from '@burgee/core'
import { hasSameItems, memoizeByIdentity, removeUndefined } from '../../lib/object.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import {
  EMPTY_INDEX,
  type IndexChange,
  isActive,
  type ProjectIndex,
  type ProjectLists,
  updateIndex
} from './projectIndex.ts'

/** The features that a type of key sees, and their variables. */
export interface SdkView {
  readonly isVisible: (feature: ConfigView<'features'>) => boolean
  readonly visible: () => readonly ConfigView<'features'>[]
  readonly variables: readonly Variable[]
  readonly variablesOf: (feature: ConfigView<'features'>) => readonly ConfigView<'variables'>[]
  /** Returns the position of a feature in the list of all; -1 if it has none. */
  readonly positionOf: (id: string) => number
}

/** A type of key, or `all` for every feature regardless of its visibility, as explanations need it. */
export type ViewKind = SdkKeyType | 'all'

/**
 * What each type of key sees of a project. Each call first brings the views up to date with the lists that it receives.
 */
export class ProjectViews {
  #index: ProjectIndex = EMPTY_INDEX
  readonly #views = new Map<ViewKind, View>()
  /**
   * For each pair, the number of features whose visibility, or that of their variables, differs between the two types.
   */
  #differences = PAIRS.map(() => 0)

  /** Returns what a type of key sees. The list of variables stays the same object until it has other items. */
  of(kind: ViewKind, lists: ProjectLists): SdkView {
    this.#follow(lists)
    const known = this.#views.get(kind)
    if (known) return known
    const view = createView(kind, this.#index, this.#index.variables.map(rowsOf(kind, this.#index)))
    this.#views.set(kind, view)
    return view
  }

  /** Whether two types of key see the same features and variables, so that one config serves both. */
  isSame(one: SdkKeyType, other: SdkKeyType, lists: ProjectLists): boolean {
    this.#follow(lists)
    const pair = PAIRS.findIndex((types) => types.includes(one) && types.includes(other))
    if (this.#differences[pair] !== 0) return false
    return isPublicKeyType(one) === isPublicKeyType(other) || this.#index.unassigned === 0
  }

  #follow(lists: ProjectLists): void {
    const before = this.#index
    if (before.features === lists.features && before.variables === lists.variables) return
    const change = updateIndex(before, lists)
    const { index, affected } = change
    this.#index = index
    this.#differences = PAIRS.map(([one, other], pair) => {
      const ids = affected ?? index.features.map(({ _id }) => _id)
      const kept = affected ? (this.#differences[pair] ?? 0) - countDifferences(before, ids, one, other) : 0
      return kept + countDifferences(index, ids, one, other)
    })
    for (const [kind, view] of this.#views) this.#views.set(kind, updateView(kind, view, before, change))
  }
}

/** The pairs of types of keys. */
const PAIRS: readonly (readonly [SdkKeyType, SdkKeyType])[] = [
  ['server', 'client'],
  ['server', 'mobile'],
  ['client', 'mobile']
]

function countDifferences(
  { byId, groups }: ProjectIndex,
  ids: Iterable<string>,
  one: SdkKeyType,
  other: SdkKeyType
): number {
  let count = 0
  for (const id of ids) {
    const feature = byId.get(id)
    if (!feature) continue
    const differs =
      isVisible(feature, one) !== isVisible(feature, other) ||
      (groups.get(id) !== undefined && isVariableVisible(feature, one) !== isVariableVisible(feature, other))
    if (differs) count++
  }
  return count
}

/** Whether a config of a type of key names no feature or variable that has been hidden from that type since. */
export function revealsNothingHidden(
  config: Config,
  { features, variables }: ProjectLists,
  keyType: SdkKeyType
): boolean {
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

interface View extends SdkView {
  /** For each variable of the project: as the type of key sees it; undefined if it does not. */
  readonly rows: VariableRows
}

type VariableRows = readonly (Variable | undefined)[]

function createView(kind: ViewKind, index: ProjectIndex, rows: VariableRows, before: readonly Variable[] = []): View {
  const { features, byId, groups } = index
  const isVisibleHere = (feature: ConfigView<'features'>) => isVisible(feature, kind)
  const seen = removeUndefined(rows.slice())
  let visible: readonly ConfigView<'features'>[] | undefined
  return {
    rows,
    isVisible: isVisibleHere,
    visible: () => {
      visible ??= features.filter(isVisibleHere)
      return visible
    },
    variables: hasSameItems(before, seen) ? before : seen,
    variablesOf: (feature) => (isVariableVisible(feature, kind) ? (groups.get(feature._id) ?? []) : []),
    positionOf: (id) => {
      const feature = byId.get(id)
      return feature ? features.indexOf(feature) : -1
    }
  }
}

/** Returns a view after a change. Visits only variables that changed, or whose feature did. */
function updateView(kind: ViewKind, view: View, before: ProjectIndex, change: IndexChange): View {
  const { index, affected, variables: part } = change
  const toRow = rowsOf(kind, index)
  if (!affected) return createView(kind, index, index.variables.map(toRow), view.variables)
  const rows = replacePart(view.rows, part, index.variables.slice(part.start, part.afterEnd).map(toRow))
  for (const id of affected) {
    if (isSeen(before, id, kind) === isSeen(index, id, kind)) continue
    for (const variable of index.groups.get(id) ?? []) rows[index.variables.indexOf(variable)] = toRow(variable)
  }
  return createView(kind, index, rows, view.variables)
}

/** Whether a type of key sees the variables of a feature. */
function isSeen({ byId }: ProjectIndex, id: string, kind: ViewKind): boolean {
  const feature = byId.get(id)
  return feature !== undefined && isVariableVisible(feature, kind)
}

function rowsOf(kind: ViewKind, index: ProjectIndex): (variable: ConfigView<'variables'>) => Variable | undefined {
  return (variable) => {
    const { _feature } = variable
    const isShown = _feature === undefined ? isVariableVisible(undefined, kind) : isSeen(index, _feature, kind)
    return isShown && isActive(variable) ? toVariable(variable) : undefined
  }
}

const toVariable = memoizeByIdentity(({ _id, key, type, metadata }: ConfigView<'variables'>): Variable => {
  return { _id, key, type, ...(metadata ? { metadata } : {}) }
})
