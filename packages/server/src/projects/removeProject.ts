import { dropGrants } from '../access/dropGrants.ts'
import { removeAll } from '../store/removeAll.ts'
import type { history, Resources, StoredProject, userData } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** Removes a project, everything in it but for the history, and the roles that anybody has in it. What is kept about its users is apart: `forgetUsers` is for that. */
export async function removeProject(store: Store, { _id }: StoredProject): Promise<void> {
  // The record has the names of these collections and no others.
  for (const name of Object.keys(contents) as Content[]) await removeAll(store, name, { _project: _id })
  await dropGrants(store, _id)
  await store.collection('projects').remove(_id)
}

/** The collections whose items are in a project, apart from what is kept about users and the history. */
type Content = Exclude<
  { [K in keyof Resources]: '_project' extends keyof Resources[K] ? K : never }[keyof Resources],
  (typeof userData)[number] | (typeof history)[number]
>

/** Demanded by the compiler, one by one: a new collection cannot be forgotten. */
const contents: { readonly [K in Content]: true } = {
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
