import { badRequest, type HttpError } from '../../lib/errors.ts'
import { DAY, HOUR, toIsoString } from '../../lib/time.ts'
import type { TimeRange } from '../../storage/events/eventStore.ts'
import { formatRange, type Period } from './parseRange.ts'

/** One period of a time series. */
export interface TimeBucket {
  /** The start of the period, which can lie before the range. */
  readonly date: string
  /** The part of the period within the range, rounded to whole hours at the start. */
  readonly range: TimeRange
}

/**
 * Splits a range into the UTC hours, days or months that it overlaps. The first and last one can extend beyond the
 * range.
 * @throws {HttpError} 400 for more than `MAX_BUCKETS`.
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

/** Returns the starts of the periods that a range overlaps. @throws {HttpError} 400 for more than `MAX_BUCKETS`. */
export function timeBucketStarts(range: TimeRange, period: Period): readonly string[] {
  return timeBuckets(range, period).map(({ date }) => date)
}

const MAX_BUCKETS = 1000

interface Boundary {
  /** Returns the last boundary at or before a time. */
  readonly floor: (moment: number) => number
  readonly next: (boundary: number) => number
}

const boundaries: { readonly [P in Period]: Boundary } = {
  hour: fixedLength(HOUR),
  day: fixedLength(DAY),
  month: { floor: (moment) => monthAfter(moment, 0), next: (boundary) => monthAfter(boundary, 1) }
}

/** UTC has no daylight saving time and epoch time no leap seconds, so all hours and days have the same length. */
function fixedLength(length: number): Boundary {
  return { floor: (moment) => Math.floor(moment / length) * length, next: (boundary) => boundary + length }
}

function monthAfter(moment: number, months: number): number {
  const date = new Date(moment)
  date.setUTCHours(0, 0, 0, 0)
  return date.setUTCMonth(date.getUTCMonth() + months, 1)
}

function tooMany(range: TimeRange, period: Period): HttpError {
  const advice = period === 'month' ? '' : `, or period should be longer than ${period}`
  return badRequest(
    `startDate and endDate should span at most ${MAX_BUCKETS} periods of one ${period}${advice}, got ${formatRange(range)}`
  )
}
