import type { Client, Pool, PoolClient } from 'pg'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { ConnectError, isRefused, NoConnectionError } from './databaseErrors.ts'

interface PoolOptions {
  /** The name of the database, for messages. */
  readonly name: string
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
  /** Returns monotonic milliseconds. */
  readonly now: () => number
}

/**
 * A pool of connections to a database that may refuse further ones: requests then wait for the open connections, and
 * idle ones are left to other servers.
 */
export class ConnectionPool {
  readonly maxConnections: number
  readonly #pool: Pool
  readonly #name: string
  readonly #onNotice: PoolOptions['onNotice']
  readonly #now: PoolOptions['now']
  /** Runs while no connections are opened because the database has refused one. */
  #refused: NodeJS.Timeout | undefined
  /** When the database last refused a connection; `undefined` before that and after recovery. */
  #lastRefusal: number | undefined
  /** Why no connections are opened. */
  #refusal: unknown
  /** Whether a request has timed out waiting for a connection, and none has got one since. */
  #isStarved = false
  /** The connections that the database has accepted and that are still open. */
  readonly #open = new Set<PoolClient>()
  /** The connections outside the pool, which the server can do without. */
  readonly #dispensable = new Set<Client>()
  /** Runs while this server uses as few connections as possible, so that other servers can connect. */
  #scarce: NodeJS.Timeout | undefined

  constructor(pool: Pool, { name, maxConnections, onNotice, now }: PoolOptions) {
    this.#pool = pool
    this.#name = name
    this.maxConnections = maxConnections
    this.#onNotice = onNotice
    this.#now = now
    pool.on('connect', (client) => {
      this.#open.add(client)
      this.#noteAccepted()
    })
    pool.on('remove', (client) => void this.#open.delete(client))
  }

  /**
   * Takes a connection. If the database refuses to open one, waits until an open one is free or the database accepts
   * one. While no connections are available, the time that a request has waited in a queue counts too.
   */
  async take(since = this.#now()): Promise<PoolClient> {
    const earliest = this.#isStarved ? since : this.#now()
    const deadline = earliest + CONNECT_MS
    while (true) {
      try {
        const client = await this.#takeConnection(Math.max(0, deadline - this.#now()))
        this.#isStarved = false
        return client
      } catch (error) {
        const isLate = this.#now() >= deadline
        this.#isStarved ||= isLate
        if (!isRefused(error) || isLate) throw new ConnectError(this.#refusal ?? error, { isExhausted: isLate })
        this.#openNoMore(error)
      }
    }
  }

  /** Returns a connection, or closes it if it may be broken or in a transaction. */
  release(client: PoolClient, { isIntact }: { readonly isIntact: boolean }): void {
    client.off('error', ignore)
    client.release(!isIntact)
  }

  /**
   * Releases connections for some time after the database has refused one, because other servers may have none: at once
   * those outside the pool, and soon idle ones.
   */
  noteRefusal(): void {
    clearTimeout(this.#scarce)
    this.#pool.options.idleTimeoutMillis = SCARCE_IDLE_MS
    this.#scarce = setTimeout(() => {
      this.#scarce = undefined
      this.#pool.options.idleTimeoutMillis = IDLE_MS
    }, SCARCE_MS).unref()
    for (const client of this.#dispensable) void client.end().catch(() => {})
  }

  /** Whether connections are scarce, so that none should be opened outside the pool. */
  get isScarce(): boolean {
    return this.#scarce !== undefined
  }

  /** Whether the pool has an open connection. */
  get isConnected(): boolean {
    return this.#open.size > 0
  }

  /** Adds a connection outside the pool, which ends when connections become scarce. */
  addDispensable(client: Client): Client {
    this.#dispensable.add(client)
    client.once('end', () => this.#dispensable.delete(client))
    return client
  }

  /** Waits for statements in progress, and closes all connections. */
  end(): Promise<void> {
    return this.#pool.end()
  }

  /** Makes requests wait for the open connections until it may be possible to open another one. */
  #openNoMore(refusal: unknown): void {
    this.#refusal = refusal
    this.#pool.options.max = this.#open.size
    this.noteRefusal()
    if (this.#lastRefusal === undefined) {
      this.#onNotice(
        `${this.#name} refuses further connections, so requests wait for the open ones: ${reasonOf(refusal)}`
      )
    }
    this.#lastRefusal = this.#now()
    this.#refused ??= setTimeout(() => this.#openOneMore(), this.isConnected ? REFUSED_MS : RETRY_MS).unref()
  }

  /** Tries to open one more connection. If that succeeds, removes the limit. */
  #openOneMore(): void {
    this.#refused = undefined
    if (this.#pool.ending) return
    if (this.#pool.waitingCount === 0) {
      // The next request opens it.
      this.#openAny()
      return
    }
    this.#pool.options.max = this.#open.size + 1
    this.#takeConnection(CONNECT_MS).then(
      (client) => {
        this.#openAny()
        this.release(client, { isIntact: true })
      },
      (error) => {
        if (isRefused(error)) this.#openNoMore(error)
        else this.#openAny()
      }
    )
  }

  #openAny(): void {
    this.#refusal = undefined
    this.#pool.options.max = this.maxConnections
  }

  /** Lets the next refusal be reported after a recovery. A database at its limit alternately accepts and refuses. */
  #noteAccepted(): void {
    if (this.#lastRefusal !== undefined && this.#now() - this.#lastRefusal > RECOVERED_MS) {
      this.#lastRefusal = undefined
    }
  }

  /**
   * Takes a connection of the pool, and ignores its errors: statements reject as well, and without a listener, the event
   * would end the process. A promise would resolve too late for a connection that ends as soon as it is open.
   */
  #takeConnection(waitMs: number): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(new NoConnectionError(this.isConnected))
      }, waitMs)
      this.#pool.connect((error, client) => {
        clearTimeout(timer)
        if (isLate) return client?.release()
        client?.on('error', ignore)
        if (client) resolve(client)
        else reject(error)
      })
    })
  }
}

function ignore(): void {}

/** How long no further connections are opened after the database has refused one, in milliseconds. */
const REFUSED_MS = 2_000

/** The same if no connection is open. */
const RETRY_MS = 250

/** How long after the last refusal an accepted connection shows that the database has recovered, in milliseconds. */
const RECOVERED_MS = 60_000

/** How long idle connections are kept, except the last one, in milliseconds. */
export const IDLE_MS = 3_000

/** How long connections count as scarce after the database has refused one, in milliseconds. */
const SCARCE_MS = 30_000

/** How long idle connections are kept while connections are scarce: less than the time between two jobs. */
const SCARCE_IDLE_MS = 200

/** How long opening a connection, or waiting for one, may take, in milliseconds. */
export const CONNECT_MS = 5_000
