import { MINUTE } from '../duration.ts'
import { evaluationsIn } from './evaluationsIn.ts'
import { type EventStore, EventsUnavailableError } from './eventStore.ts'
import type { Append, Home } from './home.ts'
import { lastEvaluatedIn } from './lastEvaluatedIn.ts'
import { occurrencesIn } from './occurrencesIn.ts'
import type { PayloadIds } from './payloadIds.ts'
import { usersIn } from './usersIn.ts'

/** The event store that has its entries in a home. `payloadIds` knows those that the home has already. */
export function eventStoreOn(
  home: Home,
  payloadIds: PayloadIds,
  onAppend: (append: Append) => void = () => {}
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
      let outcome: Append['outcome'] = 'repeated'
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
    evaluations: (query) => evaluationsIn(home, query),
    users: (query) => usersIn(home, query),
    lastEvaluated: (query) => lastEvaluatedIn(home, query),
    occurrences: (query) => occurrencesIn(home, query),
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
