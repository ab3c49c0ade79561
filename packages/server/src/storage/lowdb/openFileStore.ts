import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { removeTemporaryFiles, syncDirectory, writeFileAtomic } from '../disk/writeFileAtomic.ts'
import { type Migration, migrations as released } from '../migrations/migration.ts'
import { userDataCollections } from '../resources.ts'
import { StoreOpenError } from '../store.ts'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'
import { DirectoryLock } from './directoryLock.ts'
import { FileAdapter } from './fileAdapter.ts'
import { HistoryFile } from './historyFile.ts'
import { Journal } from './journal.ts'
import { LowdbStore } from './lowdbStore.ts'

/**
 * Opens the store in a directory, and makes one in a directory that has never held any.
 * @throws {StoreOpenError} rather than starting with less than was there before.
 */
export async function openFileStore(
  directory: string,
  onNotice: (message: string) => void,
  migrations: readonly Migration[] = released
): Promise<LowdbStore> {
  const path = resolve(directory)
  const journal = new Journal(join(path, JOURNAL_FILE), onNotice)
  const history = new HistoryFile(join(path, HISTORY_FILE), onNotice)
  const document = new FileAdapter(join(path, DOCUMENT_FILE), history, migrations, onNotice)
  let lock: DirectoryLock | undefined
  try {
    await makeDirectory(path)
    lock = await DirectoryLock.acquire(join(path, LOCK_FILE), onNotice)
    return new LowdbStore(await load(path, document, journal), onNotice, { document, journal, lock })
  } catch (error) {
    await journal
      .close()
      .finally(() => document.close())
      .finally(() => lock?.release())
    if (error instanceof StoreOpenError) throw error
    const remedy = 'give the store a directory that this process may create files in'
    throw storeOpenError(path, `cannot be opened as a store: ${String(error)}`, remedy, error)
  }
}

/** Whether there is anything in a directory that a store has left there; whether it can be opened is another question. */
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
  // One at a time: with `recursive`, mkdir never returns for directories that the file system refuses with ENOENT, as /proc does.
  if (parent !== path) await makeDirectory(parent)
  await mkdir(path, { mode: 0o700 })
  await syncDirectory(parent)
}

/** The file of everything but history and user data. */
export const DOCUMENT_FILE = 'db.json'
/** The file of the history. */
export const HISTORY_FILE = 'history.jsonl'
const JOURNAL_FILE = 'users.jsonl'
const LOCK_FILE = 'db.json.lock'
/** Says that the document and the journal were both here once: a directory with it is never taken for a new one. */
const MARKER_FILE = 'burgee.store'

async function load(path: string, document: FileAdapter, journal: Journal): Promise<Low<StoreState>> {
  await removeTemporaryFiles(path)
  const names = await readdir(path)
  assertNothingMissing(path, names)
  if (!names.includes(DOCUMENT_FILE)) await document.create()
  const low = new Low<StoreState>(document, buildState({}))
  await low.read()
  const users = buildState(await journal.open())
  low.data = { ...low.data, ...Object.fromEntries(userDataCollections.map((name) => [name, users[name]])) }
  await journal.compact(low.data)
  // Last: a first start that dies before this is one that can be made again.
  if (!names.includes(MARKER_FILE))
    await writeFileAtomic(join(path, MARKER_FILE), 'A Burgee store lives in this directory.\n')
  return low
}

function assertNothingMissing(path: string, names: readonly string[]): void {
  const traces = names.filter(
    (name) => [MARKER_FILE, HISTORY_FILE, JOURNAL_FILE].includes(name) || name.endsWith('.bak')
  )
  if (!names.includes(DOCUMENT_FILE) && traces.length > 0) {
    const wrong = `is missing, but there was a store here: ${traces.join(' and ')} remain`
    throw storeOpenError(join(path, DOCUMENT_FILE), wrong, `${RESTORE_BACKUP}, or remove what remains to start empty`)
  }
  if (names.includes(MARKER_FILE) && !names.includes(JOURNAL_FILE)) {
    const remedy = 'put it back from a backup, or create an empty file of this name to go on without the user data'
    throw storeOpenError(join(path, JOURNAL_FILE), 'is missing', remedy)
  }
}
