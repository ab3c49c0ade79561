import type { Store } from '../store/store.ts'
import type { Tracing } from './tracing.ts'

/** A store whose transactions are parts of the requests that they belong to, the time that they wait for others included. */
export function tracedStore(store: Store, tracing: Pick<Tracing, 'part'>): Store {
  return {
    collection: (name) => store.collection(name),
    transaction: (work) => tracing.part('store transaction', () => store.transaction(work)),
    subscribe: (listener) => store.subscribe(listener),
    accompany: (companion) => store.accompany(companion),
    auditLog: () => store.auditLog(),
    isWritable: () => store.isWritable(),
    close: () => store.close()
  }
}
