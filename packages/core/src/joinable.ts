import type { FeatureEntry, PreparedConfig, VariableTable } from './prepare.ts'

/**
 * Whether the results of a config can be joined from texts: features with a common variable repeat its members, and
 * members whose name is an index come first in every object.
 */
export function isJoinable(prepared: PreparedConfig): boolean {
  const known = joinable.get(prepared)
  if (known !== undefined) return known
  const result = hasPlainKeys(prepared.table) && prepared.features.every((entry) => isPlain(entry, prepared))
  joinable.set(prepared, result)
  return result
}

/** Records whether a config is joinable in which only `changed` differ from a config that was, if that is known. */
export function inheritJoinable(before: PreparedConfig, after: PreparedConfig, changed: readonly FeatureEntry[]): void {
  if (!joinable.get(before)) return
  joinable.set(after, hasPlainKeys(after.table) && changed.every((entry) => isPlain(entry, after)))
}

const joinable = new WeakMap<PreparedConfig, boolean>()

/** By table, because most changes of a config leave its variables as they are. */
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
