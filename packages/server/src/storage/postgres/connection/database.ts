import { Socket } from 'node:net'
import type { Client, ClientConfig, PoolClient, QueryResultRow } from 'pg'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { StoreBusyError, StoreUnavailableError, UncertainWriteError } from '../../store.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import { CONNECT_MS, ConnectionPool, IDLE_MS } from './connectionPool.ts'
import {
  isConflict,
  isConnectionError,
  isLockTimeout,
  isTimeout,
  isWithoutTables,
  SilentDatabaseError
} from './databaseErrors.ts'

/** Options of a database. */
export interface DatabaseOptions {
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
  /** Returns monotonic milliseconds. */
  readonly now?: () => number
}

/** Loaded with the first database: a server on files starts sooner without it. */
type Driver = typeof import('pg')

/**
 * Runs statements and transactions on the connections to a PostgreSQL database. An error of a connection never ends the
 * process.
 */
export class Database {
  /** The host, port and name of the database, for messages. */
  readonly name: string
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  readonly #driver: Driver
  readonly #config: ClientConfig
  readonly #pool: ConnectionPool
  /** The sockets of all connections, also of those that are being opened. */
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  #closed: Promise<void> | undefined

  /**
   * Resolves with the connections to a database; none is opened yet.
   * @throws {StoreOpenError} for an address with several hosts.
   */
  static async create(url: string, options: DatabaseOptions): Promise<Database> {
    assertOneHost(url)
    return new Database(await import('pg'), url, options)
  }

  private constructor(driver: Driver, url: string, options: DatabaseOptions) {
    const { maxConnections, onNotice, now = () => performance.now() } = options
    this.#driver = driver
    this.now = now
    this.name = formatDatabaseName(url)
    this.#config = {
      connectionString: url,
      application_name: 'burgee-server',
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser: (oid, format) => findParser(driver, oid, format) }
    }
    const pool = new driver.Pool({
      ...this.#config,
      stream: () => this.#openSocket(),
      max: maxConnections,
      // At the connection limit, other servers can connect only after this one has closed idle connections.
      idleTimeoutMillis: IDLE_MS,
      // The pool of a command has one connection at most, which may close when it is idle.
      min: Math.min(1, maxConnections - 1),
      allowExitOnIdle: true
    })
    this.#pool = new ConnectionPool(pool, { name: this.name, maxConnections, onNotice, now })
    // Without a listener, the end of an idle connection would end the process.
    pool.on('error', (error) => {
      if (!this.#isSilent) onNotice(`a connection to ${this.name} ended: ${reasonOf(error)}`)
    })
  }

  /**
   * Runs one statement that only reads.
   * @throws {StoreUnavailableError} without a connection, or when the statement takes too long.
   */
  async read<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const [client, { rows }] = await this.#start((connected) => connected.query<Row>(text, [...values]))
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
    const client = await this.#pool.take()
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
    const [client] = await this.#start((connected) => connected.query(`${BEGIN}; ${setLockTimeout(lockMs)}`), since)
    return client
  }

  /** Runs a first statement, which changes nothing, on a connection, and on another one if that turns out to be lost. */
  async #start<T>(run: (client: PoolClient) => Promise<T>, since = this.now()): Promise<[PoolClient, T]> {
    // An idle connection may have ended unnoticed; after an outage, all of them have.
    for (let others = this.#pool.maxConnections; ; others--) {
      const client = await this.#pool.take(since)
      try {
        return [client, await run(client)]
      } catch (error) {
        this.release(client, { isIntact: false })
        if (others === 0 || !isConnectionError(error) || isTimeout(error)) throw error
      }
    }
  }

  /** Takes a connection, which the caller must release. */
  take(): Promise<PoolClient> {
    return this.#pool.take()
  }

  /** Returns a connection, or closes it if it may be broken or in a transaction. */
  release(client: PoolClient, { isIntact }: { readonly isIntact: boolean }): void {
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
    return this.#pool.addDispensable(new this.#driver.Client({ ...this.#config, stream: () => this.#openSocket() }))
  }

  /**
   * Creates a connection that asks whether the database answers: it can be opened while the database is silent, and
   * does not keep the process alive. It ends when connections become scarce.
   */
  createProbe(): Client {
    // The health check stops waiting sooner, and closes it.
    const connectionTimeoutMillis = 2 * CONNECT_MS
    const stream = () => new Socket().unref()
    return this.#pool.addDispensable(new this.#driver.Client({ ...this.#config, connectionTimeoutMillis, stream }))
  }

  /**
   * Ends all connections, with the statements in progress, and refuses further ones until the database answers again. A
   * database that hangs, and a network that drops packets, close no connection.
   */
  setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent
    if (isSilent) for (const socket of this.#sockets) socket.destroy(new SilentDatabaseError())
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

  /** Waits for statements in progress, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    // The driver listens to its errors, and connects it, after it gets the socket.
    if (this.#isSilent) process.nextTick(() => socket.destroy(new SilentDatabaseError()))
    return socket
  }
}

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

/** How long a statement may take. The longest ones read a day of events. */
const STATEMENT_MS = 60_000

/** How long a server waits for the result of a statement, which a database that hangs does not end. */
const ANSWER_MS = STATEMENT_MS + 5_000

/** The time without traffic after which the system probes a connection. */
const KEEP_ALIVE_MS = 10_000

/**
 * How long a transaction may be idle. The locks of a server that hangs are released before others stop waiting for them
 * (`postgresStore.ts`).
 */
const IDLE_IN_TRANSACTION_MS = 25_000

/** Returns the parser of a column. Integers of 64 bits are counts and times, which are exact as numbers here. */
function findParser({ types }: Driver, oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === types.builtins.INT8) return Number
  // The type of the library distinguishes formats, which have the same parsers of text.
  return types.getTypeParser(oid, format as 'text')
}

/** Asserts that an address names one host: the driver would look up the list as one name. */
function assertOneHost(url: string): void {
  const hosts = /^postgres(?:ql)?:\/\/(?:[^/?]*@)?([^/?]*)/.exec(url)?.[1] ?? ''
  if (!hosts.includes(',')) return
  throw storeOpenError(hosts, 'names several hosts, which are not supported', 'name one that follows the primary')
}

/** Returns a database without user and password, for example `db.example.com:5432/flags`. */
function formatDatabaseName(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}
