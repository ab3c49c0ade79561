import type { Client, PoolClient, QueryResultRow } from 'pg'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { StoreBusyError, StoreUnavailableError, UncertainWriteError } from '../../store.ts'
import { ConnectionPool } from './connectionPool.ts'
import { Connector } from './connector.ts'
import { isConflict, isConnectionError, isLockTimeout, isTimeout, isWithoutTables } from './databaseErrors.ts'

/** Options of a database. */
export interface DatabaseOptions {
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
  /** Returns monotonic milliseconds. */
  readonly now?: () => number
}

/**
 * Runs statements and transactions on the connections to a PostgreSQL database. An error of a connection never ends the
 * process.
 */
export class Database {
  /** The host, port and name of the database, for messages. */
  readonly name: string
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  readonly #connector: Connector
  readonly #pool: ConnectionPool
  readonly #onNotice: DatabaseOptions['onNotice']
  /** What each connection in use does: a statement that commits by itself, or a transaction. */
  readonly #inProgress = new Map<PoolClient, string>()
  #closed: Promise<void> | undefined

  /**
   * Resolves with the connections to a database; none is opened yet.
   * @throws {StoreOpenError} for an address with several hosts.
   */
  static async create(url: string, options: DatabaseOptions): Promise<Database> {
    return new Database(await Connector.create(url), options)
  }

  private constructor(connector: Connector, options: DatabaseOptions) {
    const { maxConnections, onNotice, now = () => performance.now() } = options
    this.#connector = connector
    this.#onNotice = onNotice
    this.now = now
    this.name = connector.name
    const pool = connector.createPool(maxConnections)
    this.#pool = new ConnectionPool(pool, { name: this.name, maxConnections, onNotice, now })
    // Without a listener, the end of an idle connection would end the process.
    pool.on('error', (error) => {
      if (!connector.isSilent) onNotice(`a connection to ${this.name} ended: ${reasonOf(error)}`)
    })
  }

  /**
   * Runs one statement that only reads.
   * @throws {StoreUnavailableError} without a connection, or when the statement takes too long.
   */
  async read<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const [client, { rows }] = await this.#start(text, (connected) => connected.query<Row>(text, [...values]))
      this.release(client, { isIntact: true })
      return rows
    } catch (cause) {
      throw this.#translate(cause)
    }
  }

  /**
   * Runs one statement, which commits by itself, and repeats it after conflicts with others.
   * @throws {StoreUnavailableError} without a connection.
   */
  async write<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#writeOnce<Row>(text, values)
      } catch (cause) {
        if (!isConflict(cause)) throw this.#translate(cause)
        if (attempt === MAX_ATTEMPTS) throw this.toUnavailable(cause)
      }
    }
  }

  async #writeOnce<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const client = await this.#take(text)
    let isIntact = false
    try {
      const { rows } = await client.query<Row>(text, [...values])
      isIntact = true
      return rows
    } finally {
      this.release(client, { isIntact })
    }
  }

  /**
   * Opens a transaction on a connection, which the caller must release.
   * @param lockMs How long a statement waits for a lock. A server that hangs does not block the others for longer.
   * @param since When the work that needs the transaction arrived, in milliseconds of `now`.
   */
  async begin(lockMs = LOCK_MS, since = this.now()): Promise<PoolClient> {
    const text = `${BEGIN}; ${setLockTimeout(lockMs)}`
    const [client] = await this.#start(TRANSACTION, (connected) => connected.query(text), since)
    return client
  }

  /** Runs a first statement, which changes nothing, on a connection, and on another one if that turns out to be lost. */
  async #start<T>(what: string, run: (client: PoolClient) => Promise<T>, since = this.now()): Promise<[PoolClient, T]> {
    // An idle connection may have ended unnoticed; after an outage, all of them have.
    for (let others = this.#pool.maxConnections; ; others--) {
      const client = await this.#take(what, since)
      try {
        return [client, await run(client)]
      } catch (error) {
        this.release(client, { isIntact: false })
        if (others === 0 || this.#closed || !isConnectionError(error) || isTimeout(error)) throw error
      }
    }
  }

  /** Takes a connection, which the caller must release. */
  take(): Promise<PoolClient> {
    return this.#take(TRANSACTION)
  }

  async #take(what: string, since?: number): Promise<PoolClient> {
    const client = await this.#pool.take(since)
    this.#inProgress.set(client, what)
    return client
  }

  /** Returns a connection, or closes it if it may be broken or in a transaction. */
  release(client: PoolClient, { isIntact }: { readonly isIntact: boolean }): void {
    this.#inProgress.delete(client)
    this.#pool.release(client, { isIntact })
  }

  /** Makes connections scarce for some time, because the database has refused one outside the pool. */
  noteRefusal(): void {
    this.#pool.noteRefusal()
  }

  /** Whether connections are scarce, so that none should be opened outside the pool. */
  get isScarce(): boolean {
    return this.#pool.isScarce
  }

  /** Whether the pool has an open connection. */
  get isConnected(): boolean {
    return this.#pool.isConnected
  }

  /**
   * Runs work in a transaction on one connection.
   * @throws {UncertainWriteError} when the connection is lost during the commit.
   * @throws {StoreUnavailableError} without a connection.
   */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined
    let isIntact = false
    let isCommitting = false
    try {
      client = await this.begin()
      const result = await work(client)
      isCommitting = true
      await client.query('commit')
      isIntact = true
      return result
    } catch (cause) {
      if (isCommitting && isConnectionError(cause)) throw new UncertainWriteError(LOST_COMMIT, { cause })
      throw this.#translate(cause)
    } finally {
      if (client) this.release(client, { isIntact })
    }
  }

  /** Creates a connection outside the pool, which is not open yet. It ends when connections become scarce. */
  createClient(): Client {
    return this.#pool.addDispensable(this.#connector.createClient())
  }

  /**
   * Creates a connection that asks whether the database answers: it can be opened while the database is silent, and
   * does not keep the process alive. It ends when connections become scarce.
   */
  createProbe(): Client {
    return this.#pool.addDispensable(this.#connector.createProbe())
  }

  /** Ends all connections while the database is silent, and refuses further ones. */
  setSilent(isSilent: boolean): void {
    this.#connector.setSilent(isSilent)
  }

  /** Describes a connection failure, or a conflict between transactions. */
  toUnavailable(cause: unknown): StoreUnavailableError {
    const reason = describeCause(cause)
    if (isLockTimeout(cause)) {
      return new StoreBusyError(`a change waited too long for a lock in the database ${this.name}: ${reason}`, {
        cause
      })
    }
    if (isConflict(cause)) {
      return new StoreBusyError(`a change conflicted with others in the database ${this.name}: ${reason}`, { cause })
    }
    return new StoreUnavailableError(`the database ${this.name} is not available: ${reason}`, { cause })
  }

  #translate(error: unknown): unknown {
    const isTemporary = isConnectionError(error) || isLockTimeout(error) || isWithoutTables(error)
    return isTemporary ? this.toUnavailable(error) : error
  }

  /** Waits for statements in progress, and closes all connections. Cuts off what does not end within five seconds. */
  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    const timer = setTimeout(() => this.#cutOff(), CLOSE_MS)
    await this.#pool.end().finally(() => clearTimeout(timer))
  }

  /** Ends the connections of a database that does not answer: neither statements nor connections end by themselves. */
  #cutOff(): void {
    const operations = [...this.#inProgress.values()].map(shorten)
    if (operations.length > 0) {
      this.#onNotice(
        `the database ${this.name} did not end what was in progress within ${CLOSE_MS / 1_000} seconds of the stop, so it was cut off, and may have been stored: ${operations.join('; ')}`
      )
    }
    this.#connector.setSilent(true)
  }
}

/** Shortens a statement for a message. Its values are not part of it. */
function shorten(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line
}

const MAX_TEXT = 80

/** How long closing waits for statements in progress, in milliseconds. */
const CLOSE_MS = 5_000

/** How a message names the work of a connection that runs a transaction. */
const TRANSACTION = 'a transaction'

/** An address with several records fails with several errors, and without a message. */
export function describeCause(cause: unknown): string {
  return reasonOf(cause instanceof AggregateError ? cause.errors[0] : cause)
}

/** The statements were written for this isolation level; the user or the database can have another default. */
export const BEGIN = 'begin isolation level read committed'

/** How often a statement or a transaction is tried, if it fails before its commit. */
export const MAX_ATTEMPTS = 3

/** Returns the statement that limits how long the further ones of a transaction wait for a lock, in milliseconds. */
export function setLockTimeout(ms: number): string {
  return `set local lock_timeout = ${ms}`
}

/** How long a statement in a transaction waits for a lock, in milliseconds. */
const LOCK_MS = 10_000

/** The message of a transaction whose commit was not answered. */
export const LOST_COMMIT = 'the connection to the database was lost while a change was stored; it may have been stored'
