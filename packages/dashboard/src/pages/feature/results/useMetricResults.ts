import type { Metric, MetricResult } from '@burgee/contract/schemas'
import { queryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { call, type Request } from '../../../api/query.ts'

/** What is measured besides the metric. With a `control`, the figures are computed for it instead of the feature's. */
export type Selection = Request<'getMetricResults'>['query'] & { readonly control?: string }

/** Whether a metric can be measured for a selection: evaluations are counted without the audiences of their users. */
export function isMeasurable({ dimension }: Metric, { audience }: Selection): boolean {
  return audience === undefined || dimension !== 'COUNT_PER_VARIABLE_EVALUATION'
}

/** The results of metrics, in their order. */
export function useMetricResults(
  project: string,
  metrics: readonly Metric[],
  selection: Selection
): readonly UseQueryResult<MetricResult>[] {
  return useQueries({
    queries: metrics.map((metric) => ({
      ...resultQuery(project, metric, selection),
      enabled: isMeasurable(metric, selection)
    }))
  })
}

function resultQuery(project: string, metric: Metric, { control, ...query }: Selection) {
  if (control === undefined) {
    const request = { params: { project, key: metric.key }, query }
    return queryOptions({
      queryKey: ['getMetricResults', request] as readonly unknown[],
      queryFn: () => inTurn(() => call('getMetricResults', request))
    })
  }
  const { event, dimension, optimize, countsFrom = 'startDate' } = metric
  const request = { params: { project }, query: { ...query, event, dimension, optimize, countsFrom, control } }
  return queryOptions({
    queryKey: ['testMetricResults', request] as readonly unknown[],
    queryFn: () => inTurn(() => call('testMetricResults', request))
  })
}

let last: Promise<unknown> = Promise.resolve()

/** Runs one measurement after the other: the server refuses a person's third that waits. */
function inTurn<T>(measure: () => Promise<T>): Promise<T> {
  const mine = last.then(measure, measure)
  last = mine.catch(() => undefined)
  return mine
}
