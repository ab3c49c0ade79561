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
  const next = table.variables
  const changed = changedPart(old, next)
  const { start } = changed
  // Variables after the changed part are the same ones only if they kept their indexes.
  const { beforeEnd, afterEnd } =
    old.length === next.length ? changed : { beforeEnd: old.length, afterEnd: next.length }
  for (let index = start; index < beforeEnd; index++) {
    if (old[index] !== next[index] && !isOwn(index)) return undefined
  }
  const prepared = next.slice(start, afterEnd).map((variable, at) => {
    const index = start + at
    return (old[index] === variable && before.variables[index]) || toPrepared(variable)
  })
  return { ...before, table, variables: replacePart(before.variables, { start, beforeEnd }, prepared) }
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
  const copyNames = (member: keyof FeatureNames) => {
    return ChangedMap.copy(
      names?.[member],
      () => new Map(features.map(({ feature }) => [feature.source[member], true]))
    )
  }
  const after = { _id: copyNames('_id'), key: copyNames('key') }
  for (const member of ['_id', 'key'] as const) {
    const taken = after[member]
    for (const { feature } of removed) taken.set(feature.source[member], undefined)
    for (const { source } of added) {
      if (taken.get(source[member])) return undefined
      taken.set(source[member], true)
    }
  }
  return { names: after }
}
