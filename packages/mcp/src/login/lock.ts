import { randomUUID } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { SignInError } from './signInError.ts'

/** After how long a lock counts as left behind: whoever holds one asks a server, and gives up before this. */
const ABANDONED_MS = 30_000

/** How long to wait for one: longer than that, so that one that is left behind holds nobody up for good. */
const PATIENCE_MS = 45_000

/** Does `work` while nobody else who takes the same lock does theirs, in whatever process. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await take(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await isTaken(path))) {
    await clearAbandoned(path)
    if (performance.now() > until)
      throw new SignInError(`${path} has not been let go of: remove it if nothing runs that holds it`)
    await setTimeout(20 + Math.random() * 30)
  }
}

/** Whether the lock was free, and is ours now. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes a lock whose holder has ended without letting go. */
async function clearAbandoned(path: string): Promise<void> {
  try {
    const found = await stat(path)
    if (Date.now() - found.mtimeMs < ABANDONED_MS) return
    const aside = `${path}.${randomUUID()}`
    await rename(path, aside)
    // Somebody may have cleared it and taken it anew since we looked: that one goes back.
    if ((await stat(aside)).mtimeMs !== found.mtimeMs) await link(aside, path)
    await rm(aside)
  } catch (error) {
    // Somebody else was quicker.
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
