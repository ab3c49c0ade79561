import { setImmediate } from 'node:timers/promises'

/** A second in milliseconds. */
export const SECOND = 1000

/** A minute in milliseconds. */
export const MINUTE = 60 * SECOND

/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE

/** A day in milliseconds. */
export const DAY = 24 * HOUR

/** A moment as it is kept and answered: ISO 8601 in UTC with milliseconds, whatever offset it was given with. */
export function toIsoString(moment: number | string): string {
  return new Date(moment).toISOString()
}

/** Lets everything else have a turn that waits for one: long work would hold up evaluations otherwise. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate()
}
