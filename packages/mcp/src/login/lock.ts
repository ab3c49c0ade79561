import { randomUUID } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { SignInError } from './signInError.ts'

/** The age at which a lock counts as abandoned, in milliseconds. Holders call a server with a shorter timeout. */
const ABANDONED_MS = 30_000

/** How long to wait for a lock, in milliseconds; longer than `ABANDONED_MS`, so that abandoned locks can be cleared. */
const TIMEOUT_MS = 45_000

/** Runs `work` while holding a lock file, which excludes other processes. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string): Promise<void> {
  const until = performance.now() + TIMEOUT_MS
  while (!(await tryAcquire(path))) {
    await clearAbandoned(path)
    if (performance.now() > until)
      throw new SignInError(`${path} is still locked: remove it if no other burgee-mcp is running`)
    await setTimeout(20 + Math.random() * 30)
  }
}

/** Tries to create the lock file. Returns whether that succeeded. */
async function tryAcquire(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
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
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
