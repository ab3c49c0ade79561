import { inUtc } from '../inUtc.ts'
import type { StoredDelivery } from '../store/resources.ts'
import { Attempts } from './attempts.ts'
import { Backlog } from './backlog.ts'
import type { Dependencies } from './deliver.ts'
import type { Waiting } from './lane.ts'
import { Queue } from './queue.ts'
import { withdrawnBy } from './receivers.ts'
import { Standings } from './standing.ts'
import { Upkeep } from './upkeep.ts'
import { writeMessages } from './writeMessages.ts'

/** Tells receivers of changes, until each message is delivered or given up. */
export interface Courier {
  /** Delivers once more what is settled, and at once what waits. Answers the delivery as it is then, or nothing when there is none. @throws {StoreUnavailableError} */
  readonly redeliver: (id: string) => Promise<StoredDelivery | 'under way' | undefined>
  /** Ends it. Attempts that take longer than a moment are cut off, and made again by the next server. */
  readonly close: () => Promise<void>
}

/**
 * Follows the store for messages and delivers them, those first that were not settled when the last server ended. Each is told at least
 * once: when the server is killed between the receiver's answer and the keeping of it, the message comes again under the same id.
 */
export async function openCourier(dependencies: Dependencies): Promise<Courier> {
  const { store, now, receivers, pace } = dependencies
  const backlog = new Backlog(store)
  const upkeep = new Upkeep({ ...dependencies, backlog })
  const standings = new Standings()
  const queue = new Queue((receiver) => standings.trustIn(receiver))
  const attempts = new Attempts({ ...dependencies, backlog, standings, queue, upkeep })
  const add = (waiting: Waiting): void => {
    queue.add(waiting, now())
    attempts.begin()
  }

  const deliveries = await backlog.take(add)
  standings.learn(deliveries)
  // All of them before the first is tried, since earlier changes go first.
  for (const delivery of deliveries) {
    if (delivery.status === 'pending') queue.add(await backlog.waiting(delivery), now())
  }
  attempts.begin()
  /** Those that somebody has just asked for again. */
  const returning = new Set<string>()
  const endMessages = writeMessages(store, receivers)
  const endWithdrawals = store.subscribe((change) => {
    for (const receiver of withdrawnBy(receivers, change)) {
      // What waits for it is settled at once, since there is nothing to prepare any more.
      queue.hurry(receiver, now())
      upkeep.noteWithdrawn(receiver)
    }
    attempts.begin()
  })
  const look = setInterval(() => {
    queue.wake(now())
    attempts.begin()
  }, pace.lookMs).unref()
  return {
    redeliver: async (_id) => {
      const [kept] = await backlog.every({ _id })
      if (!kept) return undefined
      if (queue.has(_id)) {
        if (!queue.hurryTo(kept, now())) return 'under way'
        attempts.begin()
        return { ...kept, nextAttemptAt: inUtc(now()) }
      }
      if (returning.has(_id)) return 'under way'
      returning.add(_id)
      try {
        const again = pendingAgain(kept, inUtc(now()))
        await backlog.keep(again)
        add(await backlog.waiting(again))
        return again
      } finally {
        returning.delete(_id)
      }
    },
    close: async () => {
      endMessages()
      endWithdrawals()
      clearInterval(look)
      await attempts.end()
      await upkeep.close()
      backlog.close()
    }
  }
}

function pendingAgain({ reason: _, ...delivery }: StoredDelivery, at: string): StoredDelivery {
  return { ...delivery, status: 'pending', nextAttemptAt: at, updatedAt: at }
}
