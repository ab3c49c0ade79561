import { internalize, type VariableTable } from '../prepare.ts'
import type { Variable } from '../types/variable.ts'
import { ChangedMap } from './changedMap.ts'

/**
 * Returns a table with some variables replaced, without reading or sorting the others. Returns undefined if an id or a
 * key is not unique then, or if the table should be built anew.
 */
export function replaceVariables(
  before: VariableTable,
  removed: readonly Variable[],
  added: readonly Variable[]
): VariableTable | undefined {
  const byId = ChangedMap.copy(before.byId, () => indexById(before.variables))
  for (const { _id } of removed) byId.set(_id, undefined)
  for (const variable of added) {
    if (byId.get(variable._id)) return undefined
    byId.set(variable._id, variable)
  }
  const byKey = new Map(added.map((variable) => [variable.key, variable]))
  if (byKey.size < added.length) return undefined
  const gone: string[] = []
  const replaced = removed.map(({ key }) => {
    const variable = byKey.get(key)
    if (!byKey.delete(key)) gone.push(key)
    return { index: before.indexes.get(key) as number, variable: variable ?? REMOVED }
  })
  const names = gone.length + byKey.size === 0 ? before : replaceKeys(before, gone, [...byKey.keys()])
  if (!names) return undefined
  // Makes one copy. With `push`, the list would grow to more than its length.
  const variables = before.variables.concat([...byKey.values()])
  for (const { index, variable } of replaced) variables[index] = variable
  return { ...names, variables, byId }
}

/** Replaces a variable that was removed. No key has its index. */
const REMOVED: Variable = { _id: '', key: '', type: 'String' }

type Keys = Pick<VariableTable, 'keys' | 'order' | 'indexes'>

/**
 * Removes keys from a table, and adds keys whose variables are appended. Returns undefined if the table should be
 * rebuilt.
 */
function replaceKeys(before: VariableTable, removed: readonly string[], added: readonly string[]): Keys | undefined {
  const { length } = before.variables
  // Rebuilding the table takes less time than many changes, and removes the gaps of many removed variables.
  if (removed.length + added.length > MAX_CHANGED_KEYS || length > 2 * before.keys.length + 100) return undefined
  // One change makes one copy of each list: with `splice`, a copy would grow to more than its length.
  const isSingle = removed.length + added.length === 1
  const edit = isSingle ? spliceCopy : spliceInPlace
  const initial = before.order ?? before.keys.map((_, index) => index)
  let keys = isSingle ? before.keys : before.keys.slice()
  let order = isSingle ? initial : initial.slice()
  // A table that only adds variables shares the map, because a copy would take most of the time and memory.
  const isShared = removed.length === 0 && before.indexes.size === keys.length
  const indexes = isShared
    ? (before.indexes as Map<string, number>)
    : new Map(keys.map((key, at) => [key, order[at] as number]))
  for (const key of removed) {
    const at = positionOf(key, keys)
    keys = edit(keys, at, 1)
    order = edit(order, at, 1)
    indexes.delete(key)
  }
  if (added.some((key) => keys[positionOf(key, keys)] === key)) return undefined
  for (const [at, key] of added.entries()) {
    const position = positionOf(key, keys)
    keys = edit(keys, position, 0, internalize(key))
    order = edit(order, position, 0, length + at)
    indexes.set(internalize(key), length + at)
  }
  return { keys: Object.freeze(keys), order, indexes }
}

type Edit = <T>(list: readonly T[], start: number, deleteCount: number, ...added: readonly T[]) => readonly T[]

const spliceCopy: Edit = (list, start, deleteCount, ...added) => list.toSpliced(start, deleteCount, ...added)

/** Changes a list that nothing else uses. */
const spliceInPlace: Edit = (list, start, deleteCount, ...added) => {
  const own = list as (typeof added)[number][]
  own.splice(start, deleteCount, ...added)
  return own
}

const MAX_CHANGED_KEYS = 1_000

/** Returns the position of a key, or of the first greater one, in sorted keys. */
function positionOf(key: string, keys: readonly string[]): number {
  let [start, end] = [0, keys.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((keys[middle] as string) < key) start = middle + 1
    else end = middle
  }
  return start
}

function indexById(variables: readonly Variable[]): ReadonlyMap<string, Variable> {
  return new Map(variables.map((variable) => [variable._id, variable]))
}
