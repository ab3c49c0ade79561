import { Low, Memory } from 'lowdb'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import type { LockTimings } from '../lowdb/lock/lockOptions.ts'
import { LowdbStore } from '../lowdb/lowdbStore.ts'
import { openFileStore } from '../lowdb/openFileStore.ts'
import type { OnNotice } from '../onNotice.ts'
import type { Database } from '../postgres/connection/database.ts'
import { openPostgresStore } from '../postgres/openPostgresStore.ts'
import { type Store, type StoreLostError, StoreOpenError } from '../store.ts'
import { isDatabaseUrl, maskStoreUrl, parseStoreDirectory } from '../storeUrl.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'

/**
 * Opens a store by its URL: `memory:`, which ends with the process, `file:<directory>`, or `postgres://…`.
 * @throws {StoreOpenError} when the URL does not name a store, or the store cannot be opened.
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<OpenedStore> {
  const { onNotice = () => {}, onLost = () => {}, encryption = { keys: [] } } = options
  const { maxConnections = MAX_CONNECTIONS, pollMs = POLL_MS, listens = true, random = Math.random } = options
  if (url === 'memory:') return new LowdbStore(new Low(new Memory<StoreState>(), buildState({})), onNotice)
  if (isDatabaseUrl(url)) {
    return openPostgresStore(url, { maxConnections, pollMs, listens, random, encryption, onNotice, onLost })
  }
  const directory = parseStoreDirectory(url)
  if (directory) return openFileStore(directory, options)
  throw new StoreOpenError(
    `${JSON.stringify(maskStoreUrl(url))} does not name a store; use "memory:", "file:<directory>" or "postgres://<user>@<host>/<database>", for example "file:./burgee-data"`
  )
}

/** The default of the maximum number of connections to a database. */
const MAX_CONNECTIONS = 10

/** The default of the interval between two questions for changes. */
const POLL_MS = 1_000

/** Where a store has its data: a directory, a database, or `undefined` for memory. */
export type StoreLocation = string | Database | undefined

/** A store that can check whether this process still owns it. */
export interface OpenedStore extends Store {
  readonly location: StoreLocation
  /**
   * Starts to call listeners with the changes of other servers, beginning with those since the store was opened. Until
   * then, other servers on the same database wait with their start. Resolves when listeners have received the changes
   * up to now.
   */
  follow(): Promise<void>
  /**
   * Resolves when listeners have received all changes that any server has committed before the call.
   * Missing if no other server can use the store. @throws {StoreUnavailableError} when the changes cannot be read.
   */
  catchUp?(): Promise<void>
  /**
   * Calls `start` while this server is the one that does the work of this name, and the function that it returns when
   * it no longer is. Resolves with the function that ends this, after the first attempt to start.
   */
  runExclusively(name: string, start: () => Promise<() => Promise<void>>): Promise<() => Promise<void>>
  /**
   * Claims an id for a time in milliseconds. Returns false if any server on the store has claimed it before. Absent if
   * no other server can share the store.
   */
  claim?(id: string, ms: number): Promise<boolean>
  /** @throws when another process has taken over the store, or may have. Resolves for a store in memory. */
  assertOwned(): Promise<void>
  /** Whether a suspended process may have the files of the store open, because this one took it over. */
  readonly mayHaveFormerOwner?: boolean
}

/** Options of `openStore`. */
export interface OpenStoreOptions {
  readonly onNotice?: OnNotice
  /** Receives failures to write, if they are not notices: a command reports its own. */
  readonly onWriteFailure?: OnNotice
  /**
   * Called once when another process has taken over the store, or this one has missed changes; from then on all writes
   * fail. Must not throw.
   */
  readonly onLost?: (error: StoreLostError) => void
  /** Intervals of the lock of a `file:` store. */
  readonly timings?: LockTimings
  /** Encrypts secrets at rest; a store in memory has none. */
  readonly encryption?: EncryptionOptions
  /** The program of the thread that compacts a `file:` store while it is open; see `compactionProgram.ts`. */
  readonly compactionProgram?: URL
  /** The maximum number of connections to a database. Default: 10. */
  readonly maxConnections?: number
  /** How often a database is asked for changes of other servers, in milliseconds. Default: 1,000. */
  readonly pollMs?: number
  /** Whether a database notifies this server of changes, in addition. Default: true. */
  readonly listens?: boolean
  /** Returns a number between 0 and 1, so that servers do not poll together. Default: `Math.random`. */
  readonly random?: () => number
}
