import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../lib/logger.ts'
import type { StoredDelivery } from '../../storage/resources.ts'
import { StoreUnavailableError } from '../../storage/store.ts'
import type { DeliveryTimings } from './deliveryTimings.ts'
import type { Outbox } from './outbox.ts'

interface Dependencies {
  readonly outbox: Outbox
  readonly log: Logger
  readonly timings: DeliveryTimings
  /** Ends the waiting for a store that cannot write. */
  readonly shutdownSignal: AbortSignal
}

/** Keeps how far a delivery is, and waits for a store that cannot write. If the server ends first, the next one finds it as it was before. */
export async function persistDelivery(
  { outbox, log, timings, shutdownSignal }: Dependencies,
  delivery: StoredDelivery
): Promise<void> {
  for (;;) {
    try {
      return await outbox.save(delivery)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      if (shutdownSignal.aborted) {
        log.warn({ delivery: delivery._id }, 'what became of a delivery could not be kept, so it will be made again')
        return
      }
      await wait(timings.storeRetryMs, undefined, { signal: shutdownSignal, ref: false }).catch(() => {})
    }
  }
}
