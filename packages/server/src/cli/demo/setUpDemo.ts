import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { addFeature } from '../../flags/features/addFeature.ts'
import { addProject } from '../../flags/projects/addProject.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { demoFeatures, demoProject } from './demoProject.ts'

/** The keys of the demo project's production environment. */
export interface DemoKeys {
  readonly serverKey: string
  readonly clientKey: string
}

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly organization: StoredOrganization
}

/**
 * Creates the demo project in a store without projects. Returns its keys, or `undefined` if the store has only other
 * projects, regardless of their keys.
 */
export async function setUpDemo(dependencies: Dependencies): Promise<DemoKeys | undefined> {
  const { store } = dependencies
  const { count } = await store.collection('projects').list({ perPage: 1 })
  if (count === 0) await createDemoProject(dependencies)
  const { id: _createdBy } = serverCaller(dependencies.organization.key)
  const project = await store.collection('projects').get({ key: demoProject.key, _createdBy })
  const production =
    project && (await store.collection('environments').get({ _project: project._id, key: 'production' }))
  const serverKey = production?.sdkKeys.server.at(-1)?.key
  const clientKey = production?.sdkKeys.client.at(-1)?.key
  return serverKey && clientKey ? { serverKey, clientKey } : undefined
}

/** Creates the project and its features in one transaction. */
function createDemoProject({ edit, ids, now, organization }: Dependencies): Promise<void> {
  return edit(serverCaller(organization.key), async (change) => {
    const project = await addProject(change, demoProject, ids)
    for (const feature of demoFeatures(now())) await addFeature(change, project, feature)
  })
}
