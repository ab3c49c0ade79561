import type { Input, Operations } from '@burgee/contract'
import type { EvaluationsQuery } from '@burgee/contract/schemas'
import { badRequest } from '../../lib/errors.ts'
import { DAY, toIsoString } from '../../lib/time.ts'
import type { TimeRange } from '../../storage/events/eventStore.ts'
import { SUMMARY_RETENTION_DAYS } from '../../storage/events/utcDay.ts'

/** The length of a time bucket: `hour`, `day` or `month`. */
export type Period = NonNullable<EvaluationsQuery['period']>

/** The query parameters of metric results. */
export type MetricResultsQuery = Input<Operations['getMetricResults']>['query']

/**
 * Returns the range of an evaluations query; the last 24 hours, 30 days or 12 months by default.
 * @throws {HttpError} 400
 */
export function parseEvaluationsRange(
  { startDate, endDate, period = 'hour' }: EvaluationsQuery,
  now: number
): TimeRange {
  const end = endDate ?? now
  return assertInOrder({ start: startDate ?? defaultStart[period](end), end })
}

/** Returns the range of a metric results query. @throws {HttpError} 400 */
export function parseMetricRange(query: MetricResultsQuery): TimeRange {
  const [start, end] = [Date.parse(query.startDate), Date.parse(query.endDate)]
  const range = assertInOrder({ start, end })
  if (range.end - range.start <= MAX_METRIC_DAYS * DAY) return range
  throw badRequest(`endDate should be at most ${MAX_METRIC_DAYS} days after startDate, got ${formatRange(range)}`)
}

/** The longest range of one query (docs/guides/experiments.md, Metrics): as long as tables and counts are kept. */
const MAX_METRIC_DAYS = SUMMARY_RETENTION_DAYS

const defaultStart: { readonly [P in Period]: (end: number) => number } = {
  hour: (end) => end - DAY,
  day: (end) => end - 30 * DAY,
  month: (end) => new Date(end).setUTCMonth(new Date(end).getUTCMonth() - 12)
}

function assertInOrder(range: TimeRange): TimeRange {
  if (range.start < range.end) return range
  throw badRequest(`endDate should be after startDate, got ${formatRange(range)}`)
}

/** Formats a range for a message. */
export function formatRange({ start, end }: TimeRange): string {
  return `${toIsoString(start)} to ${toIsoString(end)}`
}
