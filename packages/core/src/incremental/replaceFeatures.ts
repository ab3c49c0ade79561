import {
  bindFeatures,
  type FeatureBinding,
  type FeatureEntry,
  type LinkedFeatures,
  type PreparedVariable,
  toPrepared,
  type VariableTable
} from '../prepare.ts'
import type { PreparedFeature } from '../targeting/feature.ts'
import type { ChangedPart } from './changedPart.ts'
import { replacePart } from './replacePart.ts'

/** The features of a config, with a mutable list of variables. */
export interface EditableFeatures extends LinkedFeatures {
  readonly variables: PreparedVariable[]
}

/**
 * Returns features with other variables. Returns undefined if that changes a feature that is not in the changed part.
 */
export function withTable(
  before: LinkedFeatures,
  table: VariableTable,
  part: ChangedPart
): EditableFeatures | undefined {
  if (table === before.table) return { ...before, variables: before.variables.slice() }
  const isOwn = ownershipOf(before, part)
  const old = before.table.variables
  for (let index = 0; index < old.length; index++) {
    if (old[index] !== table.variables[index] && !isOwn(index)) return undefined
  }
  const variables = table.variables.map((variable, index) => {
    return (old[index] === variable && before.variables[index]) || toPrepared(variable)
  })
  return { table, features: before.features, variables }
}

/** Replaces the changed part of the features. */
export function replaceFeatures(
  { table, features, variables }: EditableFeatures,
  part: ChangedPart,
  added: readonly PreparedFeature[]
): LinkedFeatures {
  const bindings: FeatureBinding[] = []
  const entries = bindFeatures(added, table, bindings)
  for (const index of [...removedFrom(features, part), ...entries].flatMap(({ indexes }) => indexes)) {
    const prepared = variables[index]
    if (prepared) variables[index] = toPrepared(prepared.variable, prepared.fallback.offValue, bindings[index])
  }
  return { table, features: replacePart(features, part, entries), variables }
}

/** Returns whether features can replace the changed part without a change of the other features. */
export function canReplace(linked: LinkedFeatures, part: ChangedPart, added: readonly PreparedFeature[]): boolean {
  const { table, features } = linked
  const removed = removedFrom(features, part)
  const isOwn = ownershipOf(linked, part)
  return (
    removed.every(({ indexes }) => indexes.every(isOwn)) &&
    added.every((feature) => feature.variables.every(({ key }) => isOwn(table.indexes.get(key)))) &&
    (hasSameNames(removed, added) || hasNewNames(features, part, added))
  )
}

/** Returns a predicate: whether only features in the changed part have the variable with an index. */
function ownershipOf(
  { features, variables }: LinkedFeatures,
  part: ChangedPart
): (index: number | undefined) => boolean {
  const replaced = new Set(removedFrom(features, part).map(({ feature }) => feature))
  return (index) => {
    for (let binding = variables[index ?? -1]?.binding; binding !== undefined; binding = binding.next) {
      if (!replaced.has(binding.feature)) return false
    }
    return true
  }
}

function removedFrom(features: LinkedFeatures['features'], { start, beforeEnd }: ChangedPart) {
  return features.slice(start, beforeEnd)
}

function hasSameNames(removed: LinkedFeatures['features'], added: readonly PreparedFeature[]): boolean {
  const isSame = ({ source }: PreparedFeature, at: number) => {
    const other = removed[at]?.feature.source
    return other?._id === source._id && other.key === source.key
  }
  return removed.length === added.length && added.every(isSame)
}

/** Returns whether ids and keys are unique with the added features. */
function hasNewNames(
  features: LinkedFeatures['features'],
  { start, beforeEnd }: ChangedPart,
  added: readonly PreparedFeature[]
): boolean {
  const ids = new Set(added.map(({ source }) => source._id))
  const keys = new Set(added.map(({ source }) => source.key))
  if (ids.size < added.length || keys.size < added.length) return false
  if (ids.size === 0) return true
  for (let at = 0; at < features.length; at++) {
    const { _id, key } = (features[at] as FeatureEntry).feature.source
    if ((at < start || at >= beforeEnd) && (ids.has(_id) || keys.has(key))) return false
  }
  return true
}
