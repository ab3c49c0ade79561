import type { AuditLog } from './auditLog.ts'
import type { Resources } from './resources/collections.ts'

/**
 * The storage boundary for everything but events. Reads return durable data only. Items are frozen; an update creates a
 * new item.
 */
export interface Store {
  collection<K extends keyof Resources>(name: K): Collection<Resources[K]>
  /**
   * Runs `work`, and makes all of its writes durable and visible together, or none of them. Transactions run one after
   * another.
   *
   * `work` writes through the store that it receives, which sees these writes. A transaction of that store is a part
   * that can fail alone. A write through the outer store throws, since it would wait for the transaction.
   *
   * A transaction writes either user data (`userDataCollections`) or other collections, never both, since these are
   * stored separately. Audit entries are durable together with the changes that they describe.
   * @throws {StoreUnavailableError} when the writes could not be made durable. None of them is kept, unless it is an
   * `UncertainWriteError`.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  /**
   * Calls `listener` with each transaction that wrote something, in order, once it is durable. The promise of the
   * transaction resolves after all listeners. Returns a function that removes the listener.
   */
  subscribe(listener: ChangeListener): () => void
  /**
   * Calls `hook` before each commit of a transaction that wrote something; the hook can write more. If it fails, the
   * transaction fails. Returns a function that removes the hook.
   */
  beforeCommit(hook: BeforeCommitHook): () => void
  /** The durable audit log, which is read from the disk and not from memory. */
  auditLog(): Promise<AuditLog>
  /**
   * Resolves when the disk has no copies of removed or replaced user data (`userDataCollections`); a store in files has
   * none of other collections either, except the audit log.
   * @throws {StoreUnavailableError} when the files could not be rewritten.
   */
  purgeUserData(): Promise<void>
  /** Whether the last write succeeded. If not, reads continue to work, and writes fail. */
  isWritable(): boolean
  /** Waits for writes in progress, then closes files and connections. */
  close(): Promise<void>
}

/** The items of one resource. Each write outside a transaction is a transaction of its own. */
export interface Collection<T extends { readonly _id: string }> {
  /** Returns the item whose members equal all given ones; of several, the one with the lowest `_id`. Uses indexes. */
  get(match: ItemMatch<T>): Promise<T | undefined>
  /** Returns a page of items. Uses a secondary index if `where` has a member with one. */
  list(query?: Query<T>): Promise<Page<T>>
  /** Iterates over all items that a query selects, in its order. Few audit entries are in memory at once. */
  scan(query?: Scan<T>): AsyncIterable<T>
  /** @throws {DuplicateError} when `_id` or a unique key of the resource is taken. */
  insert(item: T): Promise<T>
  /**
   * Replaces the given members, and removes those given as `undefined`. Returns `undefined` if there is no such item.
   * @throws {DuplicateError}
   */
  update(id: string, members: ItemPatch<T>): Promise<T | undefined>
  /** Returns the removed item, or `undefined` if there is no such item. */
  remove(id: string): Promise<T | undefined>
}

/** Members that an item must have. */
export type ItemMatch<T> = { readonly [M in keyof T]?: T[M] }

/** Members to replace. Only optional ones can be `undefined`, which removes them. */
export type ItemPatch<T> = { readonly [M in keyof T]?: T[M] | (undefined extends T[M] ? undefined : never) }

/**
 * Conditions, all of which an item must meet, and an order: numbers by size, strings by code unit, missing members
 * last. Ties are broken by ascending `_id`, so pages never overlap; without `sortBy`, items are in the order of `_id`.
 */
export interface Query<T> {
  readonly where?: ItemMatch<T>
  /** The member equals one of the values; `undefined` stands for a missing one. An empty list matches no item. */
  readonly oneOf?: { readonly [M in keyof T]?: readonly T[M][] }
  /** The member is a list that contains the value. */
  readonly including?: { readonly [M in keyof T]?: ElementOf<T[M]> }
  /** The member is a string from `from` to `to`, both included, by code unit, which is chronological for ISO 8601. */
  readonly between?: { readonly member: keyof T & string; readonly from?: string; readonly to?: string }
  /** One of the members contains the text, or is a list with a string that does. Ignores case. */
  readonly search?: { readonly text: string; readonly in: readonly (keyof T & string)[] }
  readonly sortBy?: keyof T & string
  /** Orders items that `sortBy` does not distinguish. */
  readonly thenBy?: keyof T & string
  readonly sortOrder?: 'asc' | 'desc'
  /** Of the items with the same string in this member, only the first in the order. The others are not counted. */
  readonly firstOf?: keyof T & string
  /** Sorts missing members as the lowest value; otherwise they are last in both directions. */
  readonly missing?: 'lowest'
  /** From 1. Without `perPage` every item is on the first page. */
  readonly page?: number
  readonly perPage?: number
}

/** The conditions and the order of a scan. */
export interface Scan<T> extends Omit<Query<T>, 'page' | 'perPage'> {
  /**
   * Texts without characters that JSON escapes. The caller ignores items whose JSON contains none of them in any case,
   * so a store may skip these.
   */
  readonly hint?: readonly string[]
}

/** The type of the elements of a list. */
type ElementOf<V> = V extends readonly (infer Element)[] ? Element : never

/** One page of a list, and the number of items on all pages. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly count: number
}

/**
 * Receives the changes of a store. An error of a listener affects neither the write nor other listeners. A listener
 * cannot write to the store before it has returned: such a write throws.
 */
export type ChangeListener = (change: Change) => void | Promise<void>

/** Adds writes to a transaction that is about to commit. */
export type BeforeCommitHook = (change: Change, transaction: Store) => Promise<void>

/** What one transaction wrote, in the order of the writes. */
export interface Change {
  readonly writes: readonly StoreWrite[]
}

/** One write; `before` is absent for an insertion, `after` for a removal. */
export type StoreWrite = {
  [K in keyof Resources]: { readonly collection: K; readonly before?: Resources[K]; readonly after?: Resources[K] }
}[keyof Resources]

/** Thrown by a write that would give two items the same unique key. */
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

/** Thrown by a write that could not be made durable; `cause` is the reason. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** Thrown by a write that conflicted with others, although the store is available. Nothing was written. */
export class StoreBusyError extends StoreUnavailableError {}

/** Thrown by a write that is durable, or may be, but cannot be acknowledged. */
export class UncertainWriteError extends StoreUnavailableError {}

/** Thrown when the store cannot be opened; the message has the reason and the remedy. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}

/** Thrown when the store cannot be opened because its database is not available now. */
export class StoreUnreachableError extends StoreOpenError {}

/** Another process has taken over the store, or the store is another one, so this process must no longer use it. */
export class StoreLostError extends Error {
  override readonly name = 'StoreLostError'
}

/** Thrown when the store cannot be opened because a running process has it open. */
export class StoreLockedError extends StoreOpenError {
  /** Describes the process in messages. */
  readonly holder: string

  /** @param pid `undefined` if a full disk prevented that the lock names the process. */
  constructor(message: string, pid: number | undefined) {
    super(message)
    this.holder = pid === undefined ? 'a running server' : `a running server (process ${pid})`
  }
}
