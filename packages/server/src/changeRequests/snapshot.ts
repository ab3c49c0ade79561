import { callOf } from '../approval/callOf.ts'
import type { Subject } from '../approval/subject.ts'
import { conflict } from '../errors.ts'
import type { StoredAuditEntry, StoredChangeRequest, StoredFeature } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/**
 * Which state a feature is in: the id of the newest audit entry that changed it, or its own id when there is none. A change
 * request names the state it was made from, and is applied to no other.
 */
export async function snapshotOf(store: Store, feature: StoredFeature): Promise<string> {
  const [newest] = await entriesThatChanged(store, feature)
  return newest?._id ?? feature._id
}

/**
 * Demands that a feature is still what a change request was made from.
 * @throws {ApiError} 409 that says what has changed since.
 */
export async function demandUnchanged(store: Store, { project, feature, request }: Subject): Promise<void> {
  const since = await entriesSince(store, feature, request._baseFeatureSnapshot)
  if (since.length === 0) return
  const rebase = callOf('rebaseChangeRequest', { project: project.key, feature: feature.key, id: request._id })
  throw conflict(
    `feature "${feature.key}" has changed since the change request was made: ${told(since)}. ${rebase} bases it on the feature as it is`,
    'ERR_FEATURE_CHANGED'
  )
}

/**
 * Demands that a feature is not any more what a change request was made from, or that it would become something else.
 * @throws {ApiError} 409
 */
export async function demandChanged(
  store: Store,
  { feature, request }: Subject,
  present: Pick<StoredChangeRequest, 'effect'>
): Promise<void> {
  if (present.effect !== request.effect) return
  const since = await entriesSince(store, feature, request._baseFeatureSnapshot)
  if (since.length > 0) return
  throw conflict(
    `feature "${feature.key}" has not changed since the change request was made: there is nothing to rebase it on`,
    'ERR_FEATURE_UNCHANGED'
  )
}

/** The entries that changed a feature after one of its states, the newest first. */
async function entriesSince(
  store: Store,
  feature: StoredFeature,
  snapshot: string
): Promise<readonly StoredAuditEntry[]> {
  const entries = await entriesThatChanged(store, feature)
  const index = entries.findIndex(({ _id }) => _id === snapshot)
  return index < 0 ? entries : entries.slice(0, index)
}

async function entriesThatChanged(store: Store, { _id }: StoredFeature): Promise<readonly StoredAuditEntry[]> {
  const query = { where: { _feature: _id }, sortBy: 'sequence', sortOrder: 'desc' } as const
  const { items } = await store.collection('auditEntries').list(query)
  return items.filter(({ changes }) => changes.some(({ type }) => !beside.test(type)))
}

/** What is told with a feature and does not change what it serves. */
const beside = /(MetricAssociation|IssueLink)$/

/** What the newest of these entries are: the kinds of change, by whom and when. */
function told(entries: readonly StoredAuditEntry[]): string {
  const shown = entries.slice(0, SHOWN).map(({ changes, idp_user, createdAt }) => {
    return `${[...new Set(changes.map(({ type }) => type))].join(', ')} by ${idp_user} at ${createdAt}`
  })
  const rest = entries.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more before`] : [])].join('; ')
}

const SHOWN = 5
