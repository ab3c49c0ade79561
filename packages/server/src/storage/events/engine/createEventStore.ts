import { MINUTE } from '../../../lib/time.ts'
import { type EventStore, EventsUnavailableError } from '../eventStore.ts'
import { countEvaluations } from './countEvaluations.ts'
import { countUsers } from './countUsers.ts'
import type { AppendResult, EventStorage } from './eventStorage.ts'
import { findLastEvaluated } from './findLastEvaluated.ts'
import type { PayloadDeduplicator } from './payloadDeduplicator.ts'
import { readEventRecords } from './readEventRecords.ts'

/** Creates an event store. `payloadIds` has the recent ids of the entries in the storage. */
export function createEventStore(
  storage: EventStorage,
  payloadIds: PayloadDeduplicator,
  onAppend: (append: AppendResult) => void = () => {}
): EventStore {
  const revisions = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let closed: Promise<void> | undefined
  /** When an append last failed, if none has succeeded since. */
  let failed = Number.NEGATIVE_INFINITY
  return {
    since: storage.since,
    append(entry) {
      if (closed !== undefined) return Promise.reject(new EventsUnavailableError('the event store is closed'))
      const { environment, payloadId, keyType, payloadDigest, at } = entry
      const begun = performance.now()
      let outcome: AppendResult['outcome'] = 'repeated'
      const add = async () => {
        outcome = 'failed'
        await storage.add(entry)
        outcome = 'kept'
        failed = Number.NEGATIVE_INFINITY
        revisions.set(environment, (revisions.get(environment) ?? 0) + 1)
      }
      const appending =
        payloadId === undefined ? add() : payloadIds.once({ environment, payloadId, keyType, payloadDigest, at }, add)
      underWay.add(appending)
      const end = () => {
        underWay.delete(appending)
        if (outcome === 'failed') failed = performance.now()
        onAppend({ entry, outcome, seconds: (performance.now() - begun) / 1000 })
      }
      appending.then(end, end)
      return appending
    },
    evaluations: (query) => countEvaluations(storage, query),
    users: (query) => countUsers(storage, query),
    lastEvaluated: (query) => findLastEvaluated(storage, query),
    eventRecords: (query) => readEventRecords(storage, query),
    revision: (environments) => environments.reduce((sum, environment) => sum + (revisions.get(environment) ?? 0), 0),
    isWritable: () => performance.now() > failed + MINUTE,
    close() {
      // Appends under way are answered first.
      closed ??= Promise.allSettled(underWay).then(() => storage.close())
      return closed
    }
  }
}
