import { every } from '@burgee/kit'
import { toIsoString } from '../../lib/time.ts'
import { StoreUnavailableError } from '../../storage/store.ts'
import type { DeliveryDependencies } from './deliveryContext.ts'
import { type DeliveryWorker, openDeliveryWorker } from './deliveryWorker.ts'
import { Outbox, writeOutboxMessages } from './outbox.ts'

interface Dependencies extends DeliveryDependencies {
  /** Does work on one server at a time. */
  readonly runExclusively: (name: string, start: () => Promise<() => Promise<void>>) => Promise<() => Promise<void>>
}

/** Deliveries on a store that several servers share. */
export type SharedDeliveries = Pick<DeliveryWorker, 'redeliver' | 'withNextAttempt' | 'close'>

/** Writes messages about the changes of this server, and delivers those of all servers if no other server does. */
export async function openSharedDeliveries({
  runExclusively,
  ...dependencies
}: Dependencies): Promise<SharedDeliveries> {
  const { store, now, log, channels } = dependencies
  let worker: DeliveryWorker | undefined
  const stopMessages = writeOutboxMessages(store, channels)
  const onError = (error: unknown) => {
    // The store itself reports that it is not available, once.
    const level = error instanceof StoreUnavailableError ? 'debug' : 'warn'
    log[level]({ err: error }, 'reopened deliveries could not be read; retrying')
  }
  const stopDelivering = await runExclusively('deliveries', async () => {
    const opened = await openDeliveryWorker(dependencies)
    worker = opened
    const adopting = every(ADOPT_MS, opened.adopt, { onError })
    return async () => {
      worker = undefined
      await adopting.stop()
      await opened.close()
    }
  })
  const outbox = new Outbox(store)
  return {
    redeliver: async (_id) => {
      if (worker) return worker.redeliver(_id)
      // The server that delivers finds it within two seconds.
      const [existing] = await outbox.list({ _id })
      if (!existing) return undefined
      if (existing.status === 'pending') return 'in-flight'
      return outbox.reopen(existing, toIsoString(now()))
    },
    withNextAttempt: (delivery) => worker?.withNextAttempt(delivery) ?? delivery,
    close: async () => {
      stopMessages()
      await stopDelivering()
    }
  }
}

const ADOPT_MS = 2_000
