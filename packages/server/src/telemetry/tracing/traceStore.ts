import type { Store } from '../../storage/store.ts'
import type { Tracing } from './tracing.ts'

/** Traces transactions as child spans of their requests, including the time they wait for other transactions. */
export function traceStore(store: Store, tracing: Pick<Tracing, 'childSpan'>): Store {
  return {
    collection: (name) => store.collection(name),
    transaction: (work) => tracing.childSpan('store transaction', () => store.transaction(work)),
    subscribe: (listener) => store.subscribe(listener),
    beforeCommit: (hook) => store.beforeCommit(hook),
    auditLog: () => store.auditLog(),
    purgeUserData: () => store.purgeUserData(),
    isWritable: () => store.isWritable(),
    close: () => store.close()
  }
}
