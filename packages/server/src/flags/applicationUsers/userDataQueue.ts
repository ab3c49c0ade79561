import { createFairQueue } from '../../lib/limits/fairQueue.ts'
import { SECOND } from '../../lib/time.ts'

/** A request that exports or erases a user. */
export interface UserDataRequester {
  /** The same for all requests of one caller. */
  readonly id: string
  /** Whether the client has disconnected. */
  readonly isGone: () => boolean
  /** Resolves when the response has been sent, or the client has disconnected. */
  readonly closed: () => Promise<void>
}

/** The queue of exports and erasures: each reads all files of events, and needs some megabytes. */
export interface UserDataQueue {
  /** Erases when its turn comes. @throws {HttpError} 429 when too many erasures are queued. */
  readonly runErasure: <T>(requester: UserDataRequester, work: () => Promise<T>) => Promise<T>
  /**
   * Waits for the turn of an export, which lasts until its response is closed.
   * @throws {HttpError} 429 when too many exports are queued.
   */
  readonly beginExport: (requester: UserDataRequester) => Promise<void>
}

/** Creates the queue. Clients that read an export slowly do not delay erasures. */
export function createUserDataQueue(): UserDataQueue {
  const erasures = createFairQueue({ ...LIMITS, subject: 'erasures of users', maxRunning: 1 })
  const exports = createFairQueue({ ...LIMITS, subject: 'exports of users', maxRunning: 2 })
  return {
    runErasure: async ({ id, isGone }, work) => erasures({ caller: id, isWanted: () => !isGone(), work }),
    beginExport: ({ id, isGone, closed }) =>
      new Promise((begin, refuse) => {
        const work = () => {
          begin()
          return closed()
        }
        exports({ caller: id, isWanted: () => !isGone(), work }).catch(refuse)
      })
  }
}

const LIMITS = { maxQueuedPerCaller: 10, maxQueued: 50, retryAfterMs: 10 * SECOND }
