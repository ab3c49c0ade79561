import { internalize, type VariableTable } from '../prepare.ts'
import type { Variable } from '../types/variable.ts'

/**
 * Returns a table with some variables replaced, without reading or sorting the others. Returns undefined if an id or a
 * key is not unique then, or if the table should be built anew.
 */
export function replaceVariables(
  before: VariableTable,
  removed: readonly Variable[],
  added: readonly Variable[]
): VariableTable | undefined {
  const byId = new ChangedIds(before)
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
  const keys = before.keys.slice()
  const order = before.order?.slice() ?? keys.map((_, index) => index)
  // A table that only adds variables shares the map, because a copy would take most of the time and memory.
  const isShared = removed.length === 0 && before.indexes.size === keys.length
  const indexes = isShared
    ? (before.indexes as Map<string, number>)
    : new Map(keys.map((key, at) => [key, order[at] as number]))
  for (const key of removed) {
    const at = positionOf(key, keys)
    keys.splice(at, 1)
    order.splice(at, 1)
    indexes.delete(key)
  }
  if (added.some((key) => keys[positionOf(key, keys)] === key)) return undefined
  added.forEach((key, at) => {
    const position = positionOf(key, keys)
    keys.splice(position, 0, internalize(key))
    order.splice(position, 0, length + at)
    indexes.set(internalize(key), length + at)
  })
  return { keys: Object.freeze(keys), order, indexes }
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

/**
 * The variables of a table by id, with changes on top: copying the whole map would take most of the time of an update.
 */
class ChangedIds {
  readonly #base: VariableTable['byId']
  readonly #changes: Map<string, Variable | undefined>

  constructor({ byId, variables }: VariableTable) {
    const isChanged = byId instanceof ChangedIds && byId.#changes.size < MAX_CHANGES
    this.#base = isChanged ? byId.#base : byId instanceof ChangedIds ? indexOf(variables) : byId
    this.#changes = new Map(isChanged ? byId.#changes : [])
  }

  get(id: string): Variable | undefined {
    return this.#changes.has(id) ? this.#changes.get(id) : this.#base.get(id)
  }

  set(id: string, variable: Variable | undefined): void {
    this.#changes.set(id, variable)
  }
}

/** With more changes on top, the map is built anew. */
const MAX_CHANGES = 100

function indexOf(variables: readonly Variable[]): VariableTable['byId'] {
  return new Map(variables.map((variable) => [variable._id, variable]))
}
