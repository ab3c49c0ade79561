import { type ChangedPart, changedPart } from '@burgee/core'
import { ShardedMap } from '../../lib/shardedMap.ts'
import type { ConfigView } from './affectedEnvironments.ts'

/** The lists of a project from which views are built. */
export interface ProjectLists {
  readonly features: readonly ConfigView<'features'>[]
  readonly variables: readonly ConfigView<'variables'>[]
}

/** The features of a project by id, and their variables. Immutable. */
export interface ProjectIndex extends ProjectLists {
  readonly byId: ShardedMap<ConfigView<'features'>>
  /** The active variables by the id of their feature, in the order of the list. */
  readonly groups: ShardedMap<VariableGroup>
  /** The number of active variables that belong to no feature. */
  readonly unassigned: number
}

type VariableGroup = readonly ConfigView<'variables'>[]

/** How an index differs from the previous one. */
export interface IndexChange {
  readonly index: ProjectIndex
  /** The ids of the features that changed, or whose variables did; undefined if the index was built anew. */
  readonly affected: ReadonlySet<string> | undefined
  /** The changed part of the list of variables. */
  readonly variables: ChangedPart
}

/** The index of a project without features. */
export const EMPTY_INDEX = indexOf({ features: [], variables: [] })

/** Updates an index to other lists. Does not visit items outside the changed parts. */
export function updateIndex(before: ProjectIndex, { features, variables }: ProjectLists): IndexChange {
  const changed = changedPart(before.features, features)
  const part = changedPart(before.variables, variables)
  const removedFeatures = before.features.slice(changed.start, changed.beforeEnd)
  const addedFeatures = features.slice(changed.start, changed.afterEnd)
  const removed = before.variables.slice(part.start, part.beforeEnd)
  const added = variables.slice(part.start, part.afterEnd)
  const owners = new Set([...removed, ...added].flatMap(({ _feature }) => _feature ?? []))
  const affected = new Set([...[...removedFeatures, ...addedFeatures].map(({ _id }) => _id), ...owners])
  if (affected.size > MAX_UPDATES) {
    return { index: indexOf({ features, variables }), affected: undefined, variables: part }
  }
  let { byId, groups } = before
  for (const { _id } of removedFeatures) byId = byId.without(_id)
  for (const feature of addedFeatures) byId = byId.with(feature._id, feature)
  for (const owner of owners) {
    const kept = (groups.get(owner) ?? []).filter((variable) => !removed.includes(variable))
    const group = [...kept, ...added.filter((variable) => variable._feature === owner && isActive(variable))]
    if (kept.length > 0) group.sort((one, other) => variables.indexOf(one) - variables.indexOf(other))
    groups = group.length > 0 ? groups.with(owner, group) : groups.without(owner)
  }
  const unassigned = before.unassigned - countUnassigned(removed) + countUnassigned(added)
  return { index: { features, variables, byId, groups, unassigned }, affected, variables: part }
}

/** With more affected features, building the index anew is faster. */
const MAX_UPDATES = 200

function indexOf({ features, variables }: ProjectLists): ProjectIndex {
  const groups = new Map<string, ConfigView<'variables'>[]>()
  for (const variable of variables) {
    const { _feature } = variable
    if (_feature === undefined || !isActive(variable)) continue
    const group = groups.get(_feature)
    if (group) group.push(variable)
    else groups.set(_feature, [variable])
  }
  const byId = ShardedMap.from(new Map(features.map((feature) => [feature._id, feature])))
  const unassigned = countUnassigned(variables)
  return { features, variables, byId, groups: ShardedMap.from<VariableGroup>(groups), unassigned }
}

function countUnassigned(variables: ProjectLists['variables']): number {
  return variables.filter((variable) => variable._feature === undefined && isActive(variable)).length
}

/** Whether configs can contain a variable. */
export function isActive({ status }: ConfigView<'variables'>): boolean {
  return status === 'active'
}
