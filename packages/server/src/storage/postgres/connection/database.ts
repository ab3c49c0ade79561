import { Client, type ClientConfig, Pool, type PoolClient, type QueryResultRow, types } from 'pg'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { StoreUnavailableError } from '../../store.ts'
import { isConnectionError } from './databaseErrors.ts'

/** Options of a database. */
export interface DatabaseOptions {
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
}

/** The connections to a PostgreSQL database. An error of a connection never ends the process. */
export class Database {
  /** The host, port and name of the database, for messages. */
  readonly name: string
  readonly #config: ClientConfig
  readonly #pool: Pool
  #closed: Promise<void> | undefined

  constructor(url: string, { maxConnections, onNotice }: DatabaseOptions) {
    this.name = formatDatabaseName(url)
    this.#config = {
      connectionString: url,
      application_name: 'burgee-server',
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      types: { getTypeParser: findParser }
    }
    this.#pool = new Pool({ ...this.#config, max: maxConnections, allowExitOnIdle: true })
    // Without a listener, the end of an idle connection would end the process.
    this.#pool.on('error', (error) => onNotice(`a connection to ${this.name} ended: ${reasonOf(error)}`))
  }

  /** Runs one statement, and once more if its connection turns out to be broken: for statements that only read. */
  async read<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      return await this.#query(text, values)
    } catch (error) {
      if (!isConnectionError(error)) throw error
      return this.#query<Row>(text, values).catch((cause) => {
        throw isConnectionError(cause) ? this.toUnavailable(cause) : cause
      })
    }
  }

  /** Runs one statement, which commits by itself. @throws {StoreUnavailableError} without a connection. */
  async write<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.#query<Row>(text, values).catch((cause) => {
      throw isConnectionError(cause) ? this.toUnavailable(cause) : cause
    })
  }

  /** Opens a transaction on a connection, which the caller must release. */
  async begin(): Promise<PoolClient> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.#pool.connect()
      // Statements reject as well; without a listener, the event would end the process.
      client.on('error', ignore)
      try {
        await client.query(BEGIN)
        return client
      } catch (error) {
        this.release(client, { isIntact: false })
        // An idle connection may have ended unnoticed; after an outage, all of them have.
        if (!isConnectionError(error) || attempt >= MAX_ATTEMPTS) throw error
      }
    }
  }

  /** Returns a connection, or closes it if it may be broken or in a transaction. */
  release(client: PoolClient, { isIntact }: { readonly isIntact: boolean }): void {
    client.off('error', ignore)
    client.release(!isIntact)
  }

  /** Runs work in a transaction on one connection. @throws {StoreUnavailableError} without a connection. */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined
    let isIntact = false
    try {
      client = await this.begin()
      const result = await work(client)
      await client.query('commit')
      isIntact = true
      return result
    } catch (cause) {
      throw isConnectionError(cause) ? this.toUnavailable(cause) : cause
    } finally {
      if (client) this.release(client, { isIntact })
    }
  }

  /** Creates a connection outside the pool, which is not opened yet. */
  createClient(): Client {
    return new Client(this.#config)
  }

  /** Describes the failure of a connection. */
  toUnavailable(cause: unknown): StoreUnavailableError {
    return new StoreUnavailableError(`the database ${this.name} is not available: ${describeCause(cause)}`, { cause })
  }

  /** Waits for statements in progress, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  async #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#pool.query<Row>(text, [...values])).rows
  }
}

/** An address with several records fails with several errors, and without a message. */
export function describeCause(cause: unknown): string {
  return reasonOf(cause instanceof AggregateError ? cause.errors[0] : cause)
}

function ignore(): void {}

/** Waiting for a lock ends early, so that a server that hangs does not block the others for the time of a statement. */
const BEGIN = "begin; set local lock_timeout = '10s'"

/** How many connections are tried for a transaction. */
const MAX_ATTEMPTS = 5

/** How long opening a connection, or waiting for one, may take, in milliseconds. */
const CONNECT_MS = 5_000

/** How long a statement may take. The longest ones read a day of events. */
const STATEMENT_MS = 60_000

/** How long a transaction may be idle. A server that hangs releases its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000

/** Returns the parser of a column. Integers of 64 bits are counts and times, which are exact as numbers here. */
function findParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === types.builtins.INT8) return Number
  // The type of the library distinguishes formats, which have the same parsers of text.
  return types.getTypeParser(oid, format as 'text')
}

/** Returns a database without user and password, as in `db.example.com:5432/flags`. */
function formatDatabaseName(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}
