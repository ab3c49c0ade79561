import { Shards } from './shards.ts'
import type { Match } from './store.ts'

/** The items of a table in groups, by one member that several of them may share. */
export interface Lookup<T> {
  readonly member: keyof T & string
  /** From a value of the member to the ids of the items that have it. Both are shards: neither many groups nor a large one makes a write dear. */
  readonly groups: Shards<Group>
}

/** Ids, each under itself. */
export type Group = Shards<string>

/** A look-up of the given items. */
export function lookupOf<T extends Identified>(member: keyof T & string, items: Iterable<T>): Lookup<T> {
  const ids = new Map<string, Map<string, string>>()
  for (const item of items) {
    const key = keyOf(item[member])
    const group = ids.get(key)
    if (group) group.set(item._id, item._id)
    else ids.set(key, new Map([[item._id, item._id]]))
  }
  const groups = new Map([...ids].map(([key, group]) => [key, Shards.from(group)]))
  return { member, groups: Shards.from(groups) }
}

/** The look-up once an item was inserted (there is no `before`), changed, or removed (there is no `after`). */
export function regrouped<T extends Identified>(
  lookup: Lookup<T>,
  before: T | undefined,
  after: T | undefined
): Lookup<T> {
  const { member } = lookup
  if (before && after && before[member] === after[member]) return lookup
  let { groups } = lookup
  if (before) groups = withoutId(groups, keyOf(before[member]), before._id)
  if (after) groups = withId(groups, keyOf(after[member]), after._id)
  return { member, groups }
}

/** The smallest group that holds every item that matches; `undefined` when no look-up tells. */
export function narrowest<T>(lookups: readonly Lookup<T>[], match: Match<T>): Group | undefined {
  let found: Group | undefined
  for (const { member, groups } of lookups) {
    if (match[member] === undefined) continue
    const group = groups.get(keyOf(match[member])) ?? nobody
    if (!found || group.size < found.size) found = group
  }
  return found
}

interface Identified {
  readonly _id: string
}

const nobody: Group = Shards.from(new Map())

function withId(groups: Shards<Group>, key: string, id: string): Shards<Group> {
  return groups.with(key, (groups.get(key) ?? nobody).with(id, id))
}

function withoutId(groups: Shards<Group>, key: string, id: string): Shards<Group> {
  const group = groups.get(key)?.without(id) ?? nobody
  return group.size > 0 ? groups.with(key, group) : groups.without(key)
}

/** Values that are spelled alike share a group; who takes items from it compares them anyway. */
function keyOf(value: unknown): string {
  return String(value)
}
