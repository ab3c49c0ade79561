import { serialize } from '@burgee/kit'
import { LockTimeoutError } from './databaseErrors.ts'

/** What the transactions of a lock write: user data (`userDataCollections`), or everything else. */
export type LockName = 'flags' | 'users'

/**
 * Queues the transactions of this process before they take a connection. Without it, transactions that wait for a lock
 * of the database could use all connections, and the one that holds the lock could not read.
 */
export class LocalLocks {
  readonly #queues = { flags: serialize(), users: serialize() }

  /**
   * Resolves when the lock is held, with the function that releases it.
   * @throws {LockTimeoutError} if that takes longer than `waitMs`.
   */
  acquire(name: LockName, waitMs: number): Promise<() => void> {
    return new Promise((grant, refuse) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        refuse(new LockTimeoutError())
      }, waitMs)
      void this.#queues[name](async () => {
        clearTimeout(timer)
        if (!isLate) await new Promise<void>((release) => grant(release))
      })
    })
  }

  /** Resolves when all transactions so far have ended. */
  async idle(): Promise<void> {
    await this.#queues.flags.idle()
    await this.#queues.users.idle()
  }
}
