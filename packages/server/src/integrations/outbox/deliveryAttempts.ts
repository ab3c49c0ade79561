import { setMaxListeners } from 'node:events'
import { inFlight, withDeadline } from '@burgee/kit'
import { MINUTE } from '../../lib/time.ts'
import { deliver } from './deliver.ts'
import type { DeliveryContext } from './deliveryContext.ts'
import type { OutboxMaintenance } from './maintenance.ts'
import type { DeliveryQueue, InFlightDelivery } from './queue/deliveryQueue.ts'
import { type PendingDelivery, toPendingDelivery } from './queue/partition.ts'

interface Dependencies extends Omit<DeliveryContext, 'shutdownSignal'> {
  readonly queue: DeliveryQueue
  readonly maintenance: OutboxMaintenance
}

/** Runs the attempts that the queue permits. */
export class DeliveryAttempts {
  readonly #dependencies: Dependencies
  readonly #context: DeliveryContext
  readonly #inFlight = inFlight()
  readonly #shutdown = new AbortController()
  #isClosed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#context = { ...dependencies, shutdownSignal: this.#shutdown.signal }
    // Every attempt in flight adds a listener.
    setMaxListeners(0, this.#shutdown.signal)
  }

  /** Starts every attempt that may be made now. Each one that ends starts the next. */
  startDue(): void {
    const { queue, now } = this.#dependencies
    while (!this.#isClosed) {
      const next = queue.next(now())
      if (!next) return
      void this.#inFlight.track(this.#run(next))
    }
  }

  /**
   * Starts no further attempts, and resolves when those in flight have ended. They are aborted after the grace period.
   */
  async drain(): Promise<void> {
    this.#isClosed = true
    await withDeadline(this.#dependencies.timings.graceMs, this.#inFlight.settled(), () => {})
    this.#shutdown.abort()
    await this.#inFlight.settled()
  }

  async #run(delivery: InFlightDelivery): Promise<void> {
    const { queue, now } = this.#dependencies
    const retry = await this.#attempt(delivery.pending)
    queue.finish(delivery, retry, now())
    this.startDue()
  }

  /** Returns the delivery if it is to be attempted again. */
  async #attempt(pending: PendingDelivery): Promise<PendingDelivery | undefined> {
    const { maintenance, now, log } = this.#dependencies
    const { delivery, position } = pending
    try {
      const updated = await deliver(this.#context, delivery)
      if (updated?.status === 'pending') return toPendingDelivery(updated, position)
      maintenance.noteFinished(delivery.receiver)
      return undefined
    } catch (error) {
      log.warn({ err: error, delivery: delivery._id }, 'a delivery failed inside the server; it will be retried')
      return { ...pending, dueAt: now() + INTERNAL_ERROR_DELAY_MS }
    }
  }
}

/** How long to wait after an attempt that failed inside the server. */
const INTERNAL_ERROR_DELAY_MS = MINUTE
