import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { removeTemporaries, syncDirectory, writeDurably } from '../disk/writeDurably.ts'
import { FileAdapter } from './fileAdapter.ts'
import { History } from './history.ts'
import { Journal } from './journal.ts'
import { LowdbStore } from './lowdb.ts'
import { type Migration, migrations as released } from './migration.ts'
import { OwnerLock } from './ownerLock.ts'
import { RESTORE, refusal } from './refusal.ts'
import { userData } from './resources.ts'
import { type State, stateOf } from './state.ts'
import { StoreOpenError } from './store.ts'

/**
 * Opens the store in a directory, and makes one in a directory that has never held any.
 * @throws {StoreOpenError} rather than starting with less than was there before.
 */
export async function openDirectory(
  directory: string,
  onNotice: (message: string) => void,
  migrations: readonly Migration[] = released
): Promise<LowdbStore> {
  const path = resolve(directory)
  const journal = new Journal(join(path, JOURNAL), onNotice)
  const history = new History(join(path, HISTORY), onNotice)
  const document = new FileAdapter(join(path, DOCUMENT), history, migrations, onNotice)
  let lock: OwnerLock | undefined
  try {
    await makeDirectory(path)
    lock = await OwnerLock.take(join(path, LOCK), onNotice)
    return new LowdbStore(await load(path, document, journal), onNotice, { document, journal, lock })
  } catch (error) {
    await journal
      .close()
      .finally(() => document.close())
      .finally(() => lock?.release())
    if (error instanceof StoreOpenError) throw error
    const remedy = 'give the store a directory that this process may create files in'
    throw refusal(path, `cannot be opened as a store: ${String(error)}`, remedy, error)
  }
}

/** Whether there is anything in a directory that a store has left there; whether it can be opened is another question. */
export function hasStore(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).some((name) => name === MARKER || name.startsWith(DOCUMENT))
}

/** Makes a directory and those above it durably: each new name is in a directory that is written out. */
async function makeDirectory(path: string): Promise<void> {
  const topmost = await mkdir(path, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = path; ; made = dirname(made)) {
    await syncDirectory(dirname(made))
    if (made === topmost || made === dirname(made)) return
  }
}

/** The file of everything but history and user data. */
export const DOCUMENT = 'db.json'
/** The file of the history. */
export const HISTORY = 'history.jsonl'
const JOURNAL = 'users.jsonl'
const LOCK = 'db.json.lock'
/** Says that the document and the journal were both here once: a directory with it is never taken for a new one. */
const MARKER = 'burgee.store'

async function load(path: string, document: FileAdapter, journal: Journal): Promise<Low<State>> {
  await removeTemporaries(path)
  const names = await readdir(path)
  refuseLoss(path, names)
  if (!names.includes(DOCUMENT)) await document.create()
  const low = new Low<State>(document, stateOf({}))
  await low.read()
  const users = stateOf(await journal.open())
  low.data = { ...low.data, ...Object.fromEntries(userData.map((name) => [name, users[name]])) }
  await journal.compact(low.data)
  // Last: a first start that dies before this is one that can be made again.
  if (!names.includes(MARKER)) await writeDurably(join(path, MARKER), 'A Burgee store lives in this directory.\n')
  return low
}

function refuseLoss(path: string, names: readonly string[]): void {
  const traces = names.filter((name) => [MARKER, HISTORY, JOURNAL].includes(name) || name.endsWith('.bak'))
  if (!names.includes(DOCUMENT) && traces.length > 0) {
    const wrong = `is missing, but there was a store here: ${traces.join(' and ')} remain`
    throw refusal(join(path, DOCUMENT), wrong, `${RESTORE}, or remove what remains to start empty`)
  }
  if (names.includes(MARKER) && !names.includes(JOURNAL)) {
    const remedy = 'put it back from a backup, or create an empty file of this name to go on without the user data'
    throw refusal(join(path, JOURNAL), 'is missing', remedy)
  }
}
