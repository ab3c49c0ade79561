import type { AuditLog } from './auditLog.ts'
import type { Resources } from './resources.ts'

/**
 * The storage boundary: where Burgee keeps what it must not lose.
 *
 * Reads see only what has been made durable. Items are frozen; a change is a new item.
 */
export interface Store {
  collection<K extends keyof Resources>(name: K): Collection<Resources[K]>
  /**
   * Runs `work` and makes all of its writes durable and visible together, or none of them.
   * Inside, use the store handed in: it sees its own writes, and a transaction of it is a part that can fail alone.
   * Transactions run one after another; one of the outer store, awaited inside, would wait for ever.
   * One transaction writes either user data (the collections of `userData`) or the rest, never both: the two live in different homes.
   * History (`auditEntries`) belongs to the rest, and so is durable together with what it tells of.
   * @throws {StoreUnavailableError} when the writes could not be made durable; nothing of them is kept.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  /** Tells `listener` of each transaction that wrote something, in order, once it is durable. Its promise resolves after the listeners are done. Returns a function that ends it. */
  subscribe(listener: ChangeListener): () => void
  /** Adds to every transaction that wrote something, before it commits, what belongs with its writes. One that fails, fails the transaction. Returns a function that ends it. */
  beforeCommit(companion: BeforeCommitHook): () => void
  /** The audit log as it is kept now. What is read from it is what is durable, and not what is in memory. */
  auditLog(): AuditLog
  /** Whether the last write succeeded; `false` means reads go on and writes are being refused. */
  isWritable(): boolean
  /** Waits for writes under way, then lets go of files and connections. */
  close(): Promise<void>
}

/** The items of one resource. A write outside a transaction is a transaction of its own. */
export interface Collection<T extends { readonly _id: string }> {
  /** The item whose members equal every given one; of several, the one with the lowest `_id`. Fast for `_id`, the resource's unique keys and its look-ups. */
  get(match: ItemMatch<T>): Promise<T | undefined>
  /** Looks only at the items that share the value of a look-up when `where` names one. */
  list(query?: Query<T>): Promise<Page<T>>
  /** @throws {DuplicateError} when `_id` or a unique key of the resource is taken. */
  insert(item: T): Promise<T>
  /** Replaces the given members; one given as `undefined` is taken away. Answers `undefined` when no item has this id. @throws {DuplicateError} */
  update(id: string, members: ItemPatch<T>): Promise<T | undefined>
  /** Answers the removed item, or `undefined` when no item has this id. */
  remove(id: string): Promise<T | undefined>
}

/** Members an item must have, by equality. */
export type ItemMatch<T> = { readonly [M in keyof T]?: T[M] }

/** Members to replace; only those an item can do without may be given as `undefined`. */
export type ItemPatch<T> = { readonly [M in keyof T]?: T[M] | (undefined extends T[M] ? undefined : never) }

/**
 * Which items of a collection, all conditions together, and in which order: numbers by size, strings by code unit, what is missing last unless the query says otherwise.
 * Ties are broken by ascending `_id`, so pages never overlap; without `sortBy` the order is that of `_id`.
 */
export interface Query<T> {
  readonly where?: ItemMatch<T>
  /** Keeps items whose member equals one of the values; no values keep no items. */
  readonly oneOf?: { readonly [M in keyof T]?: readonly T[M][] }
  /** Keeps items whose member is a list that contains the value. */
  readonly including?: { readonly [M in keyof T]?: ElementOf<T[M]> }
  /** Keeps items whose member is a string from `from` to `to`, both included, by code unit: dates of ISO 8601 are in order so. */
  readonly between?: { readonly member: keyof T & string; readonly from?: string; readonly to?: string }
  /** Case-insensitive: keeps items in which one of the members contains the text, or is a list with a string that does. */
  readonly search?: { readonly text: string; readonly in: readonly (keyof T & string)[] }
  readonly sortBy?: keyof T & string
  /** Where `sortBy` tells no difference. */
  readonly thenBy?: keyof T & string
  readonly sortOrder?: 'asc' | 'desc'
  /** Has items without the member come before all others when ascending, and after them when descending; otherwise they come last either way. */
  readonly missing?: 'lowest'
  /** From 1. Without `perPage` every item is on the first page. */
  readonly page?: number
  readonly perPage?: number
}

/** What a list holds; nothing else is one. */
type ElementOf<V> = V extends readonly (infer Element)[] ? Element : never

/** One page of a list, and how many items the whole list has. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly count: number
}

/** Follows a store. A listener that fails harms neither the write nor other listeners; one that writes to the store waits forever. */
export type ChangeListener = (change: Change) => void | Promise<void>

/** Writes what belongs with the writes of a transaction, in that same transaction. */
export type BeforeCommitHook = (change: Change, transaction: Store) => Promise<void>

/** What one transaction wrote, in the order of the writes. */
export interface Change {
  readonly writes: readonly StoreWrite[]
}

/** One write; `before` is absent for an insertion, `after` for a removal. */
export type StoreWrite = {
  [K in keyof Resources]: { readonly collection: K; readonly before?: Resources[K]; readonly after?: Resources[K] }
}[keyof Resources]

/** A write would give two items the same unique key. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
  readonly collection: keyof Resources
  readonly members: Readonly<Record<string, unknown>>

  constructor(collection: keyof Resources, members: Readonly<Record<string, unknown>>) {
    const shown = Object.entries(members).map(([member, value]) => `${member} ${JSON.stringify(value)}`)
    super(`${collection} already has an item with ${shown.join(' and ')}`)
    this.collection = collection
    this.members = members
  }
}

/** A write could not be made durable; its `cause` says why. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** The store cannot be opened as it is; the message says what to do. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}

/** Another process has taken over the store, so this one must not use it any more. */
export class StoreLostError extends Error {
  override readonly name = 'StoreLostError'
}

/** The store cannot be opened because a running process has it open. */
export class StoreLockedError extends StoreOpenError {
  readonly pid: number

  constructor(message: string, pid: number) {
    super(message)
    this.pid = pid
  }
}
