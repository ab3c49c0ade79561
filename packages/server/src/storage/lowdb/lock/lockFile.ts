import { type FileHandle, open, rm } from 'node:fs/promises'
import { hasCode } from '@burgee/kit/files'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { isDiskFull } from '../../disk/diskFull.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import type { LockOptions } from './lockOptions.ts'
import { type LockOwner, parseLockOwner } from './lockOwner.ts'

/** Creates the file, which takes the lock; returns `undefined` if it exists. */
export async function createLockFile(
  path: string,
  self: LockOwner,
  { onNotice, onWriteFailure = onNotice }: Pick<LockOptions, 'onNotice' | 'onWriteFailure'>
): Promise<CreatedLock | undefined> {
  let file: FileHandle
  try {
    file = await open(path, 'wx', 0o600)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined
    if (!isDiskFull(error)) throw error
    const problem = `cannot be created, because the disk is full, and without it another server could open the directory at the same time (${reasonOf(error)})`
    throw storeOpenError(path, problem, 'free some space, and some inodes, on this disk', error)
  }
  try {
    await writeOwner(file, self)
    return { file, unwritten: undefined }
  } catch (error) {
    if (isDiskFull(error)) {
      onWriteFailure(
        `${path} cannot name this process, because the disk is full; its heartbeats still keep other servers out`
      )
      return { file, unwritten: self }
    }
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

/** A lock that this process has taken. */
export interface CreatedLock {
  readonly file: FileHandle
  /** The owner, if the disk is too full to write it. */
  readonly unwritten: LockOwner | undefined
}

/** Writes the owner into an empty lock file, as a whole or not at all. */
export async function writeOwner(file: FileHandle, owner: LockOwner): Promise<void> {
  const text = Buffer.from(JSON.stringify(owner))
  try {
    for (let at = 0; at < text.length; ) at += (await file.write(text, at, text.length - at, at)).bytesWritten
  } catch (error) {
    await file.truncate()
    throw error
  }
}

/** Reads the owner; `undefined` if the file names none. */
export async function readOwner(file: FileHandle): Promise<LockOwner | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_OWNER_BYTES), 0, MAX_OWNER_BYTES, 0)
  return parseLockOwner(buffer.toString('utf8', 0, bytesRead))
}

/** More than an owner takes. */
const MAX_OWNER_BYTES = 4_096
