import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { removeTemporaryFiles, syncDirectory, writeFileAtomic } from '@burgee/kit/files'
import { Low } from 'lowdb'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import { migrations as released } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { userDataCollections } from '../resources/collections.ts'
import { StoreOpenError } from '../store.ts'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'
import { DirectoryLock, type LockOptions, lockTimings } from './directoryLock.ts'
import { isCommitFile } from './document/commitLog.ts'
import { FileAdapter } from './fileAdapter.ts'
import { findPlainCopies } from './findPlainCopies.ts'
import { HistoryFile } from './historyFile.ts'
import { Journal } from './journal.ts'
import { LowdbStore } from './lowdbStore.ts'

/** Options of `openFileStore`. */
export interface FileStoreOptions extends Partial<LockOptions> {
  readonly migrations?: readonly Migration[]
  /** Encrypts secrets; none if omitted. */
  readonly encryption?: EncryptionOptions | undefined
  /** The program of the thread that compacts while the store is open. Without it, closing the store compacts. */
  readonly compactionProgram?: URL | undefined
}

/**
 * Opens the store in a directory; creates one if the directory has never contained a store.
 * @throws {StoreLockedError} when another process has it open.
 * @throws {StoreOpenError} when a part of it is missing or damaged: a start never continues with less data than before.
 */
export async function openFileStore(
  directory: string,
  {
    onNotice = () => {},
    onLost = () => {},
    timings = lockTimings,
    migrations = released,
    encryption = { keys: [] },
    compactionProgram
  }: FileStoreOptions = {}
): Promise<LowdbStore> {
  const path = resolve(directory)
  const journal = new Journal(join(path, JOURNAL_FILE), onNotice)
  const history = new HistoryFile(join(path, HISTORY_FILE), onNotice)
  const document = new FileAdapter(
    join(path, DOCUMENT_FILE),
    history,
    { migrations, encryption, compactionProgram },
    onNotice
  )
  let lock: DirectoryLock | undefined
  try {
    await makeDirectory(path)
    // Before the lock, which is a file, too.
    assertOwnDirectory(path, await readdir(path))
    lock = await DirectoryLock.acquire(join(path, LOCK_FILE), { onNotice, onLost, timings })
    await restrictToOwner(path, onNotice)
    return new LowdbStore(await load(path, document, journal, onNotice), onNotice, {
      directory: path,
      document,
      journal,
      lock
    })
  } catch (error) {
    await journal
      .close()
      .finally(() => document.close())
      .finally(() => lock?.release())
    if (error instanceof StoreOpenError) throw error
    const remedy = 'choose a directory in which this process may create files'
    throw storeOpenError(path, `cannot be opened as a store: ${reasonOf(error)}`, remedy, error)
  }
}

/** Whether a directory contains files of a store, readable or not. */
export function hasStore(directory: string): boolean {
  return (
    existsSync(directory) &&
    readdirSync(directory).some((name) => name === MARKER_FILE || name.startsWith(DOCUMENT_FILE))
  )
}

/** Creates a directory and its missing parents durably: each new name is in a directory that is synced. */
async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return
  const parent = dirname(path)
  // One at a time: with `recursive`, mkdir never returns if the file system rejects a directory with ENOENT, as /proc
  // does.
  if (parent !== path) await makeDirectory(parent)
  await mkdir(path, { mode: 0o700 })
  await syncDirectory(parent)
}

/** Removes the permissions of other users from a directory: they could replace files that they cannot read. */
async function restrictToOwner(path: string, onNotice: (message: string) => void): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  try {
    await chmod(path, mode & 0o7700)
  } catch {
    // A volume can belong to another user.
    if ((mode & 0o022) !== 0) onNotice(`other users can replace files in ${path}: give it to this user, with mode 700`)
  }
}

/** The file of all collections except history and user data. */
export const DOCUMENT_FILE = 'db.json'
/** The file of the history. */
export const HISTORY_FILE = 'history.jsonl'
const JOURNAL_FILE = 'users.jsonl'
const LOCK_FILE = 'db.json.lock'
/** Marks a directory whose document and journal were complete once, so that it is never treated as new. */
const MARKER_FILE = 'burgee.store'

async function load(
  path: string,
  document: FileAdapter,
  journal: Journal,
  onNotice: (message: string) => void
): Promise<Low<StoreState>> {
  await removeTemporaryFiles(path)
  const names = await readdir(path)
  assertNothingMissing(path, names)
  if (!names.includes(DOCUMENT_FILE)) await document.create()
  const low = new Low<StoreState>(document, buildState({}))
  await low.read()
  const { items, hasOutdatedSecrets } = await journal.open(document.encryption.codec)
  const users = buildState(items)
  low.data = { ...low.data, ...Object.fromEntries(userDataCollections.map((name) => [name, users[name]])) }
  if (hasOutdatedSecrets) await journal.rewrite(low.data)
  await journal.compact(low.data)
  await document.settleEncryption()
  const copies = document.encryption.final ? await findPlainCopies(path) : []
  for (const copy of copies) onNotice(`${copy} has secrets that are not encrypted; delete it as soon as possible`)
  // Last: a first start that ends before this can be repeated.
  if (!names.includes(MARKER_FILE))
    await writeFileAtomic(join(path, MARKER_FILE), 'A Burgee store lives in this directory.\n')
  return low
}

/** Asserts that a directory has a store, or nothing but what a file system and interrupted starts leave there. */
function assertOwnDirectory(path: string, names: readonly string[]): void {
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

const storeFiles = [MARKER_FILE, DOCUMENT_FILE, HISTORY_FILE, JOURNAL_FILE]

/** The number of files that a message names. */
const MAX_SHOWN = 3

function assertNothingMissing(path: string, names: readonly string[]): void {
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
    const remedy = 'restore it from a backup, or create an empty file of this name to continue without the user data'
    throw storeOpenError(join(path, JOURNAL_FILE), 'is missing', remedy)
  }
}
