import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSameFile } from '../disk/isSameFile.ts'
import { StoreLockedError } from '../store.ts'
import { HEARTBEAT_MS, type LockOwner, parseLockOwner, readCurrentOwner, staleLockReason } from './lockOwner.ts'

/**
 * A file that says which process has a directory open, so that no second one writes there.
 * It is ours as long as the name leads to the very file we hold open.
 */
export class DirectoryLock {
  readonly #path: string
  readonly #file: FileHandle
  readonly #heartbeat: NodeJS.Timeout

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
    this.#heartbeat = setInterval(() => {
      const now = new Date()
      // A sign of life that is missed now is given at the next turn; `check` notices a lock that is lost.
      file.utimes(now, now).catch(() => {})
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** @throws {StoreOpenError} when another process, or another store of this one, holds the lock. */
  static async acquire(path: string, onNotice: (message: string) => void): Promise<DirectoryLock> {
    const self = await readCurrentOwner()
    for (;;) {
      const file = await createLockFile(path, self)
      if (file) return new DirectoryLock(path, file)
      await removeStaleLock(path, self, onNotice)
    }
  }

  /** @throws when the lock is no longer ours. */
  async assertHeld(): Promise<void> {
    if (await isSameFile(this.#path, this.#file)) return
    throw new Error(`${this.#path} is gone or another process has taken it; stop one of the two and start again`)
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat)
    try {
      if (await isSameFile(this.#path, this.#file)) await rm(this.#path)
    } finally {
      await this.#file.close()
    }
  }
}

async function createLockFile(path: string, self: LockOwner): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, 'wx', 0o600)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined
    throw error
  }
  try {
    await file.writeFile(JSON.stringify(self))
    return file
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

/** Takes away a lock whose owner is gone. It is moved aside first: only one of several that try can do that. */
async function removeStaleLock(path: string, self: LockOwner, onNotice: (message: string) => void): Promise<void> {
  const file = await openExisting(path)
  if (!file) return
  try {
    const owner = parseLockOwner(await file.readFile('utf8'))
    const age = Date.now() - (await file.stat()).mtimeMs
    const reason = owner ? staleLockReason(owner, age, self) : await unnamedLockReason(age)
    if (reason === undefined) {
      if (owner) throw storeLockedError(path, owner)
      return
    }
    const aside = `${path}.${randomUUID()}.tmp`
    await rename(path, aside)
    if (!(await isSameFile(aside, file))) return await rename(aside, path)
    await rm(aside)
    onNotice(`${path} was left behind by process ${owner?.pid ?? 'unknown'} and is taken over: ${reason}`)
  } catch (error) {
    // Somebody else has just taken it away.
    if (!hasCode(error, 'ENOENT')) throw error
  } finally {
    await file.close()
  }
}

/** An owner writes its name as soon as it has created the file: one without a name is new, or died in between. */
async function unnamedLockReason(age: number): Promise<string | undefined> {
  // A time in the future is no sign of life either: the clock was set back.
  if (Math.abs(age) > 1_000) return 'it died before it wrote its name'
  await sleep(100)
  return undefined
}

function storeLockedError(path: string, { pid }: LockOwner): Error {
  const wrong = pid === process.pid ? 'is held by this very process' : `is held by process ${pid}, which is running`
  const remedy = `close that store first, or give this one another directory; remove the file only if no Burgee uses it`
  return new StoreLockedError(`${path} ${wrong}; ${remedy}`, pid)
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
