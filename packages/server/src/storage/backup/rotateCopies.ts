import { existsSync } from 'node:fs'
import { readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '@burgee/kit/files'
import { toUtcDay } from '../events/utcDay.ts'
import { makeDirectory } from '../lowdb/storeDirectory.ts'
import { MANIFEST_FILE } from './backupManifest.ts'
import { readStoreFiles } from './readStoreFiles.ts'
import { writeBackup } from './writeBackup.ts'

/** The folder of the copies in the directory of a store. */
export const COPIES_FOLDER = 'backups'

/** The work of a rotation, as the thread receives it. */
export interface RotationInput {
  /** The directory of the store. */
  readonly directory: string
  /** The folder of the copies. */
  readonly folder: string
  /** The number of copies to keep. */
  readonly keep: number
  readonly now: number
}

/**
 * Adds a copy of the store to a folder, and removes the oldest ones beyond `keep`. Writes nothing if the copy would take
 * more than half of the free space. Returns the path of the copy.
 */
export async function rotateCopies({ directory, folder, keep, now }: RotationInput): Promise<string> {
  await makeDirectory(folder)
  const path = join(folder, new Date(now).toISOString().replaceAll(':', '-'))
  const partial = `${path}${PARTIAL_ENDING}`
  for (const name of await readdir(folder)) {
    if (name.endsWith(PARTIAL_ENDING)) await rm(join(folder, name), { recursive: true, force: true })
  }
  await assertSpace(directory, folder, now)
  await writeBackup(directory, partial, { now: () => now, linksFiles: true })
  await rename(partial, path)
  await syncDirectory(folder)
  const copies = await listCopies(folder)
  for (const name of copies.slice(0, -keep)) await rm(join(folder, name), { recursive: true, force: true })
  return path
}

/** Returns the names of the complete copies in a folder, the oldest first. */
export async function listCopies(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter((name) => COPY_NAME.test(name))
  return names.filter((name) => existsSync(join(folder, name, MANIFEST_FILE))).sort()
}

/** Returns when a copy was made, in epoch milliseconds. */
export function dateOfCopy(name: string): number {
  return Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
}

const COPY_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** The ending of a copy that is being written. */
const PARTIAL_ENDING = '.partial'

/** A copy must not fill the disk, on which the server then could not write. */
async function assertSpace(directory: string, folder: string, now: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  let bytes = 0
  for await (const file of (await readStoreFiles(directory, toUtcDay(now))).files) {
    if (file.linkable === undefined) bytes += file.bytes
  }
  if (2 * bytes <= bavail * bsize) return
  throw new Error(
    `a copy takes ${bytes} bytes, and ${folder} has ${bavail * bsize} free; at least twice as many bytes must be free`
  )
}
