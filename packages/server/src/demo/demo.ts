import type { Ids } from '../id.ts'
import type { Store } from '../store/store.ts'
import { demoProject } from './project.ts'

/** The keys of the demo project's production environment. */
export interface Demo {
  readonly serverKey: string
  readonly clientKey: string
}

/** Sets up the demo project in a store that has no project yet; otherwise finds it again. Undefined when the store holds other projects only. */
export async function setUpDemo(
  store: Store,
  { now, ids }: { readonly now: () => number; readonly ids: Ids }
): Promise<Demo | undefined> {
  const { count } = await store.collection('projects').list({ perPage: 1 })
  if (count === 0) {
    const { project, environments, features, configurations, variables } = demoProject(now(), ids)
    await store.transaction(async (transaction) => {
      await transaction.collection('projects').insert(project)
      for (const environment of environments) await transaction.collection('environments').insert(environment)
      for (const variable of variables) await transaction.collection('variables').insert(variable)
      for (const feature of features) await transaction.collection('features').insert(feature)
      for (const configuration of configurations) await transaction.collection('configurations').insert(configuration)
    })
  }
  const project = await store.collection('projects').get({ key: 'demo' })
  const production =
    project && (await store.collection('environments').get({ _project: project._id, key: 'production' }))
  const serverKey = production?.sdkKeys.server.at(-1)?.key
  const clientKey = production?.sdkKeys.client.at(-1)?.key
  return serverKey && clientKey ? { serverKey, clientKey } : undefined
}
