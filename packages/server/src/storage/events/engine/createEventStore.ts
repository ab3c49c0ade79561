import { inFlight } from '@burgee/kit'
import { randomIdGenerator } from '../../../lib/idGenerator.ts'
import { anonymousIdFor, concernsUser, userEventsOf } from '../erasure/replaceUser.ts'
import { type EventStore, EventsUnavailableError } from '../eventStore.ts'
import type { AppendResult, EventCounts, EventStorage } from './eventStorage.ts'
import type { PayloadDeduplicator } from './payloadDeduplicator.ts'
import { readEventRecords } from './readEventRecords.ts'
import { createWriteHealth } from './writeHealth.ts'

/** The parts of an event store. */
interface Parts {
  readonly storage: EventStorage
  readonly counts: EventCounts
  /**
   * The payload ids of the last hour in the storage; `undefined` if the storage itself recognizes repeated entries.
   */
  readonly payloadIds: PayloadDeduplicator | undefined
}

/** Creates an event store. */
export function createEventStore(
  { storage, counts, payloadIds }: Parts,
  onAppend: (append: AppendResult) => void = () => {},
  random: () => string = () => randomIdGenerator.id()
): EventStore {
  const revisions = new Map<string, number>()
  const appends = inFlight()
  let closed: Promise<void> | undefined
  const health = createWriteHealth(() => storage.probe())
  return {
    since: storage.since,
    append(entry) {
      if (closed !== undefined) return Promise.reject(new EventsUnavailableError('the event store is closed'))
      const { environment, payloadId, keyType, payloadDigest, at } = entry
      const startedAt = performance.now()
      let outcome: AppendResult['outcome'] = 'repeated'
      const add = async () => {
        outcome = 'failed'
        outcome = await storage.add(entry)
        health.noteSuccess()
        if (outcome === 'kept') revisions.set(environment, (revisions.get(environment) ?? 0) + 1)
      }
      const appending =
        payloadId === undefined || !payloadIds
          ? add()
          : payloadIds.once({ environment, payloadId, keyType, payloadDigest, at }, add)
      const finish = () => {
        if (outcome === 'failed') health.noteFailure()
        onAppend({ entry, outcome, seconds: (performance.now() - startedAt) / 1000 })
      }
      return appends.track(appending.finally(finish))
    },
    ...counts,
    completeSince: () => storage.completeSince(),
    daySizes: (range) => storage.daySizes(range),
    userTables: storage.userTables,
    eventRecords: (query) => readEventRecords(storage, query),
    async eraseUser(query) {
      if (closed !== undefined) throw new EventsUnavailableError('the event store is closed')
      const replacement = { ...query, replacement: anonymousIdFor(query.user_id, random()) }
      const erase = async () => {
        // Tables first: if the events cannot be rewritten, a repeated call finds the user there.
        await storage.userTables.replaceUser(replacement)
        const count = await storage.replaceUser(replacement)
        // A table that was computed meanwhile can contain the user.
        await storage.userTables.replaceUser(replacement)
        return count
      }
      const count = await appends.track(erase())
      for (const environment of query.environments) revisions.set(environment, (revisions.get(environment) ?? 0) + 1)
      return count
    },
    async *userEvents(query) {
      for await (const entry of storage.entriesOf(query)) {
        if (concernsUser(entry, query)) yield* userEventsOf(entry, query)
      }
    },
    revision: (environments) => {
      const own = environments.reduce((sum, environment) => sum + (revisions.get(environment) ?? 0), 0)
      return own + (storage.foreignRevision?.() ?? 0)
    },
    isWritable: health.isSound,
    close() {
      // Appends in progress finish first.
      closed ??= Promise.all([appends.settled(), health.close()]).then(() => storage.close())
      return closed
    }
  }
}
