import { StoreOpenError } from './store.ts'

/** Creates an error with the path of a file, what is wrong with it, and what to do. */
export function storeOpenError(path: string, wrong: string, remedy: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError(`${path} ${wrong}; ${remedy}`, { cause })
}

/** The remedy for a damaged file. */
export const RESTORE_BACKUP = 'restore a backup, or start with another directory'
