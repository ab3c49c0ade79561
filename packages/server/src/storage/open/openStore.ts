import { Low, Memory } from 'lowdb'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import type { LockTimings } from '../lowdb/directoryLock.ts'
import { LowdbStore } from '../lowdb/lowdbStore.ts'
import { openFileStore } from '../lowdb/openFileStore.ts'
import { type Store, type StoreLostError, StoreOpenError } from '../store.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'

/**
 * Opens a store by its URL: `memory:`, which ends with the process, or `file:<directory>`.
 * @throws {StoreOpenError} when the URL does not name a store, or the store cannot be opened.
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<OpenedStore> {
  const { onNotice = () => {} } = options
  if (url === 'memory:') return new LowdbStore(new Low(new Memory<StoreState>(), buildState({})), onNotice)
  const directory = parseStoreDirectory(url)
  if (directory) return openFileStore(directory, options)
  // The part before the @ may contain a password.
  const shown = JSON.stringify(url.replace(/\/\/.*@/s, '//…@'))
  const wrong = /^postgres(ql)?:/.test(url)
    ? `${shown} names a PostgreSQL store, which this version does not support`
    : `${shown} does not name a store`
  throw new StoreOpenError(`${wrong}; use "memory:" or "file:<directory>", for example "file:./burgee-data"`)
}

/** Returns the directory of a `file:` URL, or `undefined` for another URL. */
export function parseStoreDirectory(url: string): string | undefined {
  return /^file:(?!\/\/[^/])(.+)$/s.exec(url)?.[1]
}

/** A store that can check whether this process still owns it. */
export interface OpenedStore extends Store {
  /** @throws when another process has taken over the store, or may have. Resolves for a store in memory. */
  assertOwned(): Promise<void>
}

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice?: (message: string) => void
  /** Called once when another process has taken over the store; from then on all writes fail. Must not throw. */
  readonly onLost?: (error: StoreLostError) => void
  /** Intervals of the lock of a `file:` store. */
  readonly timings?: LockTimings
  /** Encrypts secrets at rest; a store in memory has none. */
  readonly encryption?: EncryptionOptions
}
