import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE } from '../../lib/time.ts'
import { type DeliveryContext, deliver } from './deliver.ts'
import type { OutboxMaintenance } from './maintenance.ts'
import type { DeliveryQueue, InFlightDelivery } from './queue/deliveryQueue.ts'
import { type PendingDelivery, toPendingDelivery } from './queue/partition.ts'

interface Dependencies extends Omit<DeliveryContext, 'shutdownSignal'> {
  readonly queue: DeliveryQueue
  readonly maintenance: OutboxMaintenance
}

/** The attempts that are under way. */
export class DeliveryAttempts {
  readonly #dependencies: Dependencies
  readonly #delivering: DeliveryContext
  readonly #underWay = new Set<Promise<void>>()
  readonly #cut = new AbortController()
  #isEnded = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#delivering = { ...dependencies, shutdownSignal: this.#cut.signal }
    // Each attempt under way listens to it.
    setMaxListeners(0, this.#cut.signal)
  }

  /** Begins everything that may be tried now; one that is over begins the next. */
  startDue(): void {
    const { queue, now } = this.#dependencies
    while (!this.#isEnded) {
      const running = queue.next(now())
      if (!running) return
      const attempt: Promise<void> = this.#attempt(running).finally(() => this.#underWay.delete(attempt))
      this.#underWay.add(attempt)
    }
  }

  /** Begins no more. Attempts that take longer than a moment are cut off. */
  async drain(): Promise<void> {
    this.#isEnded = true
    const { signal } = this.#cut
    const grace = wait(this.#dependencies.timings.graceMs, undefined, { signal }).catch(() => {})
    await Promise.race([Promise.all(this.#underWay), grace])
    this.#cut.abort()
    await Promise.all(this.#underWay)
  }

  async #attempt(running: InFlightDelivery): Promise<void> {
    const { queue, now } = this.#dependencies
    const again = await this.#tryOnce(running.pending)
    queue.finish(running, again, now())
    this.startDue()
  }

  async #tryOnce(waiting: PendingDelivery): Promise<PendingDelivery | undefined> {
    const { maintenance, now, log } = this.#dependencies
    const { delivery, position } = waiting
    try {
      const after = await deliver(this.#delivering, delivery)
      if (after?.status === 'pending') return toPendingDelivery(after, position)
      maintenance.noteFinished(delivery.receiver)
      return undefined
    } catch (error) {
      log.warn({ err: error, delivery: delivery._id }, 'the server failed to deliver; it will try again')
      return { ...waiting, dueAt: now() + FAILURE_DELAY_MS }
    }
  }
}

/** How long a delivery rests that the server failed at, in milliseconds. */
const FAILURE_DELAY_MS = MINUTE
