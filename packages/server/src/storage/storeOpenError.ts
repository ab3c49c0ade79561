import { StoreOpenError } from './store.ts'

/** Creates an error with the path of a file, the problem and the remedy. */
export function storeOpenError(path: string, problem: string, remedy: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError(`${path} ${problem}; ${remedy}`, { cause })
}

/** The remedy for a damaged file. */
export const RESTORE_BACKUP = 'restore a backup, or start with another directory'
