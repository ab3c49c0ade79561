import { setTimeout as sleep } from 'node:timers/promises'
import { type Serializer, serialize } from '@burgee/kit'
import type { PoolClient, QueryResult } from 'pg'
import { type Database, setLockTimeout } from './database.ts'
import { isConnectionError, isLockTimeout, LockTimeoutError } from './databaseErrors.ts'
import type { LocalLocks, LockName } from './localLocks.ts'

/** Thrown by a transaction that would take its locks in the wrong order. It is repeated with all locks. */
export class LockOrderError extends Error {
  override readonly name = 'LockOrderError'
}

interface SessionOptions {
  /** Whether it takes both locks when it begins. */
  readonly takesAll: boolean
  /** When the transaction was requested, in milliseconds of the clock of the database object. */
  readonly since: number
}

/**
 * The connection and the locks of one transaction. It begins at the first use of a collection, whose data decide which
 * lock it takes: a transaction that only uses user data does not wait for changes of flags. `flags` is always taken
 * before `users`, so transactions cannot deadlock.
 */
export class TransactionSession {
  readonly #database: Database
  readonly #local: LocalLocks
  readonly #takesAll: boolean
  readonly #since: number
  /** Locks that are granted later are released at once. */
  #hasEnded = false
  readonly #releases: (() => void)[] = []
  readonly #locks = new Map<LockName, Promise<void>>()
  /** A connection runs one statement at a time. */
  readonly #inTurn: Serializer = serialize()
  #client: Promise<PoolClient> | undefined
  #failure: { readonly error: unknown } | undefined
  #savepoints = 0
  #isOver = false

  constructor(database: Database, local: LocalLocks, { takesAll, since }: SessionOptions) {
    this.#database = database
    this.#local = local
    this.#takesAll = takesAll
    this.#since = since
  }

  /** Takes the locks for a read: other transactions do not change what this one reads and may write. */
  async use(name: LockName): Promise<void> {
    const isFirst = this.#locks.size === 0
    if (isFirst && this.#takesAll) await this.#acquire('flags')
    // A transaction of user data reads other data as they are.
    if (isFirst || name === 'users') await this.#acquire(name)
  }

  /** Takes the lock for a write. */
  async lock(name: LockName): Promise<void> {
    if (name === 'flags' && !this.#locks.has('flags') && this.#locks.has('users')) {
      throw this.#fail(new LockOrderError('the transaction needs the lock of flags before that of user data'))
    }
    await this.#acquire(name)
  }

  /** Runs a statement. After an error, the transaction can only be rolled back, to a savepoint or as a whole. */
  async query(text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const client = await this.#connect()
    try {
      return await this.#inTurn(() => client.query(text, [...values]))
    } catch (error) {
      throw this.#fail(error)
    }
  }

  /** Sets a savepoint, and returns the function that reverts to it. */
  async savepoint(): Promise<() => Promise<void>> {
    // A savepoint needs a transaction, which may not have begun.
    if (this.#locks.size === 0) await this.use('flags')
    const name = `part${++this.#savepoints}`
    await this.query(`savepoint ${name}`)
    return async () => {
      if (isFinal(this.#failure?.error)) return
      const client = await this.#connect()
      await this.#inTurn(() => client.query(`rollback to savepoint ${name}`))
      this.#failure = undefined
    }
  }

  /** The error of a statement that has ended the transaction. */
  failure(): unknown {
    return this.#failure?.error
  }

  /** Replaces the error that has ended the transaction. Returns it. */
  fail(error: unknown): unknown {
    this.#failure = { error }
    return error
  }

  /**
   * Commits, and releases the connection, because listeners of the change may need it if it is the only one.
   * @throws the first error of a statement, even if the work of the transaction handled it.
   */
  async commit(): Promise<void> {
    if (this.#failure) throw this.#failure.error
    if (this.#client === undefined) return
    await this.query('commit')
    this.#isOver = true
    await this.#release()
  }

  /** Rolls back what is not committed, and releases the connection and the locks. */
  async end(): Promise<void> {
    try {
      await this.#release()
    } finally {
      this.#hasEnded = true
      for (const release of this.#releases) release()
    }
  }

  async #release(): Promise<void> {
    // Without a connection, there is nothing to release.
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    if (client === undefined) return
    if (!this.#isOver && !isConnectionError(this.#failure?.error)) {
      this.#isOver = await this.#inTurn(() => client.query('rollback')).then(
        () => true,
        () => false
      )
    }
    this.#database.release(client, { isIntact: this.#isOver })
  }

  #acquire(name: LockName): Promise<void> {
    const known = this.#locks.get(name)
    if (known !== undefined) return known
    const taken = this.#take(name)
    this.#locks.set(name, taken)
    return taken
  }

  async #take(name: LockName): Promise<void> {
    try {
      const release = await this.#local.acquire(name, this.#lockMs())
      if (this.#hasEnded) {
        release()
        throw new Error(`the transaction ended before it got the lock of ${name}`)
      }
      this.#releases.push(release)
    } catch (error) {
      throw this.#fail(error)
    }
    while (this.#client === undefined && this.#database.isScarce) if (await this.#lockSoon(name)) return
    // The time that is left is less than when the transaction began.
    if (this.#client !== undefined) await this.query(setLockTimeout(this.#lockMs()))
    await this.query(LOCK, [name])
  }

  /**
   * Begins with a lock. If the lock is not available soon, releases the connection and returns `false`: other requests
   * may wait for this connection if it is the only one.
   */
  async #lockSoon(name: LockName): Promise<boolean> {
    const lockMs = this.#lockMs()
    this.#client = this.#database.begin(Math.min(lockMs, SCARCE_LOCK_MS), this.#since)
    try {
      const client = await this.#client
      await client.query(LOCK, [name])
      return true
    } catch (error) {
      if (!isLockTimeout(error) || lockMs <= SCARCE_LOCK_MS) throw this.#fail(error)
      await this.#release()
      this.#isOver = false
      await sleep(SCARCE_LOCK_MS)
      return false
    }
  }

  async #connect(): Promise<PoolClient> {
    // The work of the transaction did not await this statement.
    if (this.#isOver) throw new Error('a statement was run after its transaction')
    this.#client ??= this.#database.begin(this.#lockMs(), this.#since)
    return this.#client
  }

  /** The remaining time for which it may wait for locks, in milliseconds. */
  #lockMs(): number {
    return Math.max(1, Math.ceil(this.#since + LOCK_WAIT_MS - this.#database.now()))
  }

  #fail(error: unknown): unknown {
    this.#failure ??= { error }
    return error
  }
}

const LOCK = 'select 1 from burgee_locks where name = $1 for update'

/** While connections are scarce: how long a transaction waits for a lock, and then pauses, in milliseconds. */
const SCARCE_LOCK_MS = 200

/** How long a transaction waits for locks, in all of its attempts, in milliseconds. */
const LOCK_WAIT_MS = 30_000

/** Whether an error ends the whole transaction, and not only the part since a savepoint. */
function isFinal(error: unknown): boolean {
  return error instanceof LockOrderError || error instanceof LockTimeoutError || isConnectionError(error)
}
