import type { Ids } from '../id.ts'
import { stampsAt } from '../stamps.ts'
import type { StoredOrganization } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** The organization of a store, the oldest where there are several; a store without one gets the one its projects name already. */
export async function setUpOrganization(
  store: Store,
  { now, ids }: { readonly now: () => number; readonly ids: Ids }
): Promise<StoredOrganization> {
  const [existing] = (await store.collection('organizations').list({ sortBy: 'createdAt', perPage: 1 })).items
  if (existing) return existing
  const project = await store.collection('projects').get({})
  return store.collection('organizations').insert({
    ...stampsAt(now(), ids),
    key: project?._organization ?? `org_${ids.id()}`,
    name: 'burgee',
    displayName: 'Burgee',
    settings: { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] } }
  })
}
