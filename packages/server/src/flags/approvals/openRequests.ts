import type { StoredChangeRequest, StoredFeature } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** The change requests of a feature that wait for a review, the newest first. */
export function listPendingRequests(store: Store, feature: StoredFeature): Promise<readonly StoredChangeRequest[]> {
  return listRequests(store, feature, ['pending'])
}

/** The change request of a feature that waits for a review or to be applied, if there is one. */
export async function findOpenRequest(store: Store, feature: StoredFeature): Promise<StoredChangeRequest | undefined> {
  return (await listRequests(store, feature, ['pending', 'approved']))[0]
}

async function listRequests(
  store: Store,
  { _id: _feature }: StoredFeature,
  status: readonly StoredChangeRequest['status'][]
): Promise<readonly StoredChangeRequest[]> {
  const query = { where: { _feature }, oneOf: { status }, sortBy: 'createdAt', sortOrder: 'desc' } as const
  return (await store.collection('changeRequests').list(query)).items
}
