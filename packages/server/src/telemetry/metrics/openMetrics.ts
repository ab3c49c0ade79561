import type { Resources } from '../../storage/resources.ts'
import type { ItemMatch, Store } from '../../storage/store.ts'
import type { GaugeSources } from './gauges.ts'
import { listLiveEnvironments } from './listLiveEnvironments.ts'
import { createMetrics, type ServerMetrics } from './metrics.ts'

/** Creates the metrics of a server from its counters and its store. */
export function openMetrics(store: Store, sizes: Pick<GaugeSources, 'configs' | 'streams'>): ServerMetrics {
  return createMetrics({
    ...sizes,
    isWritable: () => store.isWritable(),
    environments: () => listLiveEnvironments(store),
    pendingDeliveries: () => sizeOf(store, 'deliveries', { status: 'pending' }),
    outbox: () => sizeOf(store, 'outbox')
  })
}

async function sizeOf<K extends keyof Resources>(
  store: Store,
  name: K,
  where: ItemMatch<Resources[K]> = {}
): Promise<number> {
  const { count } = await store.collection(name).list({ where, perPage: 1 })
  return count
}
