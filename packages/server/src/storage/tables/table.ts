import { ShardedMap } from '../../lib/shardedMap.ts'
import { type Resources, secondaryIndexes, uniqueKeys } from '../resources/collections.ts'
import { DuplicateError, type ItemMatch, type Query } from '../store.ts'
import {
  buildSecondaryIndex,
  findGroups,
  type IdSet,
  type SecondaryIndex,
  updateSecondaryIndex
} from './secondaryIndex.ts'

/** The items of one collection at one moment, with its indexes. */
export interface Table<T extends Item> {
  readonly name: keyof Resources
  readonly items: ShardedMap<T>
  readonly uniqueIndexes: readonly UniqueIndex<T>[]
  readonly secondaryIndexes: readonly SecondaryIndex<T>[]
}

/** An item of any collection. */
export interface Item {
  readonly _id: string
}

/** Whether a value from a file can be an item. */
export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && '_id' in value && typeof value._id === 'string'
}

interface UniqueIndex<T> {
  readonly members: readonly (keyof T & string)[]
  /** Values of the members → `_id`. */
  readonly ids: ShardedMap<string>
}

/** Builds a table. @throws {DuplicateError} */
export function buildTable<T extends Item>(name: keyof Resources, items: Iterable<T>): Table<T> {
  const byId = new Map<string, T>()
  for (const item of items) {
    if (byId.has(item._id)) throw new DuplicateError(name, { _id: item._id })
    byId.set(item._id, item)
  }
  // The items of a collection have these members, and so have the rows of the history.
  const keys = uniqueKeys[name] as readonly UniqueIndex<T>['members'][]
  const members = secondaryIndexes[name] as readonly (keyof T & string)[]
  const indexes = keys.map((key) => buildUniqueIndex(name, key, byId.values()))
  const groups = members.map((member) => buildSecondaryIndex(member, byId.values()))
  return { name, items: ShardedMap.from(byId), uniqueIndexes: indexes, secondaryIndexes: groups }
}

/** Returns the table with an item, which replaces one with the same `_id`. @throws {DuplicateError} */
export function putItem<T extends Item>(table: Table<T>, item: T): Table<T> {
  const before = table.items.get(item._id)
  const lookups = table.secondaryIndexes.map((lookup) => updateSecondaryIndex(lookup, before, item))
  const indexes = table.uniqueIndexes.map((index) => {
    const holder = index.ids.get(keyOf(item, index.members))
    if (holder === item._id) return index
    if (holder !== undefined) throw duplicate(table.name, item, index.members)
    const ids = before ? index.ids.without(keyOf(before, index.members)) : index.ids
    return { ...index, ids: ids.with(keyOf(item, index.members), item._id) }
  })
  return { ...table, items: table.items.with(item._id, item), uniqueIndexes: indexes, secondaryIndexes: lookups }
}

/** Returns the table without an item. */
export function removeItem<T extends Item>(table: Table<T>, item: T): Table<T> {
  const indexes = table.uniqueIndexes.map((index) => ({ ...index, ids: index.ids.without(keyOf(item, index.members)) }))
  const lookups = table.secondaryIndexes.map((lookup) => updateSecondaryIndex(lookup, item, undefined))
  return { ...table, items: table.items.without(item._id), uniqueIndexes: indexes, secondaryIndexes: lookups }
}

/** Returns the matching item; of several, the one with the lowest `_id`. */
export function findItem<T extends Item>(table: Table<T>, match: ItemMatch<T>): T | undefined {
  let found: T | undefined
  for (const item of findMatching(table, match)) if (!found || item._id < found._id) found = item
  return found
}

/**
 * Returns all matching items. Reads one item if the match has an `_id` or a unique key, and one group if it has an
 * indexed member. Otherwise it reads the groups of `oneOf`, if it has an indexed member: the caller checks `oneOf`.
 */
export function* findMatching<T extends Item>(
  table: Table<T>,
  match: ItemMatch<T>,
  oneOf: Query<T>['oneOf'] = {}
): Generator<T, void> {
  // A match has members of an item only.
  const members = Object.keys(match) as (keyof T & string)[]
  for (const item of candidates(table, match, oneOf)) {
    if (members.every((member) => item[member] === match[member])) yield item
  }
}

function candidates<T extends Item>(
  table: Table<T>,
  match: ItemMatch<T>,
  oneOf: NonNullable<Query<T>['oneOf']>
): Iterable<T> {
  const index = table.uniqueIndexes.find(({ members }) => members.every((member) => match[member] !== undefined))
  const id = match._id ?? (index && (index.ids.get(keyOf(match, index.members)) ?? UNKNOWN_ID))
  if (id === undefined) {
    const groups = findGroups(table.secondaryIndexes, match, oneOf)
    return groups ? itemsOf(table, groups) : table.items.values()
  }
  const item = table.items.get(id)
  return item ? [item] : []
}

function* itemsOf<T extends Item>(table: Table<T>, groups: Iterable<IdSet>): Generator<T, void> {
  for (const group of groups) {
    for (const id of group.values()) {
      const item = table.items.get(id)
      if (item) yield item
    }
  }
}

/** No item has this `_id`. */
const UNKNOWN_ID = ''

function buildUniqueIndex<T extends Item>(
  name: keyof Resources,
  members: UniqueIndex<T>['members'],
  items: Iterable<T>
): UniqueIndex<T> {
  const ids = new Map<string, string>()
  for (const item of items) {
    const key = keyOf(item, members)
    if (ids.has(key)) throw duplicate(name, item, members)
    ids.set(key, item._id)
  }
  return { members, ids: ShardedMap.from(ids) }
}

function keyOf<T>(item: ItemMatch<T>, members: readonly (keyof T & string)[]): string {
  return JSON.stringify(members.map((member) => item[member]))
}

function duplicate<T>(name: keyof Resources, item: T, members: readonly (keyof T & string)[]): DuplicateError {
  return new DuplicateError(name, Object.fromEntries(members.map((member) => [member, item[member]])))
}
