import type { MetricAssociation } from '@burgee/contract'
import { created, deleted } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { conflict, notFound } from '../errors.ts'
import { readFeature } from '../features/readFeature.ts'
import type { FeatureState } from '../features/rules/featureState.ts'
import { featureView } from '../features/showFeature.ts'
import { findIn, findProject } from '../find.ts'
import { given } from '../given.ts'
import type { Inspect } from '../staleness/inspect.ts'
import type { StoredMetric, StoredMetricAssociation, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly inspect: Inspect
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

/** Keeps what variations are compared by, and which features are compared by what. */
export function metrics({ store, edit, inspect }: Dependencies): Pick<Handlers, Operations> {
  return {
    createMetric: ({ params, body }, caller) =>
      edit(caller, async ({ store, stamps, note }) => {
        const { _id: _project } = await findProject(store, params.project, caller)
        const metric: StoredMetric = { ...stamps(), _project, source: caller.source, ...given(body) }
        note({ _project }, [created('Metric', metric)])
        return store.collection('metrics').insert(metric)
      }),

    listMetrics: async ({ params, query: { dimension, ...paging } }, caller) => {
      const { _id: _project } = await findProject(store, params.project, caller)
      return store.collection('metrics').list(pageOf<StoredMetric>(paging, { _project, ...given({ dimension }) }))
    },

    getMetric: async ({ params }, caller) => {
      return findIn(store, 'metrics', await findProject(store, params.project, caller), params.key)
    },

    updateMetric: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        const before = await findIn(change.store, 'metrics', project, params.key)
        const subject = { _project: project._id }
        const place = { collection: 'metrics', resource: 'Metric', subject } as const
        return replaceItem(change, place, before, { ...before, ...given(body) })
      }),

    deleteMetric: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const project = await findProject(store, params.project, caller)
        const metric = await findIn(store, 'metrics', project, params.key)
        const associations = store.collection('metricAssociations')
        const { items } = await associations.list({ where: { _project: project._id, _metric: metric._id } })
        for (const { _id } of items) await associations.remove(_id)
        await store.collection('metrics').remove(metric._id)
        const gone = items.map((association) => deleted('MetricAssociation', association))
        note({ _project: project._id }, [...gone, deleted('Metric', metric)])
      }),

    listMetricAssociations: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const metric = query.metric === undefined ? undefined : await findIn(store, 'metrics', project, query.metric)
      const feature = query.feature === undefined ? undefined : await findIn(store, 'features', project, query.feature)
      const where = { _project: project._id, ...given({ _metric: metric?._id, _feature: feature?._id }) }
      const { items } = await store
        .collection('metricAssociations')
        .list({ where, sortBy: 'createdAt', sortOrder: 'desc' })
      const showAssociation = await associationView(store, inspect, project, caller)
      const shown = items.map(async (association) => {
        const found = await store.collection('metrics').get({ _id: association._metric })
        const carrier = await store.collection('features').get({ _id: association._feature })
        // Either can have been deleted since the list was read.
        return found && carrier ? [await showAssociation(association, found, await readFeature(store, carrier))] : []
      })
      return (await Promise.all(shown)).flat()
    },

    createMetricAssociation: async ({ params, body }, caller) => {
      const { project, made, metric, feature } = await edit(caller, async ({ store, stamps, note }) => {
        const project = await findProject(store, params.project, caller)
        const { metric, feature, association } = await findPair(store, project, body)
        if (association) {
          throw conflict(
            `metric "${metric.key}" is associated with feature "${feature.key}" already`,
            'ERR_DUPE_METRIC_ASSOCIATION'
          )
        }
        const made = { ...stamps(), _project: project._id, _metric: metric._id, _feature: feature._id }
        await store.collection('metricAssociations').insert(made)
        note({ _project: project._id }, [created('MetricAssociation', made)])
        return { project, made, metric, feature: await readFeature(store, feature) }
      })
      return (await associationView(store, inspect, project, caller))(made, metric, feature)
    },

    deleteMetricAssociation: ({ params, query }, caller) =>
      edit(caller, async ({ store, note }) => {
        const project = await findProject(store, params.project, caller)
        const { metric, feature, association } = await findPair(store, project, query)
        if (!association) throw notFound(`metric "${metric.key}" is not associated with feature "${feature.key}"`)
        await store.collection('metricAssociations').remove(association._id)
        note({ _project: project._id }, [deleted('MetricAssociation', association)])
      })
  }
}

interface Pair {
  readonly metric: string
  readonly feature: string
}

/** The metric and the feature that a request names, and their association if there is one. @throws {ApiError} 404 */
async function findPair(store: Store, project: StoredProject, pair: Pair) {
  const metric = await findIn(store, 'metrics', project, pair.metric)
  const feature = await findIn(store, 'features', project, pair.feature)
  const match = { _metric: metric._id, _feature: feature._id }
  return { metric, feature, association: await store.collection('metricAssociations').get(match) }
}

/** What shows associations of a project with the whole of their metrics and features. */
async function associationView(store: Store, inspect: Inspect, project: StoredProject, caller: TokenCaller) {
  const showFeature = await featureView(store, inspect, { project, caller })
  return async (
    { createdAt }: StoredMetricAssociation,
    metric: StoredMetric,
    feature: FeatureState
  ): Promise<MetricAssociation> => {
    return { _project: project._id, feature: await showFeature(feature), metric, createdAt }
  }
}
