import { idOf, isSame, memberNames, memberOf, type Path, shapeOf } from './structure.ts'

/** A place that both sides changed differently. An absent value is undefined. */
export interface Conflict {
  readonly path: Path
  /** Identifies the conflict among the choices. */
  readonly id: string
  /** `order` if both moved items of the list at the path differently; the values are then lists of ids. */
  readonly kind: 'value' | 'order'
  readonly base: unknown
  readonly theirs: unknown
  readonly mine: unknown
}

/** The side that a conflict is resolved for, by the id of the conflict. */
export type Choices = Readonly<Record<string, 'theirs' | 'mine'>>

/** The result of a merge: the merged value, or the conflicts that need a choice. */
export type Merge<T> =
  | { readonly type: 'merged'; readonly value: T }
  | { readonly type: 'conflicts'; readonly conflicts: readonly Conflict[] }

/**
 * Merges two versions that began at the same base. Changes of different members combine; items of lists are matched by
 * `_id`, and lists of values are merged as sets. A change that the other side contradicts is a conflict until `choices`
 * has a side for it.
 */
export function merge3<T>(base: T, theirs: T, mine: T, choices: Choices = {}): Merge<T> {
  const conflicts: Conflict[] = []
  const value = mergeValue({ base, theirs, mine, path: [] }, { conflicts, choices })
  // Every part of the result comes from one of the three versions, at its own path.
  return conflicts.length > 0 ? { type: 'conflicts', conflicts } : { type: 'merged', value: value as T }
}

interface Versions {
  readonly base: unknown
  readonly theirs: unknown
  readonly mine: unknown
  readonly path: Path
}

interface MergeState {
  readonly conflicts: Conflict[]
  readonly choices: Choices
}

function mergeValue(versions: Versions, state: MergeState): unknown {
  const { base, theirs, mine, path } = versions
  if (isSame(theirs, mine) || isSame(base, mine)) return theirs
  if (isSame(base, theirs)) return mine
  // One side removed what the other changed, or both added different values.
  if (base === undefined || theirs === undefined || mine === undefined) return choose(versions, state)
  switch (shapeOf(path, [base, theirs, mine])) {
    case 'object':
      return mergeObjects(versions, state)
    case 'set':
      return mergeSets(versions)
    case 'records':
      return mergeRecords(versions, state)
    case 'list':
      return mergeLists(versions, state)
    case 'whole':
      return choose(versions, state)
  }
}

/** Members that say what the others mean: if a side changes one, the object is merged as a whole. */
const meaning = ['type', 'subType', 'dataKey', 'dataKeyType', 'comparator', 'operator']

function mergeObjects(versions: Versions, state: MergeState): unknown {
  const { base, theirs, mine, path } = versions
  const isFilter = typeof path.at(-1) === 'number' || path.at(-1) === 'filters'
  const isReinterpreted = meaning.some(
    (name) =>
      !isSame(memberOf(base, name), memberOf(theirs, name)) || !isSame(memberOf(base, name), memberOf(mine, name))
  )
  if (isFilter && isReinterpreted) return choose(versions, state)
  const members = memberNames(theirs, mine).map((name) => {
    const at = { base: memberOf(base, name), theirs: memberOf(theirs, name), mine: memberOf(mine, name) }
    return [name, mergeValue({ ...at, path: [...path, name] }, state)] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function mergeSets({ base, theirs, mine }: Versions): unknown {
  const [before, other, own] = [toSet(base), toSet(theirs), toSet(mine)]
  const kept = [...other].filter((value) => own.has(value) || !before.has(value))
  return [...kept, ...[...own].filter((value) => !before.has(value) && !other.has(value))]
}

/** Lists without ids, such as filters, merge by index if neither side added, removed or moved items. */
function mergeLists(versions: Versions, state: MergeState): unknown {
  const { path } = versions
  const [base, theirs, mine] = [toList(versions.base), toList(versions.theirs), toList(versions.mine)]
  const isAligned = [theirs, mine].every((list) => list.length === base.length && !hasMoves(base, list))
  if (!isAligned) return choose(versions, state)
  return base.map((item, index) =>
    mergeValue({ base: item, theirs: theirs[index], mine: mine[index], path: [...path, index] }, state)
  )
}

function hasMoves(base: readonly unknown[], list: readonly unknown[]): boolean {
  return list.some(
    (item, index) => !isSame(item, base[index]) && base.some((other, place) => place !== index && isSame(item, other))
  )
}

function mergeRecords(versions: Versions, state: MergeState): unknown {
  const { path } = versions
  const [base, theirs, mine] = [toList(versions.base), toList(versions.theirs), toList(versions.mine)]
  const ids = [...new Set([...theirs, ...mine, ...base].flatMap((item) => idOf(item) ?? []))]
  const merged = new Map<string, unknown>()
  for (const id of ids) {
    const at = (items: readonly unknown[]): unknown => items.find((item) => idOf(item) === id)
    const value = mergeValue({ base: at(base), theirs: at(theirs), mine: at(mine), path: [...path, id] }, state)
    if (value !== undefined) merged.set(id, value)
  }
  const [leading, following] = orderSides(versions, state)
  return arrange(leading, following, base, merged)
}

/** Returns the list whose order counts, and the other one, whose additions are inserted. */
function orderSides(versions: Versions, state: MergeState): readonly [readonly unknown[], readonly unknown[]] {
  const [base, theirs, mine] = [toList(versions.base), toList(versions.theirs), toList(versions.mine)]
  const common = new Set(idsOf(base).filter((id) => idsOf(theirs).includes(id) && idsOf(mine).includes(id)))
  const order = (items: readonly unknown[]): readonly string[] => idsOf(items).filter((id) => common.has(id))
  const orders = { base: order(base), theirs: order(theirs), mine: order(mine) }
  if (isSame(orders.base, orders.mine) || isSame(orders.theirs, orders.mine)) return [theirs, mine]
  if (isSame(orders.base, orders.theirs)) return [mine, theirs]
  const order3: Versions = { ...orders, path: versions.path }
  return choose(order3, state, 'order') === orders.mine ? [mine, theirs] : [theirs, mine]
}

/** Puts the items that only the following list has after their predecessor there. */
function arrange(
  leading: readonly unknown[],
  following: readonly unknown[],
  base: readonly unknown[],
  merged: ReadonlyMap<string, unknown>
): readonly unknown[] {
  const result: { id: string | undefined; source: unknown; item: unknown }[] = []
  const place = (source: unknown) => {
    const id = idOf(source)
    return { id, source, item: id === undefined ? source : merged.get(id) }
  }
  result.push(...leading.map(place))
  let previous: unknown
  for (const source of following) {
    const id = idOf(source)
    const isThere = result.some((entry) => (id === undefined ? isSame(entry.source, source) : entry.id === id))
    // An item without an id that the base has was removed by the leading side, unless it is still there.
    const isRemoved = id === undefined && base.some((item) => isSame(item, source))
    if (!isThere && !isRemoved) {
      const after = result.findIndex((entry) =>
        idOf(previous) === undefined ? isSame(entry.source, previous) : entry.id === idOf(previous)
      )
      result.splice(after + 1, 0, place(source))
    }
    previous = source
  }
  return result.flatMap(({ item }) => (item === undefined ? [] : [item]))
}

function choose(versions: Versions, { conflicts, choices }: MergeState, kind: Conflict['kind'] = 'value'): unknown {
  const { base, theirs, mine, path } = versions
  const id = JSON.stringify([kind, ...path])
  const choice = Object.hasOwn(choices, id) ? choices[id] : undefined
  if (choice === undefined) conflicts.push({ path, id, kind, base, theirs, mine })
  return choice === 'mine' ? mine : theirs
}

function idsOf(items: readonly unknown[]): readonly string[] {
  return items.flatMap((item) => idOf(item) ?? [])
}

/** `shapeOf` found a list, or nothing. */
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function toSet(value: unknown): ReadonlySet<unknown> {
  return new Set(toList(value))
}
