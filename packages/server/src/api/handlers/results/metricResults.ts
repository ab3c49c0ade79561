import type { CountsFrom, Metric, MetricResult, MetricResultQuery } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import {
  type NewInterimAnalyses,
  readMetadata,
  recordInterimAnalyses
} from '../../../insights/results/interimAnalyses.ts'
import { type MetricResultsQuery, parseMetricRange } from '../../../insights/results/parseRange.ts'
import { tableNameOf } from '../../../insights/results/runningTable.ts'
import type { TimeSeriesQuery } from '../../../insights/results/timeSeries.ts'
import type { Requester, TimeSeriesCache } from '../../../insights/results/timeSeriesCache.ts'
import { toMetricResult } from '../../../insights/results/toMetricResult.ts'
import { badRequest } from '../../../lib/errors.ts'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { EventStore } from '../../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly eventStore: Pick<EventStore, 'userTables'>
  readonly readTimeSeries: TimeSeriesCache
  readonly recorder: Pick<EventRecorder, 'flush'>
  readonly now: () => number
}

/** Handlers of metric results: the comparison of the variations of a feature by a metric. */
export function metricResults({
  store,
  eventStore: { userTables },
  readTimeSeries,
  recorder,
  now
}: Dependencies): Pick<Handlers, 'getMetricResults' | 'testMetricResults'> {
  /** Remembers the p-values of a result; returns a warning if that fails. */
  const recordAnalyses = async (
    query: TimeSeriesQuery,
    interimAnalyses: NewInterimAnalyses
  ): Promise<readonly string[]> => {
    try {
      await recordInterimAnalyses(userTables, query, interimAnalyses, now())
      return []
    } catch (error) {
      return [`the smallest always-valid p-value could not be stored: ${reasonOf(error)}`]
    }
  }

  /** Computes the result of a feature for the range of a request. */
  const resultOf = async (
    project: StoredProject,
    request: MetricRequest,
    query: MetricResultsQuery
  ): Promise<MetricResult> => {
    const { feature, event, dimension, countsFrom, requester, caller } = request
    const range = parseMetricRange(query)
    const environments = await listEnvironments(project, query.environment, caller)
    const audience =
      query.audience === undefined ? undefined : await getInProject(store, 'audiences', project, query.audience, caller)
    assertFilterable(request, query)
    // The result includes all evaluations until now.
    await recorder.flush({ withUsers: true })
    const { platform, sdkType } = query
    const filter = omitUndefined({ platform, sdkType, audience: audience?._id })
    const timeSeriesQuery: TimeSeriesQuery = {
      environments: environments.map(({ _id }) => _id),
      range,
      feature: feature._id,
      event,
      dimension,
      countsFrom,
      variations: feature.variations.map(({ _id }) => _id),
      ...(Object.keys(filter).length > 0 ? { filter } : {})
    }
    const { timeSeries, at, cached } = await readTimeSeries(timeSeriesQuery, requester)
    const { items } = await store.collection('configurations').list({ where: { _feature: feature._id } })
    const metadata = await readMetadata(userTables, tableNameOf(timeSeriesQuery))
    const { result, interimAnalyses } = await toMetricResult(
      {
        ...request,
        range,
        configurations: items.filter(({ _environment }) => timeSeriesQuery.environments.includes(_environment)),
        now: at,
        query: echoOf(request, query, { environments: environments.map(({ key }) => key), audience: audience?.key }),
        interimAnalyses: metadata?.looks ?? {}
      },
      timeSeries
    )
    const warnings = await recordAnalyses(timeSeriesQuery, interimAnalyses)
    return {
      result: { ...result, warnings: [...result.warnings, ...warnings] },
      cached,
      updatedAt: toIsoString(at)
    }
  }

  const listEnvironments = async (project: StoredProject, reference: string | undefined, caller: TokenCaller) => {
    if (reference !== undefined) return [await getInProject(store, 'environments', project, reference, caller)]
    return (await store.collection('environments').list({ where: { _project: project._id } })).items
  }

  return {
    getMetricResults: async ({ params, query }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      const metric = await getInProject(store, 'metrics', project, params.key, caller)
      const feature = await getInProject(store, 'features', project, query.feature, caller)
      const { key, event, dimension, optimize, countsFrom = EARLIER_COUNTS_FROM } = metric
      const requester = { ...connection, id: caller.id }
      const control = feature.controlVariation
      const definition = { metric: key, event, dimension, optimize, countsFrom }
      return resultOf(project, { ...definition, feature, control, requester, caller }, query)
    },

    testMetricResults: async ({ params, query }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      const feature = await getInProject(store, 'features', project, query.feature, caller)
      assertControl(feature, query.control)
      const { event, dimension, optimize, countsFrom = NEW_COUNTS_FROM, control } = query
      const requester = { ...connection, id: caller.id }
      return resultOf(project, { event, dimension, optimize, countsFrom, feature, control, requester, caller }, query)
    }
  }
}

/** Metrics of earlier versions, which had no choice, count all events of the range. */
const EARLIER_COUNTS_FROM: CountsFrom = 'startDate'

/** The choice of metrics that are created without one. */
export const NEW_COUNTS_FROM: CountsFrom = 'firstExposure'

/** The metric of a request and the feature that it measures. */
interface MetricRequest extends Pick<Metric, 'event' | 'dimension' | 'optimize'> {
  /** Key; absent for a preview. */
  readonly metric?: string | undefined
  readonly countsFrom: CountsFrom
  readonly feature: StoredFeature
  /** Key or id of the variation that is the baseline. */
  readonly control: string
  readonly requester: Requester
  readonly caller: TokenCaller
}

/** The relative difference whose power is computed unless the query has another one. */
const DEFAULT_EFFECT = 0.1

/** Returns the selection of a request, with the values of omitted parameters. */
function echoOf(
  { metric, event, dimension, optimize, countsFrom, feature }: MetricRequest,
  { environment, startDate, endDate, platform, sdkType, effect = DEFAULT_EFFECT }: MetricResultsQuery,
  { environments, audience }: { readonly environments: readonly string[]; readonly audience: string | undefined }
): MetricResultQuery {
  return {
    feature: feature.key,
    ...omitUndefined({ metric }),
    event,
    dimension,
    optimize,
    countsFrom,
    environments: [...environments],
    isPooled: environment === undefined && environments.length > 1,
    startDate,
    endDate,
    ...omitUndefined({ platform, sdkType, audience }),
    effect
  }
}

/** Evaluations are counted without the audiences of their users. */
function assertFilterable({ dimension }: MetricRequest, { audience }: MetricResultsQuery): void {
  if (audience === undefined || dimension !== 'COUNT_PER_VARIABLE_EVALUATION') return
  throw badRequest(
    `audience should not be set with the dimension ${dimension}, whose evaluations are counted without audiences; got ${formatValue(audience)}`
  )
}

function assertControl({ key, variations }: StoredFeature, control: string): void {
  if (variations.some((variation) => variation.key === control || variation._id === control)) return
  const keys = variations.map((variation) => variation.key).join(', ')
  const expected = keys ? `one of ${keys}, or the id of one` : 'a variation; the feature has none yet'
  throw badRequest(`control should be a variation of feature "${key}": ${expected}; got ${formatValue(control)}`)
}
