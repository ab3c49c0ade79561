import type { IdGenerator } from '../../lib/idGenerator.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Returns the oldest organization of a store. Creates one if there is none, with the key that existing projects name.
 */
export async function ensureOrganization(
  store: Store,
  { now, ids }: { readonly now: () => number; readonly ids: IdGenerator }
): Promise<StoredOrganization> {
  const [existing] = (await store.collection('organizations').list({ sortBy: 'createdAt', perPage: 1 })).items
  if (existing) return existing
  const project = await store.collection('projects').get({})
  return store.collection('organizations').insert({
    ...newRecordFields(now(), ids),
    key: project?._organization ?? `org_${ids.id()}`,
    name: 'burgee',
    displayName: 'Burgee',
    settings: { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] } }
  })
}
