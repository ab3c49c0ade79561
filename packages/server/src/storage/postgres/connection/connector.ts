import { Socket } from 'node:net'
import type { Client, ClientConfig, Pool } from 'pg'
import { CONNECT_MS, IDLE_MS } from './connectionPool.ts'
import { assertOneHost, assertPort, formatDatabaseName } from './databaseAddress.ts'
import { SilentDatabaseError } from './databaseErrors.ts'

/** Loaded with the first database: a server on files starts sooner without it. */
type Driver = typeof import('pg')

/** Creates the connections to a database, and ends all of them while it does not answer. */
export class Connector {
  /** The host, port and name of the database, for messages. */
  readonly name: string
  readonly #driver: Driver
  readonly #config: ClientConfig
  /** The sockets of all connections except probes, also of those that are being opened. */
  readonly #sockets = new Set<Socket>()
  #isSilent = false

  /** @throws {StoreOpenError} for an address with several hosts. */
  static async create(url: string): Promise<Connector> {
    assertOneHost(url)
    assertPort(url)
    return new Connector(await import('pg'), url)
  }

  private constructor(driver: Driver, url: string) {
    this.#driver = driver
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
  }

  createPool(maxConnections: number): Pool {
    return new this.#driver.Pool({
      ...this.#config,
      stream: () => this.#openSocket(),
      max: maxConnections,
      // At the connection limit, other servers can connect only after this one has closed idle connections.
      idleTimeoutMillis: IDLE_MS,
      // The pool of a command has one connection at most, which may close when it is idle.
      min: Math.min(1, maxConnections - 1),
      allowExitOnIdle: true
    })
  }

  /** Creates a connection outside the pool, which is not open yet. */
  createClient(): Client {
    return new this.#driver.Client({ ...this.#config, stream: () => this.#openSocket() })
  }

  /**
   * Creates a connection that asks whether the database answers: it can be opened while the database is silent, and
   * does not keep the process alive.
   */
  createProbe(): Client {
    // The health check stops waiting sooner, and closes it.
    const connectionTimeoutMillis = 2 * CONNECT_MS
    const stream = () => new Socket().unref()
    return new this.#driver.Client({ ...this.#config, connectionTimeoutMillis, stream })
  }

  get isSilent(): boolean {
    return this.#isSilent
  }

  /**
   * Ends all connections, with the statements in progress, and refuses further ones until the database answers again. A
   * database that hangs, and a network that drops packets, close no connection.
   */
  setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent
    if (isSilent) for (const socket of this.#sockets) socket.destroy(new SilentDatabaseError())
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
