import { DAY, HOUR } from '../../lib/time.ts'
import type { TimeRange } from './eventStore.ts'

/** The UTC day of a moment, as in `2026-11-21`. */
export function toUtcDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** When a day starts, in epoch milliseconds. */
export function utcDayStart(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

/** When the hour of a moment starts, in epoch milliseconds. */
export function utcHourStart(moment: number): number {
  return Math.floor(moment / HOUR) * HOUR
}

/** Those of the days that have something of a range, the oldest first. */
export function daysInRange(days: Iterable<string>, { start, end }: TimeRange): readonly string[] {
  return [...days].filter((day) => utcDayStart(day) < end && utcDayStart(day) + DAY > start).sort()
}

/** For how many days it is kept how often what was served: more than the twelve months that results look back. */
export const SUMMARY_RETENTION_DAYS = 400
