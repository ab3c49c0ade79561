import type { EvaluationsQuery, Input, Operations } from '@burgee/contract'
import { DAY } from '../duration.ts'
import { invalid } from '../errors.ts'
import type { Range } from '../eventStore/eventStore.ts'
import { inUtc } from '../inUtc.ts'

/** Periods that evaluations are counted by. */
export type Period = NonNullable<EvaluationsQuery['period']>

/** Which results of a metric a request asks for. */
export type MetricQuery = Input<Operations['getMetricResults']>['query']

/** The range of evaluations that a request asks for. @throws {ApiError} 400 */
export function evaluationsRange({ startDate, endDate, period = 'hour' }: EvaluationsQuery, now: number): Range {
  const end = endDate ?? now
  return inOrder({ start: startDate ?? defaultStart[period](end), end })
}

/** The range of metric results that a request asks for. @throws {ApiError} 400 */
export function metricRange(query: MetricQuery): Range {
  const [start, end] = [Date.parse(query.startDate), Date.parse(query.endDate)]
  const range = inOrder({ start, end })
  if (range.end - range.start <= MAX_METRIC_DAYS * DAY) return range
  throw invalid(`endDate should be at most ${MAX_METRIC_DAYS} days after startDate, got ${showRange(range)}`)
}

/** How far back metrics can be asked for at once (`management.md` §5). */
const MAX_METRIC_DAYS = 30

/** How far back evaluations go when a request does not say. */
const defaultStart: { readonly [P in Period]: (end: number) => number } = {
  hour: (end) => end - DAY,
  day: (end) => end - 30 * DAY,
  month: (end) => new Date(end).setUTCMonth(new Date(end).getUTCMonth() - 12)
}

function inOrder(range: Range): Range {
  if (range.start < range.end) return range
  throw invalid(`endDate should be after startDate, got ${showRange(range)}`)
}

/** A range as messages repeat it. */
export function showRange({ start, end }: Range): string {
  return `${inUtc(start)} to ${inUtc(end)}`
}
