import type { StoredChangeRequest, StoredFeature } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** The change requests of a feature that wait for a review, the newest first. */
export function pendingRequests(store: Store, feature: StoredFeature): Promise<readonly StoredChangeRequest[]> {
  return requestsOf(store, feature, ['pending'])
}

/** The change request of a feature that waits for a review or to be applied, if there is one. */
export async function openRequest(store: Store, feature: StoredFeature): Promise<StoredChangeRequest | undefined> {
  return (await requestsOf(store, feature, ['pending', 'approved']))[0]
}

async function requestsOf(
  store: Store,
  { _id: _feature }: StoredFeature,
  status: readonly StoredChangeRequest['status'][]
): Promise<readonly StoredChangeRequest[]> {
  const query = { where: { _feature }, oneOf: { status }, sortBy: 'createdAt', sortOrder: 'desc' } as const
  return (await store.collection('changeRequests').list(query)).items
}
