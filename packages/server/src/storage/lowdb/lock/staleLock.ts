import { randomUUID } from 'node:crypto'
import { type FileHandle, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, isSameFile } from '@burgee/kit/files'
import { openIfPresent } from '../../disk/openIfPresent.ts'
import { StoreLockedError } from '../../store.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import { readOwner } from './lockFile.ts'
import type { LockOptions } from './lockOptions.ts'
import { findOwnerState, formatLockOwner, type LockOwner } from './lockOwner.ts'

/**
 * Removes a lock that its owner left behind. Returns when the path may be free, and whether that owner may be suspended
 * instead of ended. @throws {StoreLockedError}
 */
export async function clearStaleLock(path: string, self: LockOwner, options: LockOptions): Promise<boolean> {
  const file = await openIfPresent(path)
  if (!file) return false
  try {
    if (!(await file.stat()).isFile()) {
      const problem = 'is not a file, so the directory cannot be locked'
      throw storeOpenError(path, problem, 'remove it, and mount the directory of the store instead of single files')
    }
    const owner = await readOwner(file)
    const stale = await findStaleReason({ path, file, owner }, self, options)
    if (!stale) return false
    // Renamed first: if several processes try, one succeeds.
    const aside = `${path}.${randomUUID()}.tmp`
    await rename(path, aside)
    if (!(await isSameFile(aside, file))) {
      await rename(aside, path)
      return false
    }
    await rm(aside)
    options.onNotice(`${path} was left behind by ${formatLockOwner(owner)} and is taken over: ${stale.reason}`)
    return !stale.hasEnded
  } catch (error) {
    // Another process was faster.
    if (!hasCode(error, 'ENOENT')) throw error
    return false
  } finally {
    await file.close()
  }
}

interface FoundLock {
  readonly path: string
  readonly file: FileHandle
  readonly owner: LockOwner | undefined
}

/** Returns why a lock is stale; `undefined` if it should be checked again, since the file has changed. */
async function findStaleReason(
  { path, file, owner }: FoundLock,
  self: LockOwner,
  { onNotice, timings }: LockOptions
): Promise<{ readonly reason: string; readonly hasEnded: boolean } | undefined> {
  const state = owner ? await findOwnerState(owner, self) : 'unknown'
  if (state === 'ended') return { reason: 'it is no longer running', hasEnded: true }
  if (owner?.startId === self.startId) throw storeLockedError(path, owner, 'this process')
  const { staleMs } = timings
  const { mtimeMs } = await file.stat()
  const age = Date.now() - mtimeMs
  if (age > staleMs) return { reason: `its last heartbeat was ${Math.round(age / 1_000)} s ago`, hasEnded: false }
  if (owner && state === 'running') throw storeLockedError(path, owner)
  // Clocks of two machines may differ by any amount, so only a heartbeat observed here counts.
  const waitMs = staleMs - Math.max(age, 0)
  const seconds = Math.ceil(waitMs / 1_000)
  onNotice(`${path} names ${formatLockOwner(owner)}; waiting up to ${seconds} s for its heartbeat`)
  const end = performance.now() + waitMs
  while (performance.now() < end) {
    await sleep(Math.min(POLL_MS, timings.heartbeatMs))
    if (!(await isSameFile(path, file))) return undefined
    const hasBeat = (await file.stat()).mtimeMs !== mtimeMs
    // The owner writes its name right after it created the file, or when a full disk has space again.
    if (!owner && (await readOwner(file))) return undefined
    if (hasBeat) throw storeLockedError(path, owner)
  }
  return { reason: `it has given no heartbeat for ${Math.round(staleMs / 1_000)} s`, hasEnded: false }
}

/** The polling interval while waiting for a heartbeat. */
const POLL_MS = 200

function storeLockedError(
  path: string,
  owner: LockOwner | undefined,
  holder = `${formatLockOwner(owner)}, which is running`
): Error {
  const remedy = 'close that store first, or use another directory'
  return new StoreLockedError(`${path} is held by ${holder}; ${remedy}`, owner?.pid)
}
