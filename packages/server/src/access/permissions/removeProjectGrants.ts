import type { StoredGrant } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Removes all grants in a deleted project. */
export async function removeProjectGrants(store: Store, _project: string): Promise<void> {
  const isElsewhere = (grant: Pick<StoredGrant, '_project'>) => grant._project !== _project
  for (const { _id, roles } of (await store.collection('users').list()).items) {
    if (!roles.every(isElsewhere)) await store.collection('users').update(_id, { roles: roles.filter(isElsewhere) })
  }
  for (const { _id, roles } of (await store.collection('clients').list()).items) {
    // A client without a `roles` member has full access; a client with an empty list has none.
    if (!roles || roles.every(isElsewhere)) continue
    await store.collection('clients').update(_id, { roles: roles.filter(isElsewhere) })
  }
  for (const { _id, grants } of (await store.collection('workloadTrusts').list()).items) {
    const _projects = grants._projects.filter((id) => id !== _project)
    if (_projects.length === grants._projects.length) continue
    await store.collection('workloadTrusts').update(_id, { grants: { ...grants, _projects } })
  }
  for (const { _id, settings } of (await store.collection('organizations').list()).items) {
    const { groups, ...permissions } = settings.permissions
    if (groups.every(isElsewhere)) continue
    const kept = { ...permissions, groups: groups.filter(isElsewhere) }
    await store.collection('organizations').update(_id, { settings: { ...settings, permissions: kept } })
  }
}
