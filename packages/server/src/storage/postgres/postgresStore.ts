import type { AuditLog } from '../auditLog.ts'
import type { ItemCodec } from '../encryption/itemCodec.ts'
import { type Resources, userDataCollections } from '../resources/collections.ts'
import {
  type BeforeCommitHook,
  type ChangeListener,
  type Collection,
  type Store,
  StoreUnavailableError
} from '../store.ts'
import { StoreObservers } from '../transactions/storeObservers.ts'
import type { Database } from './connection/database.ts'
import { isConnectionError, isRepeatable } from './connection/databaseErrors.ts'
import type { HealthCheck } from './connection/healthCheck.ts'
import { LocalLocks } from './connection/localLocks.ts'
import { LockOrderError, TransactionSession } from './connection/transactionSession.ts'
import { ItemTable } from './itemTable.ts'
import { openDatabaseAuditLog } from './postgresAuditLog.ts'
import { PostgresTransaction } from './postgresTransaction.ts'
import { tableOf } from './schema/tableNames.ts'

interface Dependencies {
  readonly codec: ItemCodec
  readonly health: HealthCheck
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
}

/** A store in a PostgreSQL database. It keeps no items in memory. */
export class PostgresStore implements Store {
  readonly location: Database
  readonly #codec: ItemCodec
  readonly #health: HealthCheck
  readonly #observers: StoreObservers
  readonly #locks = new LocalLocks()
  #closed: Promise<void> | undefined

  constructor(database: Database, { codec, health, onNotice }: Dependencies) {
    this.location = database
    this.#codec = codec
    this.#health = health
    this.#observers = new StoreObservers(onNotice)
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    const table = new ItemTable(name, this.#codec, (text, values) => this.location.read(text, values))
    return {
      get: (match) => table.get(match),
      list: (query) => table.list(query),
      insert: (item) => this.transaction((store) => store.collection(name).insert(item)),
      update: (id, members) => this.transaction((store) => store.collection(name).update(id, members)),
      remove: (id) => this.transaction((store) => store.collection(name).remove(id))
    }
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    this.#assertOpen('write')
    this.#observers.assertMayWrite()
    let takesAll = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work, takesAll)
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
    return this.#health.isWritable()
  }

  async assertOwned(): Promise<void> {}

  close(): Promise<void> {
    this.#closed ??= this.#release()
    return this.#closed
  }

  /** Runs a transaction once. */
  async #attempt<T>(work: (store: Store) => Promise<T>, takesAll: boolean): Promise<T> {
    const session = new TransactionSession(this.location, this.#locks, takesAll)
    const draft = new PostgresTransaction(this, session, this.#codec)
    try {
      const result = await this.#observers.runWork(draft, work)
      draft.end()
      await this.#commit(session)
      // Before the locks are released, so that listeners receive changes in the order of the commits.
      if (draft.writes.length > 0) await this.#observers.notify({ writes: draft.writes })
      return result
    } catch (error) {
      // The work may have replaced the error of a statement by its own.
      throw session.failure() ?? error
    } finally {
      draft.end()
      await session.end()
    }
  }

  async #commit(session: TransactionSession): Promise<void> {
    const isSound = session.failure() === undefined
    try {
      await session.commit()
    } catch (cause) {
      if (!isSound || !isConnectionError(cause)) throw cause
      const problem = 'the connection to the database was lost while a change was stored; it may have been stored'
      throw session.fail(new StoreUnavailableError(problem, { cause }))
    }
  }

  #translate(error: unknown): unknown {
    if (error instanceof StoreUnavailableError || !isRepeatable(error)) return error
    this.#health.noteFailure(error)
    return this.location.toUnavailable(error)
  }

  #assertOpen(intention: string): void {
    if (this.#closed !== undefined) throw new Error(`the store is closed; open it again to ${intention}`)
  }

  async #release(): Promise<void> {
    await this.#locks.idle()
    await this.#health.stop()
    await this.location.close()
  }
}

/** How often a transaction is tried, if it fails before its commit. */
const MAX_ATTEMPTS = 3
