import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'

/** Returns the pending change requests of a feature, the newest first. */
export function listPendingRequests(store: Store, feature: StoredFeature): Promise<readonly StoredChangeRequest[]> {
  return listRequests(store, feature, ['pending'])
}

/** Finds the pending or approved change request of a feature. */
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

/** Returns the pending and approved change requests of a project, those of its features included. */
export async function listOpenRequests(store: Store, _project: string): Promise<readonly StoredChangeRequest[]> {
  const query = { where: { _project }, oneOf: { status: ['pending', 'approved'] } } as const
  return (await store.collection('changeRequests').list(query)).items
}
