import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { every, type PeriodicJob } from '@burgee/kit'
import { findFileId, hasCode, isSameFile, toFileId } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { isDiskFull } from '../disk/diskFull.ts'
import { openIfPresent } from '../disk/openIfPresent.ts'
import type { OnNotice } from '../onNotice.ts'
import { StoreLockedError, StoreLostError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { findOwnerState, formatLockOwner, type LockOwner, parseLockOwner, readCurrentOwner } from './lockOwner.ts'

/** Intervals of a lock, in milliseconds. */
export interface LockTimings {
  /** How often an owner renews its lock and checks that it still holds it. */
  readonly heartbeatMs: number
  /** The age of the last heartbeat after which another process may take a lock over. */
  readonly staleMs: number
}

/** The default intervals. `staleMs` is three heartbeats of earlier versions, which renew every 5 s. */
export const lockTimings: LockTimings = { heartbeatMs: 2_000, staleMs: 15_000 }

/** Options of `DirectoryLock.acquire`. */
export interface LockOptions {
  readonly onNotice: OnNotice
  /** Receives that the disk is full, instead of `onNotice`: a command fails anyway, and its error says so. */
  readonly onWriteFailure?: OnNotice | undefined
  /** Called once when another process has taken the lock over. Must not throw. */
  readonly onLost: (error: StoreLostError) => void
  readonly timings: LockTimings
}

/**
 * A file that names the process that has a directory open (ADR 43). The lock is held as long as the path leads to the
 * file that this process created and keeps open; heartbeats are its modification times. Neither needs space on the
 * disk. The name of the owner does; other processes need it only to wait less, and for their messages.
 */
export class DirectoryLock {
  readonly #path: string
  readonly #file: FileHandle
  /** The id of the file. An open file keeps it. */
  readonly #id: string
  /** The directory as it was when the lock was acquired. */
  readonly #directory: string | undefined
  /** Whether the lock was taken over from a process that may be suspended instead of ended. */
  readonly mayHaveFormerOwner: boolean
  readonly #onLost: LockOptions['onLost']
  readonly #heartbeat: PeriodicJob
  /** The owner, while a full disk prevents that the file names it. */
  #unwritten: LockOwner | undefined
  #wasMissing = false
  /** When the lock was last seen to be held, in milliseconds of a monotonic clock. */
  #seenAt: number
  readonly #recentMs: number
  #lost: StoreLostError | undefined

  private constructor(
    path: string,
    { file, unwritten }: CreatedLock,
    { id, directory, mayHaveFormerOwner }: Acquisition,
    { onLost, timings }: LockOptions
  ) {
    this.#path = path
    this.#file = file
    this.#unwritten = unwritten
    this.#id = id
    this.#directory = directory
    this.mayHaveFormerOwner = mayHaveFormerOwner
    this.#onLost = onLost
    this.#seenAt = performance.now()
    this.#recentMs = 2 * timings.heartbeatMs
    // A heartbeat that fails is repeated after the interval. A temporarily missing directory does not lose the lock.
    this.#heartbeat = every(timings.heartbeatMs, () => this.#beat(), { onError: () => {} })
  }

  /**
   * Acquires the lock of a directory. Takes over a lock whose owner has ended, or has given no heartbeat for `staleMs`.
   * If neither is certain, waits for the next heartbeat.
   * @throws {StoreLockedError} when another process, or another store of this one, holds the lock.
   */
  static async acquire(path: string, options: LockOptions): Promise<DirectoryLock> {
    const self = await readCurrentOwner()
    let mayHaveFormerOwner = false
    for (;;) {
      const created = await createLockFile(path, self, options)
      if (created) {
        const id = toFileId(await created.file.stat({ bigint: true }))
        const directory = await findFileId(dirname(path))
        return new DirectoryLock(path, created, { id, directory, mayHaveFormerOwner }, options)
      }
      mayHaveFormerOwner = (await clearStaleLock(path, self, options)) || mayHaveFormerOwner
    }
  }

  /** The error that names the new owner; `undefined` while the lock is held. A lost lock stays lost. */
  get lost(): StoreLostError | undefined {
    return this.#lost
  }

  /** @throws {StoreLostError} when another process has taken the lock over; another error when the file is missing. */
  async assertHeld(): Promise<void> {
    if (this.#lost) throw this.#lost
    const found = await this.#find()
    if (found === 'held') return
    if (found === 'taken') throw await this.#lose()
    throw new Error(`${this.#path} is missing, so another process may use the directory`)
  }

  /**
   * Like `assertHeld`, but a check within the last two heartbeats suffices. Without one, this process may have been
   * suspended until another one took the lock over.
   */
  async assertNotSuspended(): Promise<void> {
    if (this.#lost || performance.now() - this.#seenAt > this.#recentMs) await this.assertHeld()
  }

  /** Stops the heartbeats, and removes the file unless it belongs to another process. */
  async release(): Promise<void> {
    await this.#heartbeat.stop()
    try {
      if (await isSameFile(this.#path, this.#file)) await rm(this.#path)
    } finally {
      await this.#file.close()
    }
  }

  async #beat(): Promise<void> {
    const found = await this.#find()
    // A lock is lost only after two checks: a process that moved the wrong file aside puts it back.
    if (found === 'taken' || (found === 'missing' && this.#wasMissing)) await this.#lose()
    this.#wasMissing = found === 'missing'
    if (found !== 'held') return
    const now = new Date()
    await this.#file.utimes(now, now)
    if (!this.#unwritten) return
    await writeOwner(this.#file, this.#unwritten)
    this.#unwritten = undefined
  }

  async #find(): Promise<'held' | 'taken' | 'missing' | 'unreachable'> {
    const begin = performance.now()
    const found = await findFileId(this.#path)
    if (found === this.#id) this.#seenAt = begin
    if (found !== undefined) return found === this.#id ? 'held' : 'taken'
    // An unmounted disk or a moved directory may return with the lock in it.
    return (await findFileId(dirname(this.#path))) === this.#directory ? 'missing' : 'unreachable'
  }

  async #lose(): Promise<StoreLostError> {
    if (this.#lost) return this.#lost
    const text = await readFile(this.#path, 'utf8').catch(() => undefined)
    const reason = text === undefined ? 'was removed' : `was taken over by ${formatLockOwner(parseLockOwner(text))}`
    const error = new StoreLostError(`${this.#path} ${reason}; run one server per directory`)
    // Two checks may get here at once.
    this.#lost ??= error
    if (this.#lost === error) this.#onLost(error)
    return this.#lost
  }
}

/** How a lock was acquired. */
interface Acquisition {
  readonly id: string
  readonly directory: string | undefined
  readonly mayHaveFormerOwner: boolean
}

interface CreatedLock {
  readonly file: FileHandle
  /** The owner, if the disk is too full to write it. */
  readonly unwritten: LockOwner | undefined
}

/** Creates the file, which takes the lock; returns `undefined` if it exists. */
async function createLockFile(
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

/** Writes the owner into an empty lock file, as a whole or not at all. */
async function writeOwner(file: FileHandle, owner: LockOwner): Promise<void> {
  const text = Buffer.from(JSON.stringify(owner))
  try {
    for (let at = 0; at < text.length; ) at += (await file.write(text, at, text.length - at, at)).bytesWritten
  } catch (error) {
    await file.truncate()
    throw error
  }
}

async function readOwner(file: FileHandle): Promise<LockOwner | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_OWNER_BYTES), 0, MAX_OWNER_BYTES, 0)
  return parseLockOwner(buffer.toString('utf8', 0, bytesRead))
}

/** More than an owner takes. */
const MAX_OWNER_BYTES = 4_096

/**
 * Removes a lock that its owner left behind. Returns when the path may be free, and whether that owner may be suspended
 * instead of ended. @throws {StoreLockedError}
 */
async function clearStaleLock(path: string, self: LockOwner, options: LockOptions): Promise<boolean> {
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
