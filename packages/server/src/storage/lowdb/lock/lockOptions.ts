import type { OnNotice } from '../../onNotice.ts'
import type { StoreLostError } from '../../store.ts'

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
