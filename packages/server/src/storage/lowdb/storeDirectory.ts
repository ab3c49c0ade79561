import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncDirectory } from '@burgee/kit/files'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import { isCommitFile } from './document/commitLog.ts'

/** The file of all collections except history and user data. */
export const DOCUMENT_FILE = 'db.json'
/** The file of the history. */
export const HISTORY_FILE = 'history.jsonl'
/** The file of the user data. */
export const JOURNAL_FILE = 'users.jsonl'
/** The length of the file of the user data, as it was recorded last. */
export const JOURNAL_LENGTH_FILE = 'users.length'
/** The lock of the directory. */
export const LOCK_FILE = 'db.json.lock'
/** Marks a directory whose document and journal were complete once, so that it is never treated as new. */
export const MARKER_FILE = 'burgee.store'
/** Its content. */
export const MARKER_CONTENT = 'A Burgee store lives in this directory.\n'

/** Whether a directory contains files of a store, readable or not. */
export function hasStore(directory: string): boolean {
  return (
    statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true &&
    readdirSync(directory).some(
      (name) => name === MARKER_FILE || (name.startsWith(DOCUMENT_FILE) && !isTransient(name))
    )
  )
}

/** Creates a directory and its missing parents durably: each new name is in a directory that is synced. */
export async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return
  const parent = dirname(path)
  // One at a time: with `recursive`, mkdir never returns if the file system rejects a directory with ENOENT, as /proc
  // does.
  if (parent !== path) await makeDirectory(parent)
  await mkdir(path, { mode: 0o700 })
  await syncDirectory(parent)
}

/** Asserts that a directory has a store, or nothing but what a file system and interrupted starts leave there. */
export function assertOwnDirectory(path: string, names: readonly string[]): void {
  const isOwn = (name: string) =>
    storeFiles.includes(name) || isCommitFile(name) || (name.startsWith(DOCUMENT_FILE) && name.endsWith('.bak'))
  if (names.some(isOwn)) return
  const isForeign = (name: string) => !name.startsWith('.') && name !== 'lost+found' && !isTransient(name)
  const foreign = names.filter(isForeign).sort()
  if (foreign.length === 0) return
  const rest = foreign.length > MAX_SHOWN ? ` and ${foreign.length - MAX_SHOWN} more` : ''
  const shown = foreign.slice(0, MAX_SHOWN).join(', ')
  throw storeOpenError(
    path,
    `has no store, but other files: ${shown}${rest}`,
    'a new store needs an empty or a new directory'
  )
}

/** Whether a start that was interrupted can leave a file of this name: the lock, and temporary files. */
function isTransient(name: string): boolean {
  return name === LOCK_FILE || storeFiles.some((file) => name.startsWith(`${file}.`) && name.endsWith('.tmp'))
}

const storeFiles: readonly string[] = [MARKER_FILE, DOCUMENT_FILE, HISTORY_FILE, JOURNAL_FILE]

/** The number of files that a message names. */
const MAX_SHOWN = 3

/** Asserts that no file of a store is missing in its directory. */
export function assertNothingMissing(path: string, names: readonly string[]): void {
  const traces = names.filter(
    (name) => [MARKER_FILE, HISTORY_FILE, JOURNAL_FILE].includes(name) || isCommitFile(name) || name.endsWith('.bak')
  )
  if (!names.includes(DOCUMENT_FILE) && traces.length > 0) {
    const wrong = `is missing, but there was a store here: found ${traces.join(' and ')}`
    throw storeOpenError(
      join(path, DOCUMENT_FILE),
      wrong,
      `${RESTORE_BACKUP}, or remove the remaining files to start empty`
    )
  }
  if (names.includes(MARKER_FILE) && !names.includes(JOURNAL_FILE)) {
    const remedy =
      'restore it from a backup, or create an empty file of this name and delete users.length to continue without the user data'
    throw storeOpenError(join(path, JOURNAL_FILE), 'is missing', remedy)
  }
}
