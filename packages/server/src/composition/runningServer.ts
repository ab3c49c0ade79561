import type { DemoKeys } from '../cli/demo/setUpDemo.ts'
import type { StreamTimings } from '../delivery/streams/streamTimings.ts'
import type { AdministratorCredentials } from '../identity/clients/ensureAdministrator.ts'
import type { HashCost } from '../identity/secrets/secretHash.ts'
import type { DeliveryTimings } from '../integrations/outbox/deliveryContext.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import type { LockTimings } from '../storage/lowdb/lock/lockOptions.ts'

/** Intervals of background jobs, in milliseconds. */
export interface JobTimings {
  /** How often time-based jobs check the clock. Default: 250 for scheduled changes, 500 for the daily scan. */
  readonly clockMs?: number
  /** How often the head of the audit log is anchored. Default: an hour. */
  readonly anchorMs?: number
}

/** Dependencies of a server that tests and embedders replace; each has a default. */
export interface ServerDependencies {
  /** Returns the time in epoch milliseconds. */
  readonly now?: () => number
  /** The clock of the operation handlers. Default: `now`. If it throws, operations fail, but background jobs do not. */
  readonly handlerNow?: () => number
  readonly ids?: IdGenerator
  readonly log?: Logger
  /** `stallTimeoutMs` also applies to other responses that a client does not read. */
  readonly streamTimings?: Partial<StreamTimings>
  /** How long a client may take to send a request, in milliseconds. Default: 28,000. */
  readonly requestTimeoutMs?: number
  readonly deliveryTimings?: Partial<DeliveryTimings>
  readonly jobTimings?: JobTimings
  /** The cost of the hashes of passwords and configured secrets. Default: `HASH_COST`. */
  readonly hashCost?: HashCost
  /** Intervals of the lock on the directory of the store. */
  readonly lockTimings?: LockTimings
  /** The directory of the built dashboard. Default: the one of the package `@burgee/dashboard`. */
  readonly dashboardDirectory?: URL
  /** The timeout of requests to the upstream identity provider, in milliseconds. Default: 5,000. */
  readonly providerTimeoutMs?: number
  /** How long the server may warm up evaluations before it is ready, in milliseconds. Default: 0. */
  readonly warmUpMs?: number
}

/** A running server. */
export interface RunningServer {
  /** The listening address, for example `http://127.0.0.1:8080`. */
  readonly url: string
  /** The keys of the demo project, if the settings enable it and the store contains it. */
  readonly demo: DemoKeys | undefined
  /** A link that signs the first person of the demo in once, on this computer. */
  readonly signInLink: string | undefined
  /**
   * Whether the server has a dashboard that nobody can sign in to: there are neither people nor an identity provider.
   */
  readonly needsPerson: boolean
  /** The credentials of the administrator client, if this start generated them. */
  readonly administrator: AdministratorCredentials | undefined
  /**
   * Waits up to eight seconds for requests in flight, and closes everything. Further calls return the same promise.
   * Before that, the server answers requests for another `lingerMs` milliseconds, and announces its shutdown
   * (`/readyz`, `Connection: close`).
   */
  readonly close: (options?: { readonly lingerMs?: number }) => Promise<void>
  /**
   * Resolves when the server has closed. The value is the error if the server closed itself because another process
   * had taken over its store.
   */
  readonly closed: Promise<Error | undefined>
}
