import { removeProjectGrants } from '../../access/permissions/removeProjectGrants.ts'
import { removeAll } from '../../storage/removeAll.ts'
import type { historyCollections, Resources, userDataCollections } from '../../storage/resources/collections.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Removes a project with its resources and role grants, except for the audit log. User data is removed separately, by
 * `deleteUserData`.
 */
export async function removeProject(store: Store, { _id }: StoredProject): Promise<void> {
  // The record has the names of these collections and no others.
  for (const name of Object.keys(projectCollections) as ProjectCollection[])
    await removeAll(store, name, { _project: _id })
  await removeProjectGrants(store, _id)
  await store.collection('projects').remove(_id)
}

/** The collections with items of projects, except user data and history. */
type ProjectCollection = Exclude<
  { [K in keyof Resources]: '_project' extends keyof Resources[K] ? K : never }[keyof Resources],
  (typeof userDataCollections)[number] | (typeof historyCollections)[number]
>

/** The type requires every collection, so that a new one cannot be forgotten. */
const projectCollections: { readonly [K in ProjectCollection]: true } = {
  environments: true,
  features: true,
  configurations: true,
  variables: true,
  audiences: true,
  customProperties: true,
  codeScans: true,
  metrics: true,
  metricAssociations: true,
  profiles: true,
  overrides: true,
  webhooks: true,
  outbox: true,
  issueTrackers: true,
  issueLinks: true,
  changeRequests: true
}
