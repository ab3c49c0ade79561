import { type ApiError, invalid } from '../errors.ts'
import { inUtc } from '../inUtc.ts'
import { type Period, type Range, showRange } from './range.ts'

/**
 * The periods that a range touches, by the moment at which each begins: the boundaries of hours, days and months in
 * UTC. Its first and last period can reach beyond the range.
 * @throws {ApiError} 400 when there are too many for one answer.
 */
export function bucketsOf(range: Range, period: Period): readonly string[] {
  const { start, end } = range
  const { floor, next } = boundaries[period]
  const buckets: string[] = []
  for (let at = floor(start); at < end; at = next(at)) {
    if (buckets.length === MAX_BUCKETS) throw tooMany(range, period)
    buckets.push(inUtc(at))
  }
  return buckets
}

/** How many periods one answer has at most. */
const MAX_BUCKETS = 1000

interface Boundary {
  /** The last boundary that is not after a moment. */
  readonly floor: (moment: number) => number
  readonly next: (boundary: number) => number
}

const boundaries: { readonly [P in Period]: Boundary } = {
  hour: every(3_600_000),
  day: every(86_400_000),
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

function tooMany(range: Range, period: Period): ApiError {
  const advice = period === 'month' ? '' : `, or period should be longer than ${period}`
  return invalid(
    `startDate and endDate should span at most ${MAX_BUCKETS} periods of one ${period}${advice}, got ${showRange(range)}`
  )
}
