import {
  bindFeatures,
  type FeatureBinding,
  type FeatureNames,
  type LinkedFeatures,
  type PreparedVariable,
  toPrepared,
  type VariableTable
} from '../prepare.ts'
import type { PreparedFeature } from '../targeting/feature.ts'
import { ChangedMap } from './changedMap.ts'
import { type ChangedPart, changedPart } from './changedPart.ts'
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
  const { start, beforeEnd, afterEnd } = changedPart(old, table.variables)
  // Variables after the changed part are the same ones only if they kept their indexes.
  const changed = beforeEnd === afterEnd ? { start, beforeEnd } : { start, beforeEnd: old.length }
  for (let index = start; index < changed.beforeEnd; index++) {
    if (old[index] !== table.variables[index] && !isOwn(index)) return undefined
  }
  const added = table.variables.slice(start, beforeEnd === afterEnd ? afterEnd : table.variables.length)
  const prepared = added.map((variable, at) => {
    return (old[start + at] === variable && before.variables[start + at]) || toPrepared(variable)
  })
  return { ...before, table, variables: replacePart(before.variables, changed, prepared) }
}

/** Replaces the changed part of the features. */
export function replaceFeatures(
  { table, features, variables }: EditableFeatures,
  part: ChangedPart,
  added: readonly PreparedFeature[],
  names: FeatureNames | undefined
): LinkedFeatures {
  const bindings: FeatureBinding[] = []
  const entries = bindFeatures(added, table, bindings)
  for (const index of [...removedFrom(features, part), ...entries].flatMap(({ indexes }) => indexes)) {
    const prepared = variables[index]
    if (prepared) variables[index] = toPrepared(prepared.variable, prepared.fallback.offValue, bindings[index])
  }
  return { table, features: replacePart(features, part, entries), variables, names }
}

/** Returns whether features can replace the changed part without a change of the other features. */
export function canReplace(linked: LinkedFeatures, part: ChangedPart, added: readonly PreparedFeature[]): boolean {
  const { table, features } = linked
  const isOwn = ownershipOf(linked, part)
  return (
    removedFrom(features, part).every(({ indexes }) => indexes.every(isOwn)) &&
    added.every((feature) => feature.variables.every(({ key }) => isOwn(table.indexes.get(key))))
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

/**
 * Returns the names of all features with the added ones instead of the changed part. Returns undefined if they are not
 * unique.
 */
export function replaceNames(
  { features, names }: LinkedFeatures,
  part: ChangedPart,
  added: readonly PreparedFeature[]
): { readonly names: FeatureNames | undefined } | undefined {
  const removed = removedFrom(features, part)
  if (hasSameNames(removed, added)) return { names }
  const after = {
    ids: ChangedMap.copy(names?.ids, () => new Map(features.map(({ feature }) => [feature.source._id, true]))),
    keys: ChangedMap.copy(names?.keys, () => new Map(features.map(({ feature }) => [feature.source.key, true])))
  }
  for (const { feature } of removed) {
    after.ids.set(feature.source._id, undefined)
    after.keys.set(feature.source.key, undefined)
  }
  for (const { source } of added) {
    if (after.ids.get(source._id) || after.keys.get(source.key)) return undefined
    after.ids.set(source._id, true)
    after.keys.set(source.key, true)
  }
  return { names: after }
}
