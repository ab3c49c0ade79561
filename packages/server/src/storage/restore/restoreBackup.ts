import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { syncDirectory } from '@burgee/kit/files'
import { readBackup } from '../backup/readBackup.ts'
import { COPIES_FOLDER } from '../backup/rotateCopies.ts'
import { checkDirectory } from '../check/checkDirectory.ts'
import { DirectoryLock } from '../lowdb/lock/directoryLock.ts'
import { lockTimings } from '../lowdb/lock/lockOptions.ts'
import {
  assertOwnDirectory,
  DOCUMENT_FILE,
  hasStore,
  LOCK_FILE,
  MARKER_FILE,
  makeDirectory
} from '../lowdb/storeDirectory.ts'
import { storeOpenError } from '../storeOpenError.ts'

interface RestoreOptions {
  /** Whether a store in the directory is replaced. */
  readonly isForced: boolean
  readonly now: () => number
  readonly onNotice: (message: string) => void
}

/** What a restore did. */
export interface RestoreResult {
  readonly files: number
  readonly bytes: number
  /** The folder with the files of the replaced store; `undefined` if there was none. */
  readonly replaced: string | undefined
}

/**
 * Restores a backup into a directory. The backup is copied beside the store and checked first; then the files change
 * places. After an interruption, the directory has the old store, the new one, or one that no server starts on until the
 * restore is repeated: `db.json` is removed first and put in place last.
 * @throws {StoreLockedError} when a server has the directory open.
 * @throws {StoreOpenError} when the backup is damaged, or the directory has a store and `isForced` is not set.
 */
export async function restoreBackup(
  from: string,
  directory: string,
  { isForced, now, onNotice }: RestoreOptions
): Promise<RestoreResult> {
  const target = resolve(directory)
  await makeDirectory(target)
  assertOwnDirectory(target, await readdir(target))
  const lock = await DirectoryLock.acquire(join(target, LOCK_FILE), {
    onNotice,
    onWriteFailure: () => {},
    onLost: () => {},
    timings: lockTimings
  })
  const staging = join(target, STAGING_FOLDER)
  try {
    if (hasStore(target) && !isForced) {
      throw storeOpenError(target, 'contains a store', 'set --force to replace it; its files are kept in a folder')
    }
    await rm(staging, { recursive: true, force: true })
    const copied = await copyBackup(from, staging)
    for await (const { file, problem } of checkDirectory(staging)) {
      if (problem) throw storeOpenError(from, `is damaged: ${file} ${problem}`, 'use another backup')
    }
    await lock.assertHeld()
    const replaced = await moveAside(target, new Date(now()))
    await moveIn(staging, target)
    return { ...copied, replaced }
  } finally {
    await rm(staging, { recursive: true, force: true }).finally(() => lock.release())
  }
}

/** Where a backup is copied to. Starts ignore hidden files. */
const STAGING_FOLDER = '.restore'

async function copyBackup(from: string, staging: string): Promise<Omit<RestoreResult, 'replaced'>> {
  await mkdir(staging, { mode: 0o700 })
  const folders = new Set([staging])
  let [files, bytes] = [0, 0]
  for await (const { name, content } of readBackup(from)) {
    const path = join(staging, name)
    const folder = dirname(path)
    if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 })
    folders.add(folder)
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of content) {
        await file.writeFile(chunk)
        bytes += chunk.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    files++
  }
  for (const folder of folders) await syncDirectory(folder)
  return { files, bytes }
}

/** Moves the files of a store to a folder, `db.json` first; the marker stays, so that no start takes the rest for new. */
async function moveAside(target: string, date: Date): Promise<string | undefined> {
  const isKept = (name: string) =>
    name.startsWith('.') ||
    name.startsWith('replaced-') ||
    [LOCK_FILE, COPIES_FOLDER, MARKER_FILE, 'lost+found'].includes(name)
  const names = (await readdir(target)).filter((name) => !isKept(name))
  if (names.length === 0) return undefined
  const aside = join(target, `replaced-${date.toISOString().replaceAll(':', '-')}`)
  await mkdir(aside, { mode: 0o700 })
  for (const name of names.sort((one, other) => Number(other === DOCUMENT_FILE) - Number(one === DOCUMENT_FILE))) {
    await rename(join(target, name), join(aside, name))
  }
  await syncDirectory(aside)
  await syncDirectory(target)
  return aside
}

/** Moves a complete store from a folder into its directory: the marker first, `db.json` last. */
export async function moveIn(staging: string, target: string): Promise<void> {
  const names = (await readdir(staging)).filter((name) => name !== DOCUMENT_FILE)
  // The marker first: then a start without `db.json` is refused.
  names.sort((one, other) => Number(other === MARKER_FILE) - Number(one === MARKER_FILE))
  for (const name of names) await rename(join(staging, name), join(target, name))
  await syncDirectory(target)
  await rename(join(staging, DOCUMENT_FILE), join(target, DOCUMENT_FILE))
  await syncDirectory(target)
}
