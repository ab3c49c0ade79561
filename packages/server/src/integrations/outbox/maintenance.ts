import { every, type PeriodicJob } from '@burgee/kit'
import type { Logger } from '../../lib/logger.ts'
import { DAY } from '../../lib/time.ts'
import type { ReceiverId } from '../../storage/resources.ts'
import { StoreUnavailableError } from '../../storage/store.ts'
import { type DeliveryChannels, hasReceiver } from './deliveryChannel.ts'
import type { DeliveryTimings } from './deliveryTimings.ts'
import type { Outbox } from './outbox.ts'
import { PRUNE_INTERVAL, pruneDeliveries } from './pruneDeliveries.ts'

interface Dependencies {
  readonly outbox: Outbox
  readonly channels: DeliveryChannels
  readonly now: () => number
  readonly log: Logger
  readonly timings: DeliveryTimings
}

/** What is done for many deliveries at once, and later: emptying the outbox, and forgetting what is old. */
export class OutboxMaintenance {
  readonly #dependencies: Dependencies
  /** How many deliveries of each receiver were settled since it was looked at. */
  readonly #settled = new Map<ReceiverId, number>()
  /** Those that may be gone with something left of them. */
  readonly #doubtful = new Set<ReceiverId>()
  readonly #job: PeriodicJob
  #forgotAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#job = every(dependencies.timings.flushMs, () => this.#work(), {
      onError: (error) => this.#warn(error)
    })
  }

  /** Takes in that a delivery was settled. */
  noteFinished(receiver: ReceiverId): void {
    this.#settled.set(receiver, (this.#settled.get(receiver) ?? 0) + 1)
    this.#doubtful.add(receiver)
  }

  /** Takes in that a receiver is told nothing any more, as one that is gone. */
  noteRemoved(receiver: ReceiverId): void {
    this.#doubtful.add(receiver)
  }

  /** Empties the outbox for the last time. */
  async close(): Promise<void> {
    await this.#job.stop()
    await this.#work().catch((error) => this.#warn(error))
  }

  /** Does what is due. What the store refuses is tried again in the next round. */
  async #work(): Promise<void> {
    const { outbox, now } = this.#dependencies
    await outbox.flush()
    if (now() - this.#forgotAt >= DAY) {
      await pruneDeliveries(this.#dependencies)
      this.#forgotAt = now()
    }
    await this.#forgetMany()
    await this.#forgetGone()
  }

  #warn(error: unknown): void {
    // The store itself logs that it cannot write.
    if (error instanceof StoreUnavailableError) return
    this.#dependencies.log.warn({ err: error }, 'maintenance of deliveries failed')
  }

  async #forgetMany(): Promise<void> {
    for (const [receiver, count] of this.#settled) {
      if (count < PRUNE_INTERVAL) continue
      // Before the work: what is noted meanwhile is for the next round.
      this.#settled.delete(receiver)
      await pruneDeliveries(this.#dependencies, receiver)
    }
  }

  /** What a receiver was told has names of people in it, and is nobody's once the receiver is gone. */
  async #forgetGone(): Promise<void> {
    const doubtful = [...this.#doubtful]
    this.#doubtful.clear()
    try {
      for (const receiver of doubtful) {
        if (!(await hasReceiver(this.#dependencies.channels, receiver)))
          await pruneDeliveries(this.#dependencies, receiver)
      }
    } catch (error) {
      for (const receiver of doubtful) this.#doubtful.add(receiver)
      throw error
    }
  }
}
