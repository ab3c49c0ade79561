import type { ItemMatch } from '../store.ts'
import { ShardedMap } from './shardedMap.ts'

/** The items of a table in groups, by one member that several of them may share. */
export interface SecondaryIndex<T> {
  readonly member: keyof T & string
  /** From a value of the member to the ids of the items that have it. Both are shards: neither many groups nor a large one makes a write dear. */
  readonly groups: ShardedMap<IdSet>
}

/** Ids, each under itself. */
export type IdSet = ShardedMap<string>

/** A look-up of the given items. */
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

/** The look-up once an item was inserted (there is no `before`), changed, or removed (there is no `after`). */
export function updateSecondaryIndex<T extends Identified>(
  lookup: SecondaryIndex<T>,
  before: T | undefined,
  after: T | undefined
): SecondaryIndex<T> {
  const { member } = lookup
  if (before && after && before[member] === after[member]) return lookup
  let { groups } = lookup
  if (before) groups = withoutId(groups, keyOf(before[member]), before._id)
  if (after) groups = withId(groups, keyOf(after[member]), after._id)
  return { member, groups }
}

/** The smallest group that holds every item that matches; `undefined` when no look-up tells. */
export function findSmallestGroup<T>(lookups: readonly SecondaryIndex<T>[], match: ItemMatch<T>): IdSet | undefined {
  let found: IdSet | undefined
  for (const { member, groups } of lookups) {
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

/** Values that are spelled alike share a group; who takes items from it compares them anyway. */
function keyOf(value: unknown): string {
  return String(value)
}
