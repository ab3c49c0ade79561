import { Low, Memory } from 'lowdb'
import { LowdbStore } from '../lowdb/lowdbStore.ts'
import { openFileStore } from '../lowdb/openFileStore.ts'
import { type Store, StoreOpenError } from '../store.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'

/**
 * Opens the store that a URL names: `memory:`, which forgets everything when the process ends, or `file:<directory>`.
 * @throws {StoreOpenError} when there is no such store, or it cannot be opened as it is.
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  const { onNotice = () => {} } = options
  if (url === 'memory:') return new LowdbStore(new Low(new Memory<StoreState>(), buildState({})), onNotice)
  const directory = parseStoreDirectory(url)
  if (directory) return openFileStore(directory, onNotice)
  // What stands before the @ may be a password.
  const shown = JSON.stringify(url.replace(/\/\/.*@/s, '//…@'))
  const wrong = /^postgres(ql)?:/.test(url)
    ? `${shown} names a PostgreSQL store, which this version does not support`
    : `${shown} does not name a store`
  throw new StoreOpenError(`${wrong}; use "memory:" or "file:<directory>", for example "file:./burgee-data"`)
}

/** The directory of a `file:` store; undefined for every other store. */
export function parseStoreDirectory(url: string): string | undefined {
  return /^file:(?!\/\/[^/])(.+)$/s.exec(url)?.[1]
}

/** How to open a store. */
export interface OpenStoreOptions {
  /** Is told what an operator should know of and nobody waits for. It must not throw. */
  readonly onNotice?: (message: string) => void
}
