import { ShardedMap } from '../../lib/shardedMap.ts'
import type { ItemMatch, Query } from '../store.ts'

/** The ids of a table's items by a member that several of them can share. */
export interface SecondaryIndex<T> {
  readonly member: keyof T & string
  /**
   * Value of the member → ids. Both levels are sharded, so that neither many groups nor a large one makes writes slow.
   */
  readonly groups: ShardedMap<IdSet>
}

/** A set of ids; each is its own key. */
export type IdSet = ShardedMap<string>

/** Builds the index of items. */
export function buildSecondaryIndex<T extends Identified>(
  member: keyof T & string,
  items: Iterable<T>
): SecondaryIndex<T> {
  const ids = new Map<string, Map<string, string>>()
  for (const item of items) {
    const key = keyOf(item[member])
    const group = ids.get(key)
    if (group) group.set(item._id, item._id)
    else ids.set(key, new Map([[item._id, item._id]]))
  }
  const groups = new Map([...ids].map(([key, group]) => [key, ShardedMap.from(group)]))
  return { member, groups: ShardedMap.from(groups) }
}

/** Returns the index after an item was inserted (no `before`), updated, or removed (no `after`). */
export function updateSecondaryIndex<T extends Identified>(
  index: SecondaryIndex<T>,
  before: T | undefined,
  after: T | undefined
): SecondaryIndex<T> {
  const { member } = index
  if (before && after && before[member] === after[member]) return index
  let { groups } = index
  if (before) groups = withoutId(groups, keyOf(before[member]), before._id)
  if (after) groups = withId(groups, keyOf(after[member]), after._id)
  return { member, groups }
}

/** Returns groups without common items that contain all matching ones; `undefined` if no index applies. */
export function findGroups<T>(
  indexes: readonly SecondaryIndex<T>[],
  match: ItemMatch<T>,
  oneOf: NonNullable<Query<T>['oneOf']>
): Iterable<IdSet> | undefined {
  const smallest = findSmallestGroup(indexes, match)
  if (smallest) return [smallest]
  const index = indexes.find(({ member }) => oneOf[member] !== undefined)
  if (!index) return undefined
  const keys = new Set(oneOf[index.member]?.map(keyOf))
  return [...keys].flatMap((key) => index.groups.get(key) ?? [])
}

/** Returns the smallest group that contains all matching items; `undefined` if no index applies. */
function findSmallestGroup<T>(indexes: readonly SecondaryIndex<T>[], match: ItemMatch<T>): IdSet | undefined {
  let found: IdSet | undefined
  for (const { member, groups } of indexes) {
    if (match[member] === undefined) continue
    const group = groups.get(keyOf(match[member])) ?? EMPTY_SET
    if (!found || group.size < found.size) found = group
  }
  return found
}

interface Identified {
  readonly _id: string
}

const EMPTY_SET: IdSet = ShardedMap.from(new Map())

function withId(groups: ShardedMap<IdSet>, key: string, id: string): ShardedMap<IdSet> {
  return groups.with(key, (groups.get(key) ?? EMPTY_SET).with(id, id))
}

function withoutId(groups: ShardedMap<IdSet>, key: string, id: string): ShardedMap<IdSet> {
  const group = groups.get(key)?.without(id) ?? EMPTY_SET
  return group.size > 0 ? groups.with(key, group) : groups.without(key)
}

/** Different values can have the same key, so the items of a group are compared again. */
function keyOf(value: unknown): string {
  return String(value)
}
