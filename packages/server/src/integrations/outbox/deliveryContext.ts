import type { EditRunner } from '../../access/audit/edit.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import type { ReceiverKind } from '../../storage/resources/notification.ts'
import type { Store } from '../../storage/store.ts'
import type { DeliveryChannels } from './deliveryChannel.ts'
import type { Outbox } from './outbox.ts'
import type { EndpointHealthTracker } from './queue/endpointHealth.ts'

/** The dependencies of deliveries. */
export interface DeliveryDependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly send: SafeFetch
  readonly channels: DeliveryChannels
  /** The key of the organization. */
  readonly organization: string
  readonly now: () => number
  /** At least 0 and less than 1. */
  readonly random: () => number
  readonly log: Logger
  readonly timings: DeliveryTimings
  /** Called after each attempt. */
  readonly onAttempt: (receiver: ReceiverKind, outcome: 'succeeded' | 'failed') => void
  /** Called when a delivery has succeeded or was given up, once that is durable. */
  readonly onFinished: (receiver: ReceiverKind, status: 'delivered' | 'dead') => void
}

/** The dependencies of a running delivery worker. */
export interface DeliveryContext extends DeliveryDependencies {
  readonly outbox: Outbox
  readonly endpointHealth: EndpointHealthTracker
  /** Aborts attempts that are still in flight when the grace period of a shutdown ends. */
  readonly shutdownSignal: AbortSignal
}

/** Intervals and timeouts of the delivery worker, in milliseconds. */
export interface DeliveryTimings {
  /** The interval of checks for due deliveries. */
  readonly pollMs: number
  /** The interval at which the outbox is emptied, with two commits to the store. */
  readonly flushMs: number
  /** How long to wait before retrying a store that refuses writes. */
  readonly storeRetryMs: number
  /** How long a shutdown waits for attempts in flight. */
  readonly graceMs: number
}

/** The timings of a server. */
export const deliveryTimings: DeliveryTimings = { pollMs: 250, flushMs: 2000, storeRetryMs: 2000, graceMs: 1000 }
