import type { FeatureEntry, PreparedConfig, VariableTable } from './prepare.ts'

/**
 * Whether the JSON of results can be concatenated. It cannot if features share a variable, which would repeat members,
 * or if a key is an integer, since objects list it first.
 */
export function isJoinable(prepared: PreparedConfig): boolean {
  const known = joinable.get(prepared)
  if (known !== undefined) return known
  const result = hasPlainKeys(prepared.table) && prepared.features.every((entry) => isPlain(entry, prepared))
  joinable.set(prepared, result)
  return result
}

/** Records whether a config is joinable, if it differs from a joinable one only in the features `changed`. */
export function inheritJoinable(before: PreparedConfig, after: PreparedConfig, changed: readonly FeatureEntry[]): void {
  if (!joinable.get(before)) return
  joinable.set(after, hasPlainKeys(after.table) && changed.every((entry) => isPlain(entry, after)))
}

const joinable = new WeakMap<PreparedConfig, boolean>()

/** Cached per table, because most changes of a config do not affect its variables. */
const plainTables = new WeakMap<VariableTable, boolean>()

function hasPlainKeys(table: VariableTable): boolean {
  const known = plainTables.get(table)
  if (known !== undefined) return known
  const isPlainTable = !table.keys.some((key) => INDEX.test(key))
  plainTables.set(table, isPlainTable)
  return isPlainTable
}

function isPlain({ feature: { source }, indexes }: FeatureEntry, { variables }: PreparedConfig): boolean {
  const isShared = indexes.some((index) => variables[index]?.binding?.next !== undefined)
  return !isShared && !INDEX.test(source._id) && !INDEX.test(source.key)
}

const INDEX = /^\d{1,10}$/
