import { conflict } from '../errors.ts'
import type { StoredChangeRequest, StoredFeature } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/**
 * Which state a feature is in: the id of the newest audit entry that changed it, or its own id when there is none. A change
 * request names the state it was made from, and is applied to no other.
 */
export async function snapshotOf(store: Store, { _id }: StoredFeature): Promise<string> {
  const query = { where: { _feature: _id }, sortBy: 'sequence', sortOrder: 'desc' } as const
  const { items } = await store.collection('auditEntries').list(query)
  return items.find(({ changes }) => changes.some(({ type }) => !beside.test(type)))?._id ?? _id
}

/** What is told with a feature and does not change what it serves. */
const beside = /(MetricAssociation|IssueLink)$/

/** @throws {ApiError} 409 when the feature is not any more what a change request was made from. */
export async function demandUnchanged(
  store: Store,
  request: StoredChangeRequest,
  feature: StoredFeature
): Promise<void> {
  if ((await snapshotOf(store, feature)) === request._baseFeatureSnapshot) return
  throw conflict(
    `feature "${feature.key}" has changed since the change request was made: cancel it and make one from the feature as it is`
  )
}
