import type { MetricAssociation } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { refused } from '../../../access/permissions/managementError.ts'
import { readFeatureState } from '../../../flags/features/readFeatureState.ts'
import type { FeatureState } from '../../../flags/features/rules/model/featureState.ts'
import { createFeatureSerializer } from '../../../flags/features/serializeFeature.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import { notFound } from '../../../lib/errors.ts'
import type { StoredMetric, StoredMetricAssociation, StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
import { toListQuery } from '../shared/toListQuery.ts'
import { NEW_COUNTS_FROM } from './metricResults.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly inspect: InspectProject
}

type Operations =
  | 'createMetric'
  | 'listMetrics'
  | 'getMetric'
  | 'updateMetric'
  | 'deleteMetric'
  | 'listMetricAssociations'
  | 'createMetricAssociation'
  | 'deleteMetricAssociation'

/** Handlers of metrics and their associations with features. */
export function metrics({ store, edit, inspect }: Dependencies): Pick<Handlers, Operations> {
  return {
    createMetric: ({ params, body }, caller) =>
      edit(caller, async ({ store, recordFields, recordChanges }) => {
        const { _id: _project } = await getProject(store, params.project, caller)
        const metric: StoredMetric = {
          ...recordFields(),
          _project,
          source: caller.source,
          countsFrom: NEW_COUNTS_FROM,
          ...omitUndefined(body)
        }
        recordChanges({ _project }, [createdChange('Metric', metric)])
        return withRevision(metric, await store.collection('metrics').insert(metric))
      }),

    listMetrics: async ({ params, query: { dimension, ...paging } }, caller) => {
      const { _id: _project } = await getProject(store, params.project, caller)
      return store
        .collection('metrics')
        .list(toListQuery<StoredMetric>(paging, { _project, ...omitUndefined({ dimension }) }))
    },

    getMetric: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      const metric = await getInProject(store, 'metrics', project, params.key, caller)
      return withRevision(metric, metric)
    },

    updateMetric: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        const before = await getInProject(change.store, 'metrics', project, params.key, caller)
        await assertIfMatch(change, before, headers, 'feature:read')
        const subject = { _project: project._id }
        const place = { collection: 'metrics', resource: 'Metric', subject } as const
        const updated = await updateAudited(change, place, before, { ...before, ...omitUndefined(body) })
        return withRevision(updated, updated)
      }),

    deleteMetric: ({ params, headers }, caller) =>
      edit(caller, async (change) => {
        const { store, recordChanges } = change
        const project = await getProject(store, params.project, caller)
        const metric = await getInProject(store, 'metrics', project, params.key, caller)
        await assertIfMatch(change, metric, headers, 'feature:read')
        const associations = store.collection('metricAssociations')
        const { items } = await associations.list({ where: { _project: project._id, _metric: metric._id } })
        for (const { _id } of items) await associations.remove(_id)
        await store.collection('metrics').remove(metric._id)
        const deleted = items.map((association) => deletedChange('MetricAssociation', association))
        recordChanges({ _project: project._id }, [...deleted, deletedChange('Metric', metric)])
      }),

    listMetricAssociations: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const metric =
        query.metric === undefined ? undefined : await getInProject(store, 'metrics', project, query.metric, caller)
      const feature =
        query.feature === undefined ? undefined : await getInProject(store, 'features', project, query.feature, caller)
      const where = { _project: project._id, ...omitUndefined({ _metric: metric?._id, _feature: feature?._id }) }
      const { items } = await store
        .collection('metricAssociations')
        .list({ where, sortBy: 'createdAt', sortOrder: 'desc' })
      const showAssociation = await associationView(store, inspect, project, caller)
      const shown = items.map(async (association) => {
        const storedMetric = await store.collection('metrics').get({ _id: association._metric })
        const storedFeature = await store.collection('features').get({ _id: association._feature })
        // Either may have been deleted since the list was read.
        return storedMetric && storedFeature
          ? [await showAssociation(association, storedMetric, await readFeatureState(store, storedFeature))]
          : []
      })
      return (await Promise.all(shown)).flat()
    },

    createMetricAssociation: async ({ params, body }, caller) => {
      const { project, made, metric, feature } = await edit(caller, async ({ store, recordFields, recordChanges }) => {
        const project = await getProject(store, params.project, caller)
        const { metric, feature, association } = await findPair(store, project, body, caller)
        if (association) {
          throw refused(
            'ERR_DUPE_METRIC_ASSOCIATION',
            `metric "${metric.key}" is already associated with feature "${feature.key}"`
          )
        }
        const made = { ...recordFields(), _project: project._id, _metric: metric._id, _feature: feature._id }
        await store.collection('metricAssociations').insert(made)
        recordChanges({ _project: project._id }, [createdChange('MetricAssociation', made)])
        return { project, made, metric, feature: await readFeatureState(store, feature) }
      })
      return (await associationView(store, inspect, project, caller))(made, metric, feature)
    },

    deleteMetricAssociation: ({ params, query }, caller) =>
      edit(caller, async ({ store, recordChanges }) => {
        const project = await getProject(store, params.project, caller)
        const { metric, feature, association } = await findPair(store, project, query, caller)
        if (!association) throw notFound(`metric "${metric.key}" is not associated with feature "${feature.key}"`)
        await store.collection('metricAssociations').remove(association._id)
        recordChanges({ _project: project._id }, [deletedChange('MetricAssociation', association)])
      })
  }
}

interface Pair {
  readonly metric: string
  readonly feature: string
}

/** Returns a metric, a feature, and their association if there is one. @throws {HttpError} 404 */
async function findPair(store: Store, project: StoredProject, pair: Pair, caller: TokenCaller) {
  const metric = await getInProject(store, 'metrics', project, pair.metric, caller)
  const feature = await getInProject(store, 'features', project, pair.feature, caller)
  const match = { _metric: metric._id, _feature: feature._id }
  return { metric, feature, association: await store.collection('metricAssociations').get(match) }
}

/** Creates a function that serializes associations with their whole metric and feature. */
async function associationView(store: Store, inspect: InspectProject, project: StoredProject, caller: TokenCaller) {
  const showFeature = await createFeatureSerializer(store, inspect, { project, caller })
  return async (
    { createdAt }: StoredMetricAssociation,
    metric: StoredMetric,
    feature: FeatureState
  ): Promise<MetricAssociation> => {
    return { _project: project._id, feature: await showFeature(feature), metric, createdAt }
  }
}
