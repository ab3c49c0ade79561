import type { FeatureListItem } from '@burgee/contract/schemas'
import { findLatestChanges } from '../../access/audit/revision.ts'
import { isSilenced } from '../../insights/staleness/findStaleness.ts'
import type { StalenessInspector } from '../../insights/staleness/inspectProject.ts'
import { configurationsByFeature } from '../../insights/staleness/listByStaleness.ts'
import { createTimeSlices, toIsoString } from '../../lib/time.ts'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Page, Query, Store } from '../../storage/store.ts'
import { listEnvironments } from '../features/readFeatureContext.ts'
import { statusInEnvironment } from './statusInEnvironment.ts'

interface Dependencies {
  readonly store: Store
  readonly project: StoredProject
  readonly inspector: StalenessInspector
}

/** Returns a page of the features that match a query and have all of the tags, as rows of a list. */
export async function listFeatureSummaries(
  dependencies: Dependencies,
  { page = 1, perPage, ...query }: Query<StoredFeature> & { readonly perPage: number },
  tags: readonly string[]
): Promise<Page<FeatureListItem>> {
  const { items } = await dependencies.store.collection('features').list(query)
  const matching = tags.length === 0 ? items : items.filter((each) => tags.every((tag) => each.tags.includes(tag)))
  const features = matching.slice((page - 1) * perPage, page * perPage)
  return { items: await toRows(dependencies, features), count: matching.length }
}

/** Reads the data of all rows at once. */
async function toRows(
  { store, project, inspector }: Dependencies,
  features: readonly StoredFeature[]
): Promise<readonly FeatureListItem[]> {
  const environments = await listEnvironments(store, project)
  const configurations = await configurationsByFeature(store, new Set(environments.map(({ _id }) => _id)))
  const pending = await countPendingRequests(store, project)
  const changes = await findLatestChanges(
    store,
    features.map(({ _id }) => _id)
  )
  const slices = createTimeSlices()
  const rows: FeatureListItem[] = []
  for (const feature of features) {
    await slices.yieldIfDue()
    const ofFeature = configurations.get(feature._id) ?? []
    const change = changes.get(feature._id)
    rows.push({
      ...membersOf(feature),
      ...(change ? { _updatedBy: change.idp_user } : {}),
      revision: change?._id ?? feature._id,
      pendingChangeRequests: pending.get(feature._id) ?? 0,
      ...stalenessOf(feature, ofFeature, inspector),
      environments: statusesOf(feature, ofFeature, { environments, project, now: inspector.at })
    })
  }
  return rows
}

type OwnMembers = '_id' | 'key' | 'name' | 'type' | 'status' | 'tags' | '_createdBy' | 'createdAt' | 'updatedAt'

function membersOf(feature: StoredFeature): Pick<FeatureListItem, OwnMembers> {
  const { _id, key, name, type, status, tags, _createdBy, createdAt, updatedAt } = feature
  const creator = _createdBy === undefined ? {} : { _createdBy }
  return { _id, key, name, type, status, tags: [...tags], ...creator, createdAt, updatedAt }
}

function stalenessOf(
  feature: StoredFeature,
  configurations: readonly StoredConfiguration[],
  inspector: StalenessInspector
): Pick<FeatureListItem, 'staleness'> {
  const finding = inspector.find({ feature, configurations })
  if (!finding || isSilenced(feature, inspector.at)) return {}
  const { reason, since, variation } = finding
  return { staleness: { reason, since: toIsoString(since), ...(variation ? { variation: variation.key } : {}) } }
}

interface StatusContext {
  readonly environments: readonly StoredEnvironment[]
  readonly project: StoredProject
  readonly now: number
}

function statusesOf(
  feature: StoredFeature,
  configurations: readonly StoredConfiguration[],
  { environments, project, now }: StatusContext
): FeatureListItem['environments'] {
  const { disablePassthroughRollouts } = project.settings
  const statuses = environments.map(({ _id, key }) => {
    const configuration = configurations.find(({ _environment }) => _environment === _id)
    return [key, statusInEnvironment(feature, configuration, { now, disablePassthroughRollouts })] as const
  })
  return Object.fromEntries(statuses)
}

/** Returns the number of pending change requests by feature. */
async function countPendingRequests(store: Store, { _id }: StoredProject): Promise<ReadonlyMap<string, number>> {
  const { items } = await store.collection('changeRequests').list({ where: { _project: _id, status: 'pending' } })
  const counts = new Map<string, number>()
  for (const { _feature } of items) if (_feature) counts.set(_feature, (counts.get(_feature) ?? 0) + 1)
  return counts
}
