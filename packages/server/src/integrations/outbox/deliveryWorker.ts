import { every } from '@burgee/kit'
import { toIsoString } from '../../lib/time.ts'
import type { StoredDelivery } from '../../storage/resources.ts'
import type { DeliveryDependencies } from './deliver.ts'
import { DeliveryAttempts } from './deliveryAttempts.ts'
import { receiversRemovedBy } from './deliveryChannel.ts'
import { OutboxMaintenance } from './maintenance.ts'
import { Outbox } from './outbox.ts'
import { DeliveryQueue } from './queue/deliveryQueue.ts'
import { EndpointHealthTracker } from './queue/endpointHealth.ts'
import type { PendingDelivery } from './queue/partition.ts'
import { writeOutboxMessages } from './writeOutboxMessages.ts'

/** Tells receivers of changes, until each message is delivered or given up. */
export interface DeliveryWorker {
  /** Delivers once more what is settled, and at once what waits. Answers the delivery as it is then, or nothing when there is none. @throws {StoreUnavailableError} */
  readonly redeliver: (id: string) => Promise<StoredDelivery | 'under way' | undefined>
  /** Ends it. Attempts that take longer than a moment are cut off, and made again by the next server. */
  readonly close: () => Promise<void>
}

/**
 * Follows the store for messages and delivers them, those first that were not settled when the last server ended. Each is told at least
 * once: when the server is killed between the receiver's answer and the keeping of it, the message comes again under the same id.
 */
export async function openDeliveryWorker(dependencies: DeliveryDependencies): Promise<DeliveryWorker> {
  const { store, now, channels, timings, log } = dependencies
  const outbox = new Outbox(store)
  const maintenance = new OutboxMaintenance({ ...dependencies, outbox })
  const endpointHealth = new EndpointHealthTracker()
  const queue = new DeliveryQueue((receiver) => endpointHealth.healthOf(receiver))
  const attempts = new DeliveryAttempts({ ...dependencies, outbox, endpointHealth, queue, maintenance })
  const add = (waiting: PendingDelivery): void => {
    queue.add(waiting, now())
    attempts.startDue()
  }

  const deliveries = await outbox.open(add)
  endpointHealth.restore(deliveries)
  // All of them before the first is tried, since earlier changes go first.
  for (const delivery of deliveries) {
    if (delivery.status === 'pending') queue.add(await outbox.waiting(delivery), now())
  }
  attempts.startDue()
  /** Those that somebody has just asked for again. */
  const returning = new Set<string>()
  const endMessages = writeOutboxMessages(store, channels)
  const endWithdrawals = store.subscribe((change) => {
    for (const receiver of receiversRemovedBy(channels, change)) {
      // What waits for it is settled at once, since there is nothing to prepare any more.
      queue.expedite(receiver, now())
      maintenance.noteRemoved(receiver)
    }
    attempts.startDue()
  })
  const startPromoted = () => {
    queue.promoteDue(now())
    attempts.startDue()
  }
  const onError = (error: unknown) => log.error({ err: error }, 'due deliveries could not be started')
  const poll = every(timings.pollMs, startPromoted, { onError })
  return {
    redeliver: async (_id) => {
      const [kept] = await outbox.list({ _id })
      if (!kept) return undefined
      if (queue.has(_id)) {
        if (!queue.expediteThrough(kept, now())) return 'under way'
        attempts.startDue()
        return { ...kept, nextAttemptAt: toIsoString(now()) }
      }
      if (returning.has(_id)) return 'under way'
      returning.add(_id)
      try {
        const again = pendingAgain(kept, toIsoString(now()))
        await outbox.save(again)
        add(await outbox.waiting(again))
        return again
      } finally {
        returning.delete(_id)
      }
    },
    close: async () => {
      endMessages()
      endWithdrawals()
      await poll.stop()
      await attempts.drain()
      await maintenance.close()
      outbox.close()
    }
  }
}

function pendingAgain({ reason: _, ...delivery }: StoredDelivery, at: string): StoredDelivery {
  return { ...delivery, status: 'pending', nextAttemptAt: at, updatedAt: at }
}
