import { type Group, type Lookup, lookupOf, narrowest, regrouped } from './lookup.ts'
import { lookups, type Resources, uniqueKeys } from './resources.ts'
import { Shards } from './shards.ts'
import { DuplicateError, type Match } from './store.ts'

/** The items of one collection at one moment, by `_id`, by each unique key, and in groups by each look-up. */
export interface Table<T extends Item> {
  readonly name: keyof Resources
  readonly items: Shards<T>
  readonly indexes: readonly Index<T>[]
  readonly lookups: readonly Lookup<T>[]
}

/** Anything a collection may hold. */
export interface Item {
  readonly _id: string
}

/** Whether a value read from a file can be an item. */
export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && '_id' in value && typeof value._id === 'string'
}

interface Index<T> {
  readonly members: readonly (keyof T & string)[]
  /** From the values of the members to the `_id` of the item that has them. */
  readonly ids: Shards<string>
}

/** A table of the given items. @throws {DuplicateError} */
export function tableOf<K extends keyof Resources>(name: K, items: Iterable<Resources[K]>): Table<Resources[K]> {
  const byId = new Map<string, Resources[K]>()
  for (const item of items) {
    if (byId.has(item._id)) throw new DuplicateError(name, { _id: item._id })
    byId.set(item._id, item)
  }
  const indexes = uniqueKeys[name].map((members) => indexOf(name, members, byId.values()))
  const groups = lookups[name].map((member) => lookupOf(member, byId.values()))
  return { name, items: Shards.from(byId), indexes, lookups: groups }
}

/** The table with this item in it, in place of the one of the same `_id` if there is one. @throws {DuplicateError} */
export function put<T extends Item>(table: Table<T>, item: T): Table<T> {
  const before = table.items.get(item._id)
  const lookups = table.lookups.map((lookup) => regrouped(lookup, before, item))
  const indexes = table.indexes.map((index) => {
    const holder = index.ids.get(keyOf(item, index.members))
    if (holder === item._id) return index
    if (holder !== undefined) throw duplicate(table.name, item, index.members)
    const ids = before ? index.ids.without(keyOf(before, index.members)) : index.ids
    return { ...index, ids: ids.with(keyOf(item, index.members), item._id) }
  })
  return { ...table, items: table.items.with(item._id, item), indexes, lookups }
}

/** The table without this item. */
export function take<T extends Item>(table: Table<T>, item: T): Table<T> {
  const indexes = table.indexes.map((index) => ({ ...index, ids: index.ids.without(keyOf(item, index.members)) }))
  const lookups = table.lookups.map((lookup) => regrouped(lookup, item, undefined))
  return { ...table, items: table.items.without(item._id), indexes, lookups }
}

/** The item that matches; of several, the one with the lowest `_id`. */
export function find<T extends Item>(table: Table<T>, match: Match<T>): T | undefined {
  let found: T | undefined
  for (const item of matching(table, match)) if (!found || item._id < found._id) found = item
  return found
}

/** Every item that matches; looks at one item only when the match names an `_id` or a whole unique key, and at one group when it names a look-up. */
export function* matching<T extends Item>(table: Table<T>, match: Match<T>): Generator<T, void> {
  // A match has the members of an item and nothing else.
  const members = Object.keys(match) as (keyof T & string)[]
  for (const item of candidates(table, match)) {
    if (members.every((member) => item[member] === match[member])) yield item
  }
}

function candidates<T extends Item>(table: Table<T>, match: Match<T>): Iterable<T> {
  const index = table.indexes.find(({ members }) => members.every((member) => match[member] !== undefined))
  const id = match._id ?? (index && (index.ids.get(keyOf(match, index.members)) ?? NOBODY))
  if (id === undefined) {
    const group = narrowest(table.lookups, match)
    return group ? itemsOf(table, group) : table.items.values()
  }
  const item = table.items.get(id)
  return item ? [item] : []
}

function* itemsOf<T extends Item>(table: Table<T>, group: Group): Generator<T, void> {
  for (const id of group.values()) {
    const item = table.items.get(id)
    if (item) yield item
  }
}

/** No item has this `_id`. */
const NOBODY = ''

function indexOf<T extends Item>(name: keyof Resources, members: Index<T>['members'], items: Iterable<T>): Index<T> {
  const ids = new Map<string, string>()
  for (const item of items) {
    const key = keyOf(item, members)
    if (ids.has(key)) throw duplicate(name, item, members)
    ids.set(key, item._id)
  }
  return { members, ids: Shards.from(ids) }
}

function keyOf<T>(item: Match<T>, members: readonly (keyof T & string)[]): string {
  return JSON.stringify(members.map((member) => item[member]))
}

function duplicate<T>(name: keyof Resources, item: T, members: readonly (keyof T & string)[]): DuplicateError {
  return new DuplicateError(name, Object.fromEntries(members.map((member) => [member, item[member]])))
}
