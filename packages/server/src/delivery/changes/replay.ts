import { DAY, toIsoString } from '../../lib/time.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'

/** The largest number of entries that are replayed. */
export const MAX_REPLAYED = 1_000

/** Where a stream of a project continues. */
interface ReplayStart {
  readonly project: string
  /** The id of the last entry that the client received. */
  readonly lastEventId: string
  readonly now: number
}

/**
 * Lists the entries after the last one of a client; `undefined` if it is unknown or too old, or if they are too many.
 */
export async function findMissedEntries(
  store: Store,
  { project: _project, lastEventId, now }: ReplayStart
): Promise<readonly StoredAuditEntry[] | undefined> {
  const entries = store.collection('auditEntries')
  const last = await entries.get({ _id: lastEventId, _project })
  const { position = 0, createdAt = '' } = last ?? {}
  const moment = Date.parse(createdAt)
  if (position === 0 || moment < now - DAY) return undefined
  // A day earlier, in case the clock was set back; positions decide.
  const between = { member: 'createdAt', from: toIsoString(moment - DAY) } as const
  const missed: StoredAuditEntry[] = []
  for await (const entry of entries.scan({ where: { _project }, between, sortBy: 'position', sortOrder: 'desc' })) {
    if ((entry.position ?? 0) <= position) break
    if (missed.push(entry) > MAX_REPLAYED) return undefined
  }
  return missed.reverse()
}

/** Returns the id of the last entry of a project. */
export async function findLatestEntryId(store: Store, _project: string): Promise<string | undefined> {
  const order = { sortBy: 'position', thenBy: 'createdAt', sortOrder: 'desc', missing: 'lowest' } as const
  const { items } = await store.collection('auditEntries').list({ where: { _project }, ...order, perPage: 1 })
  return items[0]?._id
}
