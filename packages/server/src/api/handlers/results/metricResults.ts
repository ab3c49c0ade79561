import type { Metric, MetricResult } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { getInProject, getProject, listEnvironmentIds } from '../../../access/lookup.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import { type MetricResultsQuery, parseMetricRange } from '../../../insights/results/parseRange.ts'
import { createTimeSeriesCache, type Requester } from '../../../insights/results/timeSeriesCache.ts'
import { toMetricResult } from '../../../insights/results/toMetricResult.ts'
import { badRequest } from '../../../lib/errors.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { EventStore } from '../../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly eventStore: Pick<EventStore, 'eventRecords' | 'revision'>
  readonly recorder: Pick<EventRecorder, 'flush'>
  readonly now: () => number
}

/** Handlers of metric results: the comparison of the variations of a feature by a metric. */
export function metricResults({
  store,
  eventStore,
  recorder,
  now
}: Dependencies): Pick<Handlers, 'getMetricResults' | 'testMetricResults'> {
  const readTimeSeries = createTimeSeriesCache(eventStore, now)

  /** Computes the result of a feature for the range of a request. */
  const resultOf = async (
    project: StoredProject,
    request: MetricRequest,
    query: MetricResultsQuery
  ): Promise<MetricResult> => {
    const { feature, event, dimension, requester } = request
    const range = parseMetricRange(query)
    const environments = await listEnvironmentIds(store, project, query.environment)
    // The result includes all evaluations until now.
    await recorder.flush()
    const variations = feature.variations.map(({ _id }) => _id)
    const of = { environments, range, feature: feature._id, event, dimension, variations }
    const { interimResults, at, cached } = await readTimeSeries(of, requester)
    const { items } = await store.collection('configurations').list({ where: { _feature: feature._id } })
    const configurations = items.filter(({ _environment }) => environments.includes(_environment))
    return {
      result: toMetricResult({ ...request, configurations, now: now() }, interimResults),
      cached,
      updatedAt: toIsoString(at)
    }
  }

  return {
    getMetricResults: async ({ params, query }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      const metric = await getInProject(store, 'metrics', project, params.key, caller)
      const feature = await getInProject(store, 'features', project, query.feature, caller)
      return resultOf(
        project,
        { ...metric, feature, control: feature.controlVariation, requester: { ...connection, id: caller.id } },
        query
      )
    },

    testMetricResults: async ({ params, query }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      const feature = await getInProject(store, 'features', project, query.feature, caller)
      assertControl(feature, query.control)
      return resultOf(project, { ...query, feature, requester: { ...connection, id: caller.id } }, query)
    }
  }
}

/** The metric of a request and the feature that it measures. */
interface MetricRequest extends Pick<Metric, 'event' | 'dimension' | 'optimize'> {
  readonly feature: StoredFeature
  /** Key or id of the variation that is the baseline. */
  readonly control: string
  readonly requester: Requester
}

function assertControl({ key, variations }: StoredFeature, control: string): void {
  if (variations.some((variation) => variation.key === control || variation._id === control)) return
  const keys = variations.map((variation) => variation.key).join(', ')
  const expected = keys ? `one of ${keys}, or the id of one` : 'a variation; the feature has none yet'
  throw badRequest(`control should be a variation of feature "${key}": ${expected}; got ${formatValue(control)}`)
}
