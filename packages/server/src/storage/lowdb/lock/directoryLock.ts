import { type FileHandle, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { every, type PeriodicJob } from '@burgee/kit'
import { findFileId, isSameFile, toFileId } from '@burgee/kit/files'
import { StoreLostError } from '../../store.ts'
import { type CreatedLock, createLockFile, writeOwner } from './lockFile.ts'
import type { LockOptions } from './lockOptions.ts'
import { formatLockOwner, type LockOwner, parseLockOwner, readCurrentOwner } from './lockOwner.ts'
import { clearStaleLock } from './staleLock.ts'

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
