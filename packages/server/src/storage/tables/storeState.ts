import { historyCollections, type Resources, uniqueKeys, userDataCollections } from '../resources/collections.ts'
import type { HistoryRow } from './historyRow.ts'
import { buildTable, type Item, type Table } from './table.ts'

/** The content of a store at one moment. It is immutable; a new state shares the unchanged tables. */
export type StoreState = Tables & { readonly [K in HistoryCollection]: Table<HistoryRow> }

/** The tables of the collections whose items are in memory. */
export type Tables = { readonly [K in MemoryCollection]: Table<Resources[K]> }

/** Items by collection; of the history, rows. */
export type StoreItems = MemoryItems & { readonly [K in HistoryCollection]?: Iterable<HistoryRow> }

/** Items of the collections whose items are in memory. */
export type MemoryItems = { readonly [K in MemoryCollection]?: Iterable<Resources[K]> }

/** Builds a state. @throws {DuplicateError} */
export function buildState(items: StoreItems): StoreState {
  // One table for each name of `Resources`.
  return Object.fromEntries(
    collectionNames.map((name) => [name, buildTable<Item>(name, items[name] ?? [])])
  ) as unknown as StoreState
}

// The type of `uniqueKeys` requires each name of `Resources`, and no other.
const collectionNames = Object.keys(uniqueKeys) as readonly (keyof Resources)[]

/** A collection in the journal. */
export type UserDataCollection = (typeof userDataCollections)[number]

/** A collection in the history. */
export type HistoryCollection = (typeof historyCollections)[number]

/** A collection whose items are in memory. */
export type MemoryCollection = Exclude<keyof Resources, HistoryCollection>

/** A collection in the document. */
export type FlagDataCollection = Exclude<MemoryCollection, UserDataCollection>

/** Whether a collection is in the journal. */
export function isUserData(name: unknown): name is UserDataCollection {
  return userDataCollections.some((one) => one === name)
}

/** Whether a collection is in the history. */
export function isHistory(name: unknown): name is HistoryCollection {
  return historyCollections.some((one) => one === name)
}

/** The collections in the document. */
export const flagDataCollections = collectionNames.filter(
  (name): name is FlagDataCollection => !isUserData(name) && !isHistory(name)
)
