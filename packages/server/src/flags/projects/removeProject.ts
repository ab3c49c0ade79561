import { removeProjectGrants } from '../../access/permissions/removeProjectGrants.ts'
import { removeAll } from '../../storage/removeAll.ts'
import type { historyCollections, Resources, StoredProject, userDataCollections } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** Removes a project, everything in it but for the history, and the roles that anybody has in it. What is kept about its users is apart: `forgetUsers` is for that. */
export async function removeProject(store: Store, { _id }: StoredProject): Promise<void> {
  // The record has the names of these collections and no others.
  for (const name of Object.keys(projectCollections) as ProjectCollection[])
    await removeAll(store, name, { _project: _id })
  await removeProjectGrants(store, _id)
  await store.collection('projects').remove(_id)
}

/** The collections whose items are in a project, apart from what is kept about users and the history. */
type ProjectCollection = Exclude<
  { [K in keyof Resources]: '_project' extends keyof Resources[K] ? K : never }[keyof Resources],
  (typeof userDataCollections)[number] | (typeof historyCollections)[number]
>

/** Demanded by the compiler, one by one: a new collection cannot be forgotten. */
const projectCollections: { readonly [K in ProjectCollection]: true } = {
  environments: true,
  features: true,
  configurations: true,
  variables: true,
  audiences: true,
  customProperties: true,
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
