import { chmod, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { removeTemporaryFiles, writeFileAtomic } from '@burgee/kit/files'
import { Low } from 'lowdb'
import { reasonOf } from '../../lib/reasonOf.ts'
import { isDiskFull } from '../disk/diskFull.ts'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import { migrations as released } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { userDataCollections } from '../resources/collections.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'
import { DeferredWrites } from './deferredWrites.ts'
import { FileAdapter } from './fileAdapter.ts'
import { findPlainCopies } from './findPlainCopies.ts'
import { HistoryFile } from './history/historyFile.ts'
import { Journal } from './journal.ts'
import { DirectoryLock } from './lock/directoryLock.ts'
import { type LockOptions, lockTimings } from './lock/lockOptions.ts'
import { type DiskStorage, LowdbStore } from './lowdbStore.ts'
import {
  assertNothingMissing,
  assertOwnDirectory,
  DOCUMENT_FILE,
  HISTORY_FILE,
  JOURNAL_FILE,
  LOCK_FILE,
  MARKER_CONTENT,
  MARKER_FILE,
  makeDirectory
} from './storeDirectory.ts'

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
    onWriteFailure = onNotice,
    onLost = () => {},
    timings = lockTimings,
    migrations = released,
    encryption = { keys: [] },
    compactionProgram
  }: FileStoreOptions = {}
): Promise<LowdbStore> {
  const path = resolve(directory)
  let lock: DirectoryLock | undefined
  const assertOwned = async () => lock?.assertHeld()
  const assertNotSuspended = async () => lock?.assertNotSuspended()
  const mayHaveFormerOwner = () => lock?.mayHaveFormerOwner === true
  const deferredWrites = new DeferredWrites(assertOwned)
  const journal = new Journal(join(path, JOURNAL_FILE), onNotice, assertOwned, onWriteFailure)
  const history = new HistoryFile(join(path, HISTORY_FILE), onNotice, assertOwned)
  const document = new FileAdapter(
    join(path, DOCUMENT_FILE),
    history,
    { migrations, encryption, compactionProgram, deferredWrites, assertOwned, assertNotSuspended, mayHaveFormerOwner },
    onNotice
  )
  try {
    await makeDirectory(path)
    // Before the lock, which is a file, too.
    assertOwnDirectory(path, await readdir(path))
    lock = await DirectoryLock.acquire(join(path, LOCK_FILE), { onNotice, onWriteFailure, onLost, timings })
    await restrictToOwner(path, onNotice)
    return new LowdbStore(await load(path, { document, journal, deferredWrites, lock }, onNotice), onNotice, {
      directory: path,
      deferredWrites,
      document,
      history,
      journal,
      lock,
      onWriteFailure
    })
  } catch (error) {
    await journal
      .close()
      .finally(() => document.close())
      .finally(() => lock?.release())
    if (error instanceof StoreOpenError) throw error
    const remedy = isDiskFull(error)
      ? 'free some space on its disk: without it, a new store cannot be created'
      : 'check its disk, and that this process may create files in it'
    throw storeOpenError(path, `cannot be opened as a store: ${reasonOf(error)}`, remedy, error)
  }
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

async function load(
  path: string,
  { document, journal, deferredWrites, lock }: Pick<DiskStorage, 'document' | 'journal' | 'deferredWrites' | 'lock'>,
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
  // A new file: a suspended former owner can only append to the old one.
  if (hasOutdatedSecrets || lock.mayHaveFormerOwner) await deferredWrites.runOrDefer(() => journal.rewrite(low.data))
  // In turn: with a data key that the document does not have yet, a crash would leave it unreadable.
  await deferredWrites.runOrDefer(() => journal.compact(low.data))
  await journal.checkpoint()
  await deferredWrites.runOrDefer(() => document.finalizeEncryption())
  const copies = document.encryption.final ? await findPlainCopies(path) : []
  for (const copy of copies) onNotice(`${copy} has secrets that are not encrypted; delete it as soon as possible`)
  // Last: a first start that ends before this can be repeated.
  if (!names.includes(MARKER_FILE)) {
    await deferredWrites.runOrDefer(() =>
      writeFileAtomic(join(path, MARKER_FILE), MARKER_CONTENT, { beforeRename: () => lock.assertHeld() })
    )
  }
  // Reports a full disk at the start instead of at the first write.
  await deferredWrites.runOrDefer(() => journal.probe())
  return low
}
