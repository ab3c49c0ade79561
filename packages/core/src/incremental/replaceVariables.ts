import { internalize, type VariableTable } from '../prepare.ts'
import type { Variable } from '../types/variable.ts'

/**
 * Returns a table with some variables replaced, without reading or sorting the others. Returns undefined if an id or a
 * key is not unique then.
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
  const isSame = removed.length === added.length && added.every(({ key }, at) => key === removed[at]?.key)
  return isSame ? withSameKeys(before, added, byId) : merge(before, removed, added, byId)
}

function withSameKeys(
  { keys, indexes, variables: old }: VariableTable,
  added: readonly Variable[],
  byId: VariableTable['byId']
): VariableTable {
  const variables = [...old]
  for (const variable of added) variables[indexes.get(variable.key) as number] = variable
  return { keys, indexes, variables, byId }
}

function merge(
  before: VariableTable,
  removed: readonly Variable[],
  added: readonly Variable[],
  byId: VariableTable['byId']
): VariableTable | undefined {
  const removedKeys = new Set(removed.map(({ key }) => key))
  const sorted = [...added].sort((one, other) => (one.key < other.key ? -1 : 1))
  const keys: string[] = []
  const variables: Variable[] = []
  let next = 0
  const insert = (end: string | undefined) => {
    for (; next < sorted.length; next++) {
      const variable = sorted[next] as Variable
      if (end !== undefined && !(variable.key < end)) return
      keys.push(internalize(variable.key))
      variables.push(variable)
    }
  }
  // These keys are sorted, and internalized.
  for (const [key, index] of before.indexes) {
    if (removedKeys.has(key)) continue
    insert(key)
    keys.push(key)
    variables.push(before.variables[index] as Variable)
  }
  insert(undefined)
  const indexes = new Map<string, number>()
  for (let index = 0; index < keys.length; index++) indexes.set(keys[index] as string, index)
  return indexes.size < keys.length ? undefined : { keys: Object.freeze(keys), indexes, variables, byId }
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
