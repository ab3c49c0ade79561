import { serverCaller } from '../access/serverCaller.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { addFeature } from '../features/addFeature.ts'
import type { Ids } from '../id.ts'
import { addProject } from '../projects/addProject.ts'
import type { StoredOrganization } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { demoFeatures, demoProject } from './project.ts'

/** The keys of the demo project's production environment. */
export interface Demo {
  readonly serverKey: string
  readonly clientKey: string
}

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly now: () => number
  readonly organization: StoredOrganization
}

/** Sets up the demo project in a store that has no project yet; otherwise finds it again. Undefined when the store holds other projects only. */
export async function setUpDemo(dependencies: Dependencies): Promise<Demo | undefined> {
  const { store } = dependencies
  const { count } = await store.collection('projects').list({ perPage: 1 })
  if (count === 0) await makeDemo(dependencies)
  const project = await store.collection('projects').get({ key: demoProject.key })
  const production =
    project && (await store.collection('environments').get({ _project: project._id, key: 'production' }))
  const serverKey = production?.sdkKeys.server.at(-1)?.key
  const clientKey = production?.sdkKeys.client.at(-1)?.key
  return serverKey && clientKey ? { serverKey, clientKey } : undefined
}

/** Makes it as requests would, and all of it at once. */
function makeDemo({ edit, ids, now, organization }: Dependencies): Promise<void> {
  return edit(serverCaller(organization.key), async (change) => {
    const project = await addProject(change, demoProject, ids)
    for (const feature of demoFeatures(now())) await addFeature(change, project, feature)
  })
}
