import { every } from '@burgee/kit'
import { toIsoString } from '../../lib/time.ts'
import type { StoredDelivery } from '../../storage/resources/notification.ts'
import { DeliveryAttempts } from './deliveryAttempts.ts'
import { receiversRemovedBy } from './deliveryChannel.ts'
import type { DeliveryDependencies } from './deliveryContext.ts'
import { OutboxMaintenance } from './maintenance.ts'
import { Outbox } from './outbox.ts'
import { DeliveryQueue } from './queue/deliveryQueue.ts'
import { EndpointHealthTracker } from './queue/endpointHealth.ts'
import type { PendingDelivery } from './queue/partition.ts'

/** Delivers messages about changes to receivers, with retries. */
export interface DeliveryWorker {
  /**
   * Delivers a finished delivery again, or a pending one now. Returns the updated delivery, `'in-flight'` while an
   * attempt is being made, or `undefined` if the delivery does not exist. @throws {StoreUnavailableError}
   */
  readonly redeliver: (id: string) => Promise<StoredDelivery | 'in-flight' | undefined>
  /** Returns a delivery with the earliest time of its next attempt, which also depends on the deliveries before it. */
  readonly withNextAttempt: (delivery: StoredDelivery) => StoredDelivery
  /** Takes over deliveries that other servers have reopened. */
  readonly adopt: () => Promise<void>
  /** Stops the worker. Attempts that exceed the grace period are aborted, and repeated after the next start. */
  readonly close: () => Promise<void>
}

/**
 * Opens a worker, which first resumes the pending deliveries of the last run. Delivery is at least once: if the server
 * is killed after a receiver has answered and before that is saved, the message is sent again with the same id.
 */
export async function openDeliveryWorker(dependencies: DeliveryDependencies): Promise<DeliveryWorker> {
  const { store, now, channels, timings, log } = dependencies
  const outbox = new Outbox(store)
  const maintenance = new OutboxMaintenance({ ...dependencies, outbox })
  const endpointHealth = new EndpointHealthTracker()
  const queue = new DeliveryQueue((receiver) => endpointHealth.healthOf(receiver))
  const attempts = new DeliveryAttempts({ ...dependencies, outbox, endpointHealth, queue, maintenance })
  const enqueue = (pending: PendingDelivery): void => {
    queue.add(pending, now())
    attempts.startDue()
  }

  const deliveries = await outbox.open(enqueue)
  endpointHealth.restore(deliveries)
  // All are queued before the first attempt, since deliveries of a partition are ordered by position.
  for (const delivery of deliveries) {
    if (delivery.status === 'pending' && !queue.has(delivery._id)) queue.add(await outbox.toPending(delivery), now())
  }
  attempts.startDue()
  /** The ids of finished deliveries that are being queued again. */
  const requeueing = new Set<string>()
  const unsubscribe = store.subscribe((change) => {
    for (const receiver of receiversRemovedBy(channels, change)) {
      // Preparing them finds that the receiver is gone, which discards them without an attempt.
      queue.expedite(receiver, now())
      maintenance.noteRemoved(receiver)
    }
    attempts.startDue()
  })
  const startPromoted = () => {
    queue.promoteDue(now())
    attempts.startDue()
  }
  const onError = (error: unknown) => log.error({ err: error }, 'starting due deliveries failed')
  const poll = every(timings.pollMs, startPromoted, { onError })
  return {
    redeliver: async (_id) => {
      const [existing] = await outbox.list({ _id })
      if (!existing) return undefined
      if (queue.has(_id)) {
        if (!queue.expediteThrough(existing, now())) return 'in-flight'
        attempts.startDue()
        return { ...existing, nextAttemptAt: toIsoString(now()) }
      }
      if (requeueing.has(_id)) return 'in-flight'
      requeueing.add(_id)
      try {
        const reopened = await outbox.reopen(existing, toIsoString(now()))
        enqueue(await outbox.toPending(reopened))
        return reopened
      } finally {
        requeueing.delete(_id)
      }
    },
    adopt: async () => {
      for (const { _id } of await outbox.listPending()) {
        if (queue.has(_id) || requeueing.has(_id)) continue
        // Read again, since an attempt may have finished it since.
        const [delivery] = await outbox.list({ _id })
        if (delivery?.status === 'pending' && !queue.has(_id)) enqueue(await outbox.toPending(delivery))
      }
    },
    withNextAttempt: (delivery) => {
      const at = queue.earliestAttempt(delivery, now())
      return at === undefined ? delivery : { ...delivery, nextAttemptAt: toIsoString(at) }
    },
    close: async () => {
      unsubscribe()
      await poll.stop()
      await attempts.drain()
      await maintenance.close()
      outbox.close()
    }
  }
}
