import { createdChange } from '../../access/audit/changes.ts'
import { createEditRunner, type Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { updateEnvironment } from '../../flags/environments/updateEnvironment.ts'
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
import { addDemoApprovals, requestDemoChange } from './demoApprovals.ts'
import { addDemoPeople } from './demoPeople.ts'
import { demoColors, demoExperiment, demoFeatures, demoMetric, demoProject, demoSettings } from './demoProject.ts'

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
  readonly validate: ParseBody
}

/**
 * Creates the demo projects in a store without projects. Returns the keys of the first one, or `undefined` if the store
 * has only other projects, regardless of their keys.
 */
export async function setUpDemo(dependencies: Dependencies): Promise<DemoKeys | undefined> {
  const { store } = dependencies
  const { count } = await store.collection('projects').list({ perPage: 1 })
  if (count === 0) await createDemoProjects(dependencies)
  const { id: _createdBy } = serverCaller(dependencies.organization.key)
  const project = await store.collection('projects').get({ key: demoProject.key, _createdBy })
  const production =
    project && (await store.collection('environments').get({ _project: project._id, key: 'production' }))
  const serverKey = production?.sdkKeys.server.at(-1)?.key
  const clientKey = production?.sdkKeys.client.at(-1)?.key
  return serverKey && clientKey ? { serverKey, clientKey } : undefined
}

/** Creates the projects as if a team had worked on them for two months, with two weeks of events. */
async function createDemoProjects({
  store,
  ids,
  now,
  organization,
  eventStore,
  validate
}: Dependencies): Promise<void> {
  const start = now()
  const caller = serverCaller(organization.key)
  const features = demoFeatures(start)
  /** Makes a change in the past. */
  const editAt = (daysAgo: number) => createEditRunner({ store, ids, now: () => start - daysAgo * DAY })
  const people = await editAt(80)(caller, addDemoPeople)
  const approvals = await addDemoApprovals({ ids, editAt, caller, people })
  const project = await editAt(60)(caller, async (change) => {
    const added = await addProject(change, demoProject, ids)
    const { items } = await change.store.collection('environments').list({ where: { _project: added._id } })
    for (const environment of items) {
      const color = demoColors[environment.key]
      if (color) await updateEnvironment(change, { project: added, environment }, { color })
    }
    return updateProject(change, added, { settings: demoSettings }, { by: 'updateProtectedSettings' })
  })
  for (const { by, daysAgo, body } of features) {
    await editAt(daysAgo)(people[by], async (change) => {
      const { state } = await addFeature(change, project, body)
      if (body.key === demoExperiment) await addMetric(change, project, state.feature)
    })
  }
  const production = await store.collection('environments').get({ _project: project._id, key: 'production' })
  const { items } = await store.collection('features').list({ where: { _project: project._id } })
  if (production) await addDemoEvents(eventStore, { features: items, production, now: start })
  await editAt(0)(people.grace, (change) => requestDemoChange(change, approvals, validate))
}

/** Adds the metric of the experiment. */
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
