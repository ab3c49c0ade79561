import type { Logger } from '../lib/logger.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from './metrics/metrics.ts'

/** Logs and counts change requests that were applied in an emergency. Returns a function that stops reporting. */
export function reportEmergencies(
  store: Store,
  { log, metrics }: { readonly log: Logger; readonly metrics: Pick<ServerMetrics, 'emergencies'> }
): () => void {
  return store.subscribe(({ writes }) => {
    for (const { collection, before, after } of writes) {
      if (collection !== 'auditEntries' || before || !after) continue
      for (const { type, newContents } of after.changes) {
        if (type !== 'appliedInEmergency') continue
        metrics.emergencies.inc()
        const { _id: auditEntry, idp_user, _project: project } = after
        log.warn({ ...newContents, auditEntry, idp_user, project }, 'a change request was applied in an emergency')
      }
    }
  })
}
