import type { AuditLog } from '../auditLog.ts'
import type { ItemCodec } from '../encryption/itemCodec.ts'
import { type Resources, userDataCollections } from '../resources/collections.ts'
import {
  type BeforeCommitHook,
  type ChangeListener,
  type Collection,
  type Store,
  type StoreLostError,
  StoreUnavailableError,
  type StoreWrite,
  UncertainWriteError
} from '../store.ts'
import { isUserData } from '../tables/storeState.ts'
import { StoreObservers } from '../transactions/storeObservers.ts'
import { ChangeFeed } from './changes/changeFeed.ts'
import { type Position, recordChange } from './changes/changeLog.ts'
import { claim } from './connection/claims.ts'
import { type Database, LOST_COMMIT, MAX_ATTEMPTS } from './connection/database.ts'
import {
  isConflict,
  isConnectionError,
  isLockTimeout,
  isRepeatable,
  isWithoutTables
} from './connection/databaseErrors.ts'
import type { HealthCheck } from './connection/healthCheck.ts'
import { runExclusively, type StartWork } from './connection/lease.ts'
import { LocalLocks } from './connection/localLocks.ts'
import { LockOrderError, TransactionSession } from './connection/transactionSession.ts'
import { ItemTable } from './itemTable.ts'
import { openDatabaseAuditLog } from './postgresAuditLog.ts'
import { PostgresTransaction } from './postgresTransaction.ts'
import { tableOf } from './schema/tableNames.ts'

interface Dependencies {
  readonly codec: ItemCodec
  readonly health: HealthCheck
  /** The last change that other servers and this one have made. */
  readonly position: Position
  /** How often the database is asked for changes of other servers, in milliseconds. */
  readonly pollMs: number
  /** Whether the database notifies this server of changes. */
  readonly listens: boolean
  /** Returns a number between 0 and 1. */
  readonly random: () => number
  /** Called once when this server can no longer follow the changes of others. Must not throw. */
  readonly onLost: (error: StoreLostError) => void
  /** Lets the next server start. */
  readonly endStart: () => Promise<void>
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
}

/** A store in a PostgreSQL database. It keeps no items in memory. */
export class PostgresStore implements Store {
  readonly location: Database
  readonly #codec: ItemCodec
  readonly #health: HealthCheck
  readonly #observers: StoreObservers
  readonly #feed: ChangeFeed
  readonly #endStart: () => Promise<void>
  readonly #locks = new LocalLocks()
  #closed: Promise<void> | undefined

  constructor(
    database: Database,
    { codec, health, position, pollMs, listens, random, endStart, onNotice, onLost }: Dependencies
  ) {
    this.location = database
    this.#codec = codec
    this.#health = health
    this.#endStart = endStart
    this.#observers = new StoreObservers(onNotice)
    const publish = (writes: readonly StoreWrite[]) => this.#observers.notify({ writes })
    const onUnavailable = health.noteFailure
    const following = { pollMs, listens, random, publish, onUnavailable, onLost }
    this.#feed = new ChangeFeed({ database, codec, ...following }, position)
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    const table = new ItemTable(name, this.#codec, (text, values) => this.location.read(text, values))
    return {
      get: (match) => table.get(match),
      list: (query) => table.list(query),
      scan: (query) => table.scan(query),
      insert: (item) => this.transaction((store) => store.collection(name).insert(item)),
      update: (id, members) => this.transaction((store) => store.collection(name).update(id, members)),
      remove: (id) => this.transaction((store) => store.collection(name).remove(id))
    }
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    this.#assertOpen('write')
    const { lost } = this.#feed
    if (lost) throw new StoreUnavailableError(lost.message, { cause: lost })
    this.#observers.assertMayWrite()
    let takesAll = false
    const since = this.location.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work, { takesAll, since })
      } catch (error) {
        if (error instanceof LockOrderError) takesAll = true
        else if (!isRepeatable(error) || attempt >= MAX_ATTEMPTS) throw this.#translate(error)
      }
    }
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#observers.subscribe(listener)
  }

  beforeCommit(hook: BeforeCommitHook): () => void {
    return this.#observers.beforeCommit(hook)
  }

  auditLog(): Promise<AuditLog> {
    return openDatabaseAuditLog(this.location)
  }

  /** Removes the dead rows that updates and removals leave behind. */
  async purgeUserData(): Promise<void> {
    this.#assertOpen('purge it')
    await this.location.write(`vacuum ${userDataCollections.map(tableOf).join(', ')}`)
  }

  isWritable(): boolean {
    return this.#health.isWritable() && this.#feed.lost === undefined
  }

  async follow(): Promise<void> {
    await this.#feed.start()
    await this.#endStart()
    await this.#health.checked()
  }

  catchUp(): Promise<void> {
    return this.#feed.catchUp()
  }

  runExclusively(name: string, start: StartWork): Promise<() => Promise<void>> {
    return runExclusively(this.location, name, start)
  }

  claim(id: string, ms: number): Promise<boolean> {
    return claim(this.location, id, ms)
  }

  async assertOwned(): Promise<void> {
    if (this.#feed.lost) throw this.#feed.lost
  }

  close(): Promise<void> {
    this.#closed ??= this.#release()
    return this.#closed
  }

  /** Runs a transaction once. */
  async #attempt<T>(
    work: (store: Store) => Promise<T>,
    options: ConstructorParameters<typeof TransactionSession>[2]
  ): Promise<T> {
    const session = new TransactionSession(this.location, this.#locks, options)
    const draft = new PostgresTransaction(this, session, this.#codec)
    try {
      const result = await this.#observers.runWork(draft, work)
      draft.end()
      const { writes } = draft
      const isFollowed = writes.some(({ collection }) => !isUserData(collection))
      const change = isFollowed ? await this.#record(session, writes) : undefined
      await this.#commit(session)
      // Before the locks are released, so that listeners receive changes in the order of the commits.
      if (change) await this.#publish(change, writes)
      else if (writes.length > 0) await this.#observers.notify({ writes })
      return result
    } catch (error) {
      // The work may have replaced the error of a statement by its own.
      throw session.failure() ?? error
    } finally {
      draft.end()
      await session.end()
    }
  }

  /** @throws {StoreUnavailableError} when the database was restored meanwhile. */
  async #record(session: TransactionSession, writes: readonly StoreWrite[]): Promise<Position> {
    const { last } = this.#feed
    const { change, known } = await recordChange(session, writes, last.revision, this.#codec)
    this.#feed.assertFollows(change, last, known)
    return change
  }

  async #commit(session: TransactionSession): Promise<void> {
    const isSound = session.failure() === undefined
    try {
      await session.commit()
    } catch (cause) {
      if (!isSound || !isConnectionError(cause)) throw cause
      throw session.fail(new UncertainWriteError(LOST_COMMIT, { cause }))
    }
  }

  /** @throws {UncertainWriteError} when the change, which is stored, cannot be read back at this server. */
  async #publish(change: Position, writes: readonly StoreWrite[]): Promise<void> {
    try {
      await this.#feed.publishOwn(change, writes)
    } catch (cause) {
      const problem = 'the change is stored, but the connection to the database was lost before it was in use'
      throw new UncertainWriteError(problem, { cause })
    }
  }

  #translate(error: unknown): unknown {
    if (isLockTimeout(error) || isConflict(error)) return this.location.toUnavailable(error)
    if (!isConnectionError(error) && !isWithoutTables(error)) return error
    this.#health.noteFailure(error)
    return this.location.toUnavailable(error)
  }

  #assertOpen(intention: string): void {
    if (this.#closed !== undefined) throw new Error(`the store is closed; open it again to ${intention}`)
  }

  async #release(): Promise<void> {
    await this.#locks.idle()
    await this.#endStart()
    await this.#feed.close()
    await this.#health.stop()
    await this.location.close()
  }
}
