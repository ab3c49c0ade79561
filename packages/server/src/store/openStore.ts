import { Low, Memory } from 'lowdb'
import { LowdbStore } from './lowdb.ts'
import { openDirectory } from './openDirectory.ts'
import { type State, stateOf } from './state.ts'
import { type Store, StoreOpenError } from './store.ts'

/**
 * Opens the store that a URL names: `memory:`, which forgets everything when the process ends, or `file:<directory>`.
 * @throws {StoreOpenError} when there is no such store, or it cannot be opened as it is.
 */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const { onNotice = () => {} } = options
  if (url === 'memory:') return new LowdbStore(new Low(new Memory<State>(), stateOf({})), onNotice)
  const directory = directoryOf(url)
  if (directory) return openDirectory(directory, onNotice)
  // What stands before the @ may be a password.
  const shown = JSON.stringify(url.replace(/\/\/.*@/s, '//…@'))
  const wrong = /^postgres(ql)?:/.test(url)
    ? `${shown} names a PostgreSQL store, which this version does not support`
    : `${shown} does not name a store`
  throw new StoreOpenError(`${wrong}; use "memory:" or "file:<directory>", for example "file:./burgee-data"`)
}

/** The directory of a `file:` store; undefined for every other store. */
export function directoryOf(url: string): string | undefined {
  return /^file:(?!\/\/[^/])(.+)$/s.exec(url)?.[1]
}

/** How to open a store. */
export interface OpenOptions {
  /** Is told what an operator should know of and nobody waits for. It must not throw. */
  readonly onNotice?: (message: string) => void
}
