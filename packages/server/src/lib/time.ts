import { setImmediate } from 'node:timers/promises'
import { type TimeSlices, timeSlices } from '@burgee/kit'

/** A second in milliseconds. */
export const SECOND = 1000

/** A minute in milliseconds. */
export const MINUTE = 60 * SECOND

/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE

/** A day in milliseconds. */
export const DAY = 24 * HOUR

/** Formats a time as ISO 8601 in UTC with milliseconds. */
export function toIsoString(moment: number | string): string {
  return new Date(moment).toISOString()
}

/** Yields to the event loop, so that long loops do not delay evaluations. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate()
}

/**
 * Waits for a turn of the event loop that no other waiter gets. For requests of the management API and large bodies:
 * with `yieldToEventLoop`, all waiting requests would continue in the same turn, and evaluations would wait for all of
 * them.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resume) => {
    if (waiting.push(resume) === 1) void continueWaiting()
  })
}

/** The waiting callers in order; the next one comes first. */
const waiting: (() => void)[] = []

async function continueWaiting(): Promise<void> {
  while (waiting.length > 0) {
    await setImmediate()
    waiting.shift()?.()
  }
}

/** Awaits `work` for each item, and yields to the event loop between slices. */
export async function forEachYielding<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const [index, item] of items.entries()) {
    await work(item)
    if (index % SLICE === SLICE - 1) await yieldToEventLoop()
  }
}

const SLICE = 100

/** Creates slices of a few milliseconds for work on a request. */
export function createTimeSlices(sliceMs?: number): TimeSlices {
  return timeSlices(takeTurn, sliceMs)
}
