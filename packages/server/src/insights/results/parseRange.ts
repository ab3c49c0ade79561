import type { Input, Operations } from '@burgee/contract'
import type { EvaluationsQuery } from '@burgee/contract/schemas'
import { badRequest } from '../../lib/errors.ts'
import { DAY, toIsoString } from '../../lib/time.ts'
import type { TimeRange } from '../../storage/events/eventStore.ts'

/** Periods that evaluations are counted by. */
export type Period = NonNullable<EvaluationsQuery['period']>

/** Which results of a metric a request asks for. */
export type MetricResultsQuery = Input<Operations['getMetricResults']>['query']

/** The range of evaluations that a request asks for. @throws {ApiError} 400 */
export function parseEvaluationsRange(
  { startDate, endDate, period = 'hour' }: EvaluationsQuery,
  now: number
): TimeRange {
  const end = endDate ?? now
  return assertInOrder({ start: startDate ?? defaultStart[period](end), end })
}

/** The range of metric results that a request asks for. @throws {ApiError} 400 */
export function parseMetricRange(query: MetricResultsQuery): TimeRange {
  const [start, end] = [Date.parse(query.startDate), Date.parse(query.endDate)]
  const range = assertInOrder({ start, end })
  if (range.end - range.start <= MAX_METRIC_DAYS * DAY) return range
  throw badRequest(`endDate should be at most ${MAX_METRIC_DAYS} days after startDate, got ${formatRange(range)}`)
}

/** How far back metrics can be asked for at once (`management.md` §5). */
const MAX_METRIC_DAYS = 30

/** How far back evaluations go when a request does not say. */
const defaultStart: { readonly [P in Period]: (end: number) => number } = {
  hour: (end) => end - DAY,
  day: (end) => end - 30 * DAY,
  month: (end) => new Date(end).setUTCMonth(new Date(end).getUTCMonth() - 12)
}

function assertInOrder(range: TimeRange): TimeRange {
  if (range.start < range.end) return range
  throw badRequest(`endDate should be after startDate, got ${formatRange(range)}`)
}

/** A range as messages repeat it. */
export function formatRange({ start, end }: TimeRange): string {
  return `${toIsoString(start)} to ${toIsoString(end)}`
}
