import { countExpiring } from '../../flags/expiry/listExpiring.ts'
import type { Resources } from '../../storage/resources/collections.ts'
import type { ItemMatch, Store } from '../../storage/store.ts'
import type { GaugeSources } from './gauges.ts'
import { listLiveEnvironments } from './listLiveEnvironments.ts'
import { createMetrics, type ServerMetrics } from './metrics.ts'
import type { WorkerSources } from './workerMetrics.ts'

interface ExpiryOptions {
  readonly now: () => number
  /** The number of days before its expiry from which a key or client counts as expiring. */
  readonly expiryWarningDays: number
}

/** Creates the metrics of a server from its counters and its store. */
export function openMetrics(
  store: Store,
  { now, expiryWarningDays, ...sources }: Pick<GaugeSources, 'configs' | 'streams'> & ExpiryOptions,
  workers?: WorkerSources
): ServerMetrics {
  const gauges: GaugeSources = {
    ...sources,
    isWritable: () => store.isWritable(),
    environments: () => listLiveEnvironments(store),
    expiring: () => countExpiring(store, now(), expiryWarningDays),
    pendingDeliveries: () => countItems(store, 'deliveries', { status: 'pending' }),
    outbox: () => countItems(store, 'outbox')
  }
  return createMetrics(gauges, workers)
}

async function countItems<K extends keyof Resources>(
  store: Store,
  name: K,
  where: ItemMatch<Resources[K]> = {}
): Promise<number> {
  const { count } = await store.collection(name).list({ where, perPage: 1 })
  return count
}
