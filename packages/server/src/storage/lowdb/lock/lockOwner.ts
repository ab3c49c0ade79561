import { randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isRecord } from '@burgee/kit'
import { hasCode } from '@burgee/kit/files'

/** The start of a process that holds a lock. */
export interface LockOwner {
  /** Random, since process ids and start times can coincide in containers. Empty in locks of earlier versions. */
  readonly startId: string
  readonly pid: number
  readonly host: string
  /** The boot id of the kernel; empty if the system has none. */
  readonly bootId: string
  /** The namespace in which `pid` is unique until the next boot; empty if unknown. */
  readonly pidNamespace: string
  /** When the process started, in the unit of the system. */
  readonly startedAt: string
}

/** Identifies this start of the process. */
const START_ID = randomUUID()

/** Returns this process as an owner. */
export async function readCurrentOwner(): Promise<LockOwner> {
  const isLinux = process.platform === 'linux'
  const host = hostname()
  return {
    startId: START_ID,
    pid: process.pid,
    host,
    bootId: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim(),
    pidNamespace: isLinux ? await readlink('/proc/self/ns/pid').catch(() => '') : `${process.platform}:${host}`,
    startedAt: (await findProcess('self'))?.startedAt ?? String(performance.timeOrigin)
  }
}

/**
 * Whether an owner still runs, as far as this process can prove it: process ids are meaningless on another machine or in
 * another container.
 */
export async function findOwnerState(owner: LockOwner, self: LockOwner): Promise<'running' | 'ended' | 'unknown'> {
  if (owner.startId === self.startId) return 'running'
  const isComparable = owner.bootId === self.bootId && owner.pidNamespace === self.pidNamespace
  if (!isComparable || owner.pidNamespace === '') return 'unknown'
  if (!isRunning(owner.pid)) return 'ended'
  const found = await findProcess(owner.pid)
  if (!found) return 'unknown'
  // Ids of processes and of namespaces are reused: a different start time means that the owner has ended.
  return found.startedAt === owner.startedAt && !found.isZombie ? 'running' : 'ended'
}

/** Parses the content of a lock file; returns `undefined` if it names no owner. */
export function parseLockOwner(text: string): LockOwner | undefined {
  try {
    const owner: unknown = JSON.parse(text)
    return isRecord(owner) ? toLockOwner(owner) : undefined
  } catch {
    return undefined
  }
}

function toLockOwner({ pid, ...members }: Record<string, unknown>): LockOwner | undefined {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  const text = (name: keyof LockOwner) => (typeof members[name] === 'string' ? members[name] : '')
  return {
    startId: text('startId'),
    pid,
    host: text('host'),
    bootId: text('bootId'),
    pidNamespace: text('pidNamespace'),
    startedAt: text('startedAt')
  }
}

/** Formats an owner for messages. */
export function formatLockOwner(owner: LockOwner | undefined): string {
  if (!owner) return 'an unknown process'
  return owner.host === '' ? `process ${owner.pid}` : `process ${owner.pid} on host ${owner.host}`
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return hasCode(error, 'EPERM')
  }
}

/** Reads when a process started and whether it waits to be reaped (proc_pid_stat(5)); `undefined` without procfs. */
async function findProcess(pid: number | 'self') {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field is a name in parentheses, which may contain anything; the third is the state, the 22nd the start.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ')
  const startedAt = fields?.[19]
  return startedAt === undefined ? undefined : { startedAt, isZombie: fields?.[0] === 'Z' }
}
