import { StoreOpenError } from './store.ts'

/** The error that says which file keeps a store from opening, what is wrong with it, and what to do. */
export function storeOpenError(path: string, wrong: string, remedy: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError(`${path} ${wrong}; ${remedy}`, { cause })
}

/** What to do about a file that cannot be trusted. */
export const RESTORE_BACKUP = 'put back a copy from a backup, or start with another directory'
