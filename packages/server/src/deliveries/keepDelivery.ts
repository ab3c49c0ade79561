import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import type { StoredDelivery } from '../store/resources.ts'
import { StoreUnavailableError } from '../store/store.ts'
import type { Backlog } from './backlog.ts'
import type { CourierPace } from './courierPace.ts'

interface Dependencies {
  readonly backlog: Backlog
  readonly log: Logger
  readonly pace: CourierPace
  /** Ends the waiting for a store that cannot write. */
  readonly cut: AbortSignal
}

/** Keeps how far a delivery is, and waits for a store that cannot write. If the server ends first, the next one finds it as it was before. */
export async function keepDelivery({ backlog, log, pace, cut }: Dependencies, delivery: StoredDelivery): Promise<void> {
  for (;;) {
    try {
      return await backlog.keep(delivery)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      if (cut.aborted) {
        log.warn({ delivery: delivery._id }, 'what became of a delivery could not be kept, so it will be made again')
        return
      }
      await wait(pace.storeRetryMs, undefined, { signal: cut, ref: false }).catch(() => {})
    }
  }
}
