import { MINUTE } from '../../../lib/time.ts'
import { type EventStore, EventsUnavailableError } from '../eventStore.ts'
import { countEvaluations } from './countEvaluations.ts'
import { countUsers } from './countUsers.ts'
import type { AppendResult, EventStorage } from './eventStorage.ts'
import { findLastEvaluated } from './findLastEvaluated.ts'
import type { PayloadDeduplicator } from './payloadDeduplicator.ts'
import { readEventRecords } from './readEventRecords.ts'

/** The event store that has its entries in a home. `payloadIds` knows those that the home has already. */
export function createEventStore(
  home: EventStorage,
  payloadIds: PayloadDeduplicator,
  onAppend: (append: AppendResult) => void = () => {}
): EventStore {
  const revisions = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let closed: Promise<void> | undefined
  /** When the last entry could not be kept, while none could since. */
  let failed = Number.NEGATIVE_INFINITY
  return {
    since: home.since,
    append(entry) {
      if (closed !== undefined) return Promise.reject(new EventsUnavailableError('the event store is closed'))
      const { environment, payloadId, keyType, payloadDigest, at } = entry
      const begun = performance.now()
      let outcome: AppendResult['outcome'] = 'repeated'
      const add = async () => {
        outcome = 'failed'
        await home.add(entry)
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
    evaluations: (query) => countEvaluations(home, query),
    users: (query) => countUsers(home, query),
    lastEvaluated: (query) => findLastEvaluated(home, query),
    eventRecords: (query) => readEventRecords(home, query),
    revision: (environments) => environments.reduce((sum, environment) => sum + (revisions.get(environment) ?? 0), 0),
    // Nobody sends to a server that is not ready: it is not known for long whether the next entry could be kept.
    isWritable: () => performance.now() > failed + MINUTE,
    close() {
      // Whoever appended is told what became of it.
      closed ??= Promise.allSettled(underWay).then(() => home.close())
      return closed
    }
  }
}
