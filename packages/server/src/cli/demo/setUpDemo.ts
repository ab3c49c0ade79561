import { createdChange } from '../../access/audit/changes.ts'
import { createEditRunner, type Edit } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { addFeature } from '../../flags/features/addFeature.ts'
import { addProject } from '../../flags/projects/addProject.ts'
import { updateProject } from '../../flags/projects/updateProject.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { DAY } from '../../lib/time.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { addDemoEvents } from './addDemoEvents.ts'
import { demoExperiment, demoFeatures, demoMetric, demoProject, demoSettings } from './demoProject.ts'

/** The keys of the demo project's production environment. */
export interface DemoKeys {
  readonly serverKey: string
  readonly clientKey: string
}

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly organization: StoredOrganization
  readonly eventStore: EventStore
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

/** Creates the project as if a team had worked on it for two months, with an experiment that has two weeks of events. */
async function createDemoProject({ store, ids, now, organization, eventStore }: Dependencies): Promise<void> {
  const start = now()
  const caller = serverCaller(organization.key)
  const [oldest, ...others] = demoFeatures(start)
  if (!oldest) return
  /** Makes a change in the past. */
  const editAt = (daysAgo: number) => createEditRunner({ store, ids, now: () => start - daysAgo * DAY })
  const project = await editAt(oldest.daysAgo)(caller, async (change) => {
    const added = await addProject(change, demoProject, ids)
    await addFeature(change, added, oldest.body)
    return updateProject(change, added, { settings: demoSettings }, { by: 'updateProtectedSettings' })
  })
  for (const { daysAgo, body } of others) {
    await editAt(daysAgo)(caller, async (change) => {
      const { state } = await addFeature(change, project, body)
      if (body.key === demoExperiment) await addMetric(change, project, state.feature)
    })
  }
  const experiment = await store.collection('features').get({ _project: project._id, key: demoExperiment })
  const production = await store.collection('environments').get({ _project: project._id, key: 'production' })
  if (experiment && production) await addDemoEvents(eventStore, { experiment, production, now: start })
}

/** Adds what the experiment measures. */
async function addMetric(change: Edit, { _id: _project }: StoredProject, feature: StoredFeature): Promise<void> {
  const { store, recordFields, recordChanges } = change
  const metric = await store.collection('metrics').insert({
    ...recordFields(),
    _project,
    source: 'api',
    countsFrom: 'firstExposure',
    ...demoMetric
  })
  const association = { ...recordFields(), _project, _metric: metric._id, _feature: feature._id }
  await store.collection('metricAssociations').insert(association)
  recordChanges({ _project }, [createdChange('Metric', metric), createdChange('MetricAssociation', association)])
}
