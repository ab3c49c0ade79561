import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { hasCode, isSameFile } from '@burgee/kit/files'
import type { SignInProgram } from '../program.ts'
import { SignInError } from '../signInError.ts'

/** The age at which a lock counts as abandoned, in milliseconds. Holders call a server with a shorter timeout. */
const ABANDONED_MS = 30_000

/** How long to wait for a lock, in milliseconds; longer than `ABANDONED_MS`, so that abandoned locks can be cleared. */
const TIMEOUT_MS = 45_000

/** Runs `work` while holding a lock file, which excludes other processes. */
export async function withLock<T>(path: string, program: SignInProgram, work: () => Promise<T>): Promise<T> {
  const file = await acquire(path, program)
  try {
    return await work()
  } finally {
    await release(path, file)
  }
}

/** Returns the lock file, which stays open so that no other file gets its inode. */
async function acquire(path: string, { name }: SignInProgram): Promise<FileHandle> {
  const until = performance.now() + TIMEOUT_MS
  for (;;) {
    const file = await tryAcquire(path)
    if (file) return file
    await clearAbandoned(path)
    if (performance.now() > until)
      throw new SignInError(`${path} is still locked: remove it if no other ${name} is running`)
    await setTimeout(20 + Math.random() * 30)
  }
}

/** Creates the lock file, unless there is one. */
async function tryAcquire(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined
    throw error
  }
}

/** Removes the lock file, unless a process that found it abandoned has replaced it. */
async function release(path: string, file: FileHandle): Promise<void> {
  try {
    if (await isSameFile(path, file)) await rm(path, { force: true })
  } finally {
    await file.close()
  }
}

/** Removes a lock whose holder has crashed. */
async function clearAbandoned(path: string): Promise<void> {
  try {
    const found = await stat(path)
    if (Date.now() - found.mtimeMs < ABANDONED_MS) return
    const aside = `${path}.${randomUUID()}`
    await rename(path, aside)
    // Another process may have cleared and acquired it meanwhile: restore that lock.
    if ((await stat(aside)).mtimeMs !== found.mtimeMs) await link(aside, path)
    await rm(aside)
  } catch (error) {
    // Another process cleared the lock first.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EEXIST')) throw error
  }
}
