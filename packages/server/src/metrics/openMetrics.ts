import type { Resources } from '../store/resources.ts'
import type { Match, Store } from '../store/store.ts'
import { liveEnvironments } from './liveEnvironments.ts'
import { createMetrics, type ServerMetrics } from './metrics.ts'
import type { Sizes } from './sizes.ts'

/** The metrics of a server: what its parts count, and what its store tells. */
export function openMetrics(store: Store, sizes: Pick<Sizes, 'configs' | 'streams'>): ServerMetrics {
  return createMetrics({
    ...sizes,
    isWritable: () => store.isWritable(),
    environments: () => liveEnvironments(store),
    pendingDeliveries: () => sizeOf(store, 'deliveries', { status: 'pending' }),
    outbox: () => sizeOf(store, 'outbox')
  })
}

async function sizeOf<K extends keyof Resources>(
  store: Store,
  name: K,
  where: Match<Resources[K]> = {}
): Promise<number> {
  const { count } = await store.collection(name).list({ where, perPage: 1 })
  return count
}
