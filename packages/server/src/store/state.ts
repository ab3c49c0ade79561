import { history, type Resources, uniqueKeys, userData } from './resources.ts'
import { type Table, tableOf } from './table.ts'

/** Everything a store keeps at one moment. It never changes; a change is a new state that shares what stayed the same. */
export type State = { readonly [K in keyof Resources]: Table<Resources[K]> }

/** The items of some collections. */
export type Items = { readonly [K in keyof Resources]?: Iterable<Resources[K]> }

/** The state that holds these items. @throws {DuplicateError} */
export function stateOf(items: Items): State {
  // One table for each name of `Resources`.
  return Object.fromEntries(collections.map((name) => [name, tableOf(name, items[name] ?? [])])) as unknown as State
}

// `uniqueKeys` is typed to have each name of `Resources` and no other.
const collections = Object.keys(uniqueKeys) as readonly (keyof Resources)[]

/** A collection that changes with what people do. */
export type UserData = (typeof userData)[number]

/** A collection that only grows. */
export type HistoryData = (typeof history)[number]

/** A collection that grows with the application's flags. */
export type FlagData = Exclude<keyof Resources, UserData | HistoryData>

/** Whether a collection changes with what people do, and so lives in a home of its own. */
export function isUserData(name: unknown): name is UserData {
  return userData.some((one) => one === name)
}

/** Whether a collection only grows, and so is appended to a file beside the document it commits with. */
export function isHistory(name: unknown): name is HistoryData {
  return history.some((one) => one === name)
}

/** The collections that grow with the application's flags. */
export const flagData = collections.filter((name): name is FlagData => !isUserData(name) && !isHistory(name))
