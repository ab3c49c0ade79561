import { readFile } from 'node:fs/promises'

/** The process that holds a lock, told apart from every other of this machine, before and after a restart. */
export interface LockOwner {
  readonly pid: number
  /** Which run of the machine; empty where the system does not say. */
  readonly bootId: string
  /** When the process started, in whatever count the system keeps. */
  readonly startedAt: string
}

/** How often an owner shows that it lives. */
export const HEARTBEAT_MS = 5_000

/** Why an owner that showed itself `age` milliseconds ago cannot be alive; `undefined` when it may be. */
export function staleLockReason(owner: LockOwner, age: number, self: LockOwner): string | undefined {
  if (owner.bootId !== self.bootId) return 'the machine was restarted since'
  if (age > 3 * HEARTBEAT_MS) return `it has shown no sign of life for ${Math.round(age / 1_000)} s`
  // In a container every process may be number 1: the same number at another start is one that came before.
  if (owner.pid === self.pid) return owner.startedAt === self.startedAt ? undefined : 'its process number is now ours'
  return isRunning(owner.pid) ? undefined : 'it is no longer running'
}

/** This process as an owner. */
export async function readCurrentOwner(): Promise<LockOwner> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const status = await readFile('/proc/self/stat', 'utf8').catch(() => '')
  // The 22nd field is the start; the second one is a name in parentheses that may hold anything.
  const startedAt = status.slice(status.lastIndexOf(')') + 2).split(' ')[19]
  return { pid: process.pid, bootId: bootId.trim(), startedAt: startedAt ?? String(performance.timeOrigin) }
}

/** The owner that a lock file's text names, if it names one. */
export function parseLockOwner(text: string): LockOwner | undefined {
  try {
    const owner: unknown = JSON.parse(text)
    return isOwner(owner) ? owner : undefined
  } catch {
    return undefined
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== 'object' || value === null) return false
  const { pid, bootId, startedAt } = { pid: 0, bootId: 0, startedAt: 0, ...value }
  return Number.isSafeInteger(pid) && pid > 0 && typeof bootId === 'string' && typeof startedAt === 'string'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
