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

/**
 * Returns features with other variables. Returns undefined if that changes a feature that is not among those from
 * `start` to `end`.
 */
export function withTable(
  before: LinkedFeatures,
  table: VariableTable,
  start: number,
  end: number
): LinkedFeatures | undefined {
  const { keys, variables: old } = before.table
  /** By former index; undefined where the variable is gone. */
  const indexes: (number | undefined)[] = []
  let at = 0
  const variables = table.variables.map((variable, index): PreparedVariable => {
    while (at < old.length && old[at] !== variable && !(variable.key < (keys[at] ?? ''))) indexes[at++] = undefined
    const known = old[at] === variable ? before.variables[at] : undefined
    if (known === undefined) return toPrepared(variable)
    indexes[at++] = index
    return known
  })
  const features = before.features.slice()
  for (let position = 0; position < features.length; position++) {
    // Without functions: this visits all features.
    const entry = features[position] as FeatureEntry
    let isSame = true
    for (const index of entry.indexes) if (indexes[index] !== index) isSame = false
    if (isSame) continue
    const moved = entry.indexes.flatMap((index) => indexes[index] ?? [])
    if (moved.length < entry.indexes.length && (position < start || position >= end)) return undefined
    features[position] = { feature: entry.feature, indexes: moved }
  }
  return { table, features, variables }
}

/** Replaces the features from `start` to `end`. */
export function replaceFeatures(
  { table, features, variables }: LinkedFeatures,
  start: number,
  end: number,
  added: readonly PreparedFeature[]
): LinkedFeatures {
  const bindings: FeatureBinding[] = []
  const entries = bindFeatures(added, table, bindings)
  const linked = [...variables]
  for (const index of [...features.slice(start, end), ...entries].flatMap(({ indexes }) => indexes)) {
    const prepared = linked[index]
    if (prepared) linked[index] = toPrepared(prepared.variable, prepared.fallback.offValue, bindings[index])
  }
  return { table, features: features.slice(0, start).concat(entries, features.slice(end)), variables: linked }
}

/** Returns whether features can take the places from `start` to `end` without a change of the other features. */
export function canReplace(
  { table, features, variables }: LinkedFeatures,
  start: number,
  end: number,
  added: readonly PreparedFeature[]
): boolean {
  const removed = features.slice(start, end)
  const replaced = new Set(removed.map(({ feature }) => feature))
  const isOwn = (index: number | undefined): boolean => {
    for (let binding = variables[index ?? -1]?.binding; binding !== undefined; binding = binding.next) {
      if (!replaced.has(binding.feature)) return false
    }
    return true
  }
  return (
    removed.every(({ indexes }) => indexes.every(isOwn)) &&
    added.every((feature) => feature.variables.every(({ key }) => isOwn(table.indexes.get(key)))) &&
    (hasSameNames(removed, added) || hasNewNames(features, start, end, added))
  )
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
  start: number,
  end: number,
  added: readonly PreparedFeature[]
): boolean {
  const ids = new Set(added.map(({ source }) => source._id))
  const keys = new Set(added.map(({ source }) => source.key))
  if (ids.size < added.length || keys.size < added.length) return false
  if (ids.size === 0) return true
  for (let at = 0; at < features.length; at++) {
    const { _id, key } = (features[at] as FeatureEntry).feature.source
    if ((at < start || at >= end) && (ids.has(_id) || keys.has(key))) return false
  }
  return true
}
