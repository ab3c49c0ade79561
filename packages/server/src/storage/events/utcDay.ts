import { DAY, HOUR } from '../../lib/time.ts'
import type { TimeRange } from './eventStore.ts'

/** Returns the UTC day of a time, for example `2026-11-21`. */
export function toUtcDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Returns the start of a day in epoch milliseconds. */
export function utcDayStart(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

/** Returns the start of the hour that contains a time, in epoch milliseconds. */
export function utcHourStart(moment: number): number {
  return Math.floor(moment / HOUR) * HOUR
}

/** Returns the days that overlap a range, the oldest first. */
export function daysInRange(days: Iterable<string>, { start, end }: TimeRange): readonly string[] {
  return [...days].filter((day) => utcDayStart(day) < end && utcDayStart(day) + DAY > start).sort()
}

/** The retention of counts in days: more than the twelve months that results cover. */
export const SUMMARY_RETENTION_DAYS = 400
