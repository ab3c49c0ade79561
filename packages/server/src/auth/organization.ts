import type { Ids } from '../id.ts'
import type { StoredOrganization } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** The organization of a store; a store without one gets the one its projects name already. */
export async function setUpOrganization(
  store: Store,
  { now, ids }: { readonly now: () => number; readonly ids: Ids }
): Promise<StoredOrganization> {
  const existing = await store.collection('organizations').get({})
  if (existing) return existing
  const project = await store.collection('projects').get({})
  const at = new Date(now()).toISOString()
  return store.collection('organizations').insert({
    _id: ids.id(),
    createdAt: at,
    updatedAt: at,
    key: project?._organization ?? `org_${ids.id()}`,
    name: 'burgee',
    displayName: 'Burgee'
  })
}
