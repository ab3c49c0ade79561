import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/time.ts'

/** How long to wait for the next attempt after so many that failed, in milliseconds; nothing when that was the last. */
export function backoffDelay(attempts: number, { retryAfterMs = 0, random }: BackoffOptions): number | undefined {
  const planned = SCHEDULE[attempts]
  if (planned === undefined) return undefined
  // Later rather than earlier, so that receivers which fail together are not all called at the same moment again.
  const spread = Math.round(planned * (1 + JITTER * random()))
  return Math.max(spread, Math.min(retryAfterMs, DAY))
}

/** What the next attempt depends on besides the schedule. */
export interface BackoffOptions {
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs?: number | undefined
  /** At least 0 and less than 1. */
  readonly random: () => number
}

/** The example of Standard Webhooks 1.0.0: how long each attempt comes after the one before it. */
const SCHEDULE: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR
]

/** By what part of it a wait is drawn out at most. */
const JITTER = 0.1
