import { historyCollections, type Resources, uniqueKeys, userDataCollections } from '../resources.ts'
import { buildTable, type Table } from './table.ts'

/** Everything a store keeps at one moment. It never changes; a change is a new state that shares what stayed the same. */
export type StoreState = { readonly [K in keyof Resources]: Table<Resources[K]> }

/** The items of some collections. */
export type StoreItems = { readonly [K in keyof Resources]?: Iterable<Resources[K]> }

/** The state that holds these items. @throws {DuplicateError} */
export function buildState(items: StoreItems): StoreState {
  // One table for each name of `Resources`.
  return Object.fromEntries(
    collectionNames.map((name) => [name, buildTable(name, items[name] ?? [])])
  ) as unknown as StoreState
}

// `uniqueKeys` is typed to have each name of `Resources` and no other.
const collectionNames = Object.keys(uniqueKeys) as readonly (keyof Resources)[]

/** A collection that changes with what people do. */
export type UserDataCollection = (typeof userDataCollections)[number]

/** A collection that only grows. */
export type HistoryCollection = (typeof historyCollections)[number]

/** A collection that grows with the application's flags. */
export type FlagDataCollection = Exclude<keyof Resources, UserDataCollection | HistoryCollection>

/** Whether a collection changes with what people do, and so lives in a home of its own. */
export function isUserData(name: unknown): name is UserDataCollection {
  return userDataCollections.some((one) => one === name)
}

/** Whether a collection only grows, and so is appended to a file beside the document it commits with. */
export function isHistory(name: unknown): name is HistoryCollection {
  return historyCollections.some((one) => one === name)
}

/** The collections that grow with the application's flags. */
export const flagDataCollections = collectionNames.filter(
  (name): name is FlagDataCollection => !isUserData(name) && !isHistory(name)
)
