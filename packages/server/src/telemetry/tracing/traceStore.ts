import type { Store } from '../../storage/store.ts'
import type { Tracing } from './tracing.ts'

/** A store whose transactions are parts of the requests that they belong to, the time that they wait for others included. */
export function traceStore(store: Store, tracing: Pick<Tracing, 'childSpan'>): Store {
  return {
    collection: (name) => store.collection(name),
    transaction: (work) => tracing.childSpan('store transaction', () => store.transaction(work)),
    subscribe: (listener) => store.subscribe(listener),
    beforeCommit: (companion) => store.beforeCommit(companion),
    auditLog: () => store.auditLog(),
    isWritable: () => store.isWritable(),
    close: () => store.close()
  }
}
