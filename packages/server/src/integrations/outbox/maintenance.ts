import { every, type PeriodicJob } from '@burgee/kit'
import type { Logger } from '../../lib/logger.ts'
import { DAY } from '../../lib/time.ts'
import type { ReceiverId, StoredDelivery } from '../../storage/resources/notification.ts'
import { StoreUnavailableError } from '../../storage/store.ts'
import { type DeliveryChannels, hasReceiver } from './deliveryChannel.ts'
import type { DeliveryTimings } from './deliveryContext.ts'
import type { Outbox } from './outbox.ts'

interface Dependencies {
  readonly outbox: Outbox
  readonly channels: DeliveryChannels
  readonly now: () => number
  readonly log: Logger
  readonly timings: DeliveryTimings
}

/** Empties the outbox and deletes old deliveries, in batches. */
export class OutboxMaintenance {
  readonly #dependencies: Dependencies
  /** The number of deliveries of each receiver that finished since its last pruning. */
  readonly #finished = new Map<ReceiverId, number>()
  /** Receivers that may no longer exist and still have deliveries. */
  readonly #possiblyRemoved = new Set<ReceiverId>()
  readonly #job: PeriodicJob
  #prunedAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const onError = (error: unknown) => this.#warn(error)
    this.#job = every(dependencies.timings.flushMs, () => this.#run(), { onError })
  }

  /** Records that a delivery has finished. */
  noteFinished(receiver: ReceiverId): void {
    this.#finished.set(receiver, (this.#finished.get(receiver) ?? 0) + 1)
    this.#possiblyRemoved.add(receiver)
  }

  /** Records that a receiver was removed or disabled. */
  noteRemoved(receiver: ReceiverId): void {
    this.#possiblyRemoved.add(receiver)
  }

  /** Empties the outbox for the last time. */
  async close(): Promise<void> {
    await this.#job.stop()
    await this.#run().catch((error) => this.#warn(error))
  }

  /** Runs the tasks that are due. The next run retries failed tasks. */
  async #run(): Promise<void> {
    const { outbox, now } = this.#dependencies
    await outbox.flush()
    if (now() - this.#prunedAt >= DAY) {
      await pruneDeliveries(this.#dependencies)
      this.#prunedAt = now()
    }
    await this.#pruneBusy()
    await this.#pruneRemoved()
  }

  #warn(error: unknown): void {
    // The store logs its own unavailability.
    if (error instanceof StoreUnavailableError) return
    this.#dependencies.log.warn({ err: error }, 'maintenance of deliveries failed')
  }

  async #pruneBusy(): Promise<void> {
    for (const [receiver, count] of this.#finished) {
      if (count < PRUNE_INTERVAL) continue
      // Deleted first, so that deliveries that finish meanwhile count for the next run.
      this.#finished.delete(receiver)
      await pruneDeliveries(this.#dependencies, receiver)
    }
  }

  /** Deliveries contain names of people, so they are deleted with their receiver. */
  async #pruneRemoved(): Promise<void> {
    const receivers = [...this.#possiblyRemoved]
    this.#possiblyRemoved.clear()
    try {
      for (const receiver of receivers) {
        if (await hasReceiver(this.#dependencies.channels, receiver)) continue
        await pruneDeliveries(this.#dependencies, receiver)
      }
    } catch (error) {
      for (const receiver of receivers) this.#possiblyRemoved.add(receiver)
      throw error
    }
  }
}

/**
 * Deletes finished deliveries, of all receivers or of one: those older than `RETENTION_MS`, those beyond
 * `MAX_KEPT_PER_RECEIVER`, and those of receivers that no longer exist. @throws {StoreUnavailableError}
 */
async function pruneDeliveries({ outbox, channels, now }: Dependencies, only?: ReceiverId): Promise<void> {
  const deliveries = await outbox.list(only === undefined ? {} : { receiver: only })
  const isOld = ({ updatedAt }: StoredDelivery) => Date.parse(updatedAt) + RETENTION_MS <= now()
  const pruned: string[] = []
  for (const [receiver, newestFirst] of finishedByReceiver(deliveries)) {
    const max = (await hasReceiver(channels, receiver)) ? MAX_KEPT_PER_RECEIVER : 0
    pruned.push(...newestFirst.filter((delivery, index) => index >= max || isOld(delivery)).map(({ _id }) => _id))
  }
  await outbox.deleteFinished(pruned)
}

const RETENTION_MS = 30 * DAY

/** Leaves room for `PRUNE_INTERVAL` more, so that a receiver never has more than the documented 1,000. */
const MAX_KEPT_PER_RECEIVER = 900

/** After how many finished deliveries a receiver is pruned. */
const PRUNE_INTERVAL = 100

/** Groups finished deliveries by receiver, newest first. */
function finishedByReceiver(deliveries: readonly StoredDelivery[]): Map<ReceiverId, StoredDelivery[]> {
  const groups = new Map<ReceiverId, StoredDelivery[]>()
  const finished = deliveries.filter(({ status }) => status !== 'pending')
  for (const delivery of finished.sort((one, other) => (one.updatedAt > other.updatedAt ? -1 : 1))) {
    const group = groups.get(delivery.receiver)
    if (group) group.push(delivery)
    else groups.set(delivery.receiver, [delivery])
  }
  return groups
}
