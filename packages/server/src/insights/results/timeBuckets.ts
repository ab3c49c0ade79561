import { type ApiError, badRequest } from '../../lib/errors.ts'
import { DAY, HOUR, toIsoString } from '../../lib/time.ts'
import type { TimeRange } from '../../storage/events/eventStore.ts'
import { formatRange, type Period } from './parseRange.ts'

/** One period of a range. */
export interface TimeBucket {
  /** The moment at which the period begins. */
  readonly date: string
  /** As much of it as is in the range, by whole hours. */
  readonly range: TimeRange
}

/**
 * The periods that a range touches: hours, days and months in UTC. The first and last one can reach beyond the range.
 * @throws {ApiError} 400 when there are too many for one answer.
 */
export function timeBuckets(range: TimeRange, period: Period): readonly TimeBucket[] {
  const { start, end } = range
  const { floor, next } = boundaries[period]
  const first = boundaries.hour.floor(start)
  const buckets: TimeBucket[] = []
  for (let at = floor(start); at < end; at = next(at)) {
    if (buckets.length === MAX_BUCKETS) throw tooMany(range, period)
    buckets.push({ date: toIsoString(at), range: { start: Math.max(at, first), end: Math.min(next(at), end) } })
  }
  return buckets
}

/** The moments at which the periods that a range touches begin. @throws {ApiError} 400 when there are too many for one answer. */
export function timeBucketStarts(range: TimeRange, period: Period): readonly string[] {
  return timeBuckets(range, period).map(({ date }) => date)
}

/** How many periods one answer has at most. */
const MAX_BUCKETS = 1000

interface Boundary {
  /** The last boundary that is not after a moment. */
  readonly floor: (moment: number) => number
  readonly next: (boundary: number) => number
}

const boundaries: { readonly [P in Period]: Boundary } = {
  hour: every(HOUR),
  day: every(DAY),
  month: { floor: (moment) => monthAfter(moment, 0), next: (boundary) => monthAfter(boundary, 1) }
}

/** UTC knows no daylight saving and epoch time no leap seconds: hours and days are all of one length. */
function every(length: number): Boundary {
  return { floor: (moment) => Math.floor(moment / length) * length, next: (boundary) => boundary + length }
}

function monthAfter(moment: number, months: number): number {
  const date = new Date(moment)
  date.setUTCHours(0, 0, 0, 0)
  return date.setUTCMonth(date.getUTCMonth() + months, 1)
}

function tooMany(range: TimeRange, period: Period): ApiError {
  const advice = period === 'month' ? '' : `, or period should be longer than ${period}`
  return badRequest(
    `startDate and endDate should span at most ${MAX_BUCKETS} periods of one ${period}${advice}, got ${formatRange(range)}`
  )
}
