import type { WebhookAttempt } from '@burgee/contract/schemas'
import type { OutboundResponse } from '../../lib/outbound/safeFetch.ts'
import { DAY, HOUR, MINUTE, SECOND, toIsoString } from '../../lib/time.ts'
import type { StoredDelivery } from '../../storage/resources/notification.ts'
import { isSuccessful } from './queue/endpointHealth.ts'

/** Returns a delivery after an attempt: delivered, dead, or pending until the next attempt. */
export function applyAttempt(
  delivery: StoredDelivery,
  attempt: WebhookAttempt,
  { now, ...retry }: AttemptContext
): StoredDelivery {
  const { nextAttemptAt: _, ...rest } = delivery
  const attempts = [...delivery.attempts, attempt]
  const updated = { ...rest, attempts: attempts.slice(-MAX_ATTEMPTS_KEPT), updatedAt: toIsoString(now) }
  if (isSuccessful(attempt)) return { ...updated, status: 'delivered' }
  const delay = isEndpointGone(attempt) ? undefined : retryDelay(attempts.length, retry)
  if (delay === undefined) return { ...updated, status: 'dead' }
  return { ...updated, status: 'pending', nextAttemptAt: toIsoString(now + delay) }
}

interface AttemptContext extends RetryOptions {
  /** The end of the attempt, in epoch milliseconds. */
  readonly now: number
}

interface RetryOptions {
  /** The wait that the receiver asked for by `Retry-After`. */
  readonly retryAfterMs?: number | undefined
  /** At least 0 and less than 1. */
  readonly random: () => number
}

/** Returns the wait in milliseconds after a number of failed attempts; `undefined` after the last one. */
function retryDelay(attempts: number, { retryAfterMs = 0, random }: RetryOptions): number | undefined {
  const scheduled = RETRY_SCHEDULE[attempts]
  if (scheduled === undefined) return undefined
  // Jitter spreads the retries of receivers that failed at the same moment.
  const withJitter = Math.round(scheduled * (1 + JITTER * random()))
  return Math.max(withJitter, Math.min(retryAfterMs, DAY))
}

/** The retry schedule that Standard Webhooks 1.0.0 gives as an example: the wait before each attempt. */
const RETRY_SCHEDULE: readonly number[] = [
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

/** The largest random extension of a wait, relative to it. */
const JITTER = 0.1

/** Only deliveries that were redelivered manually have more attempts than the schedule. */
const MAX_ATTEMPTS_KEPT = 20

/** Converts a response to an attempt that began at `at`. */
export function toAttempt(response: OutboundResponse, at: number): WebhookAttempt {
  const durationMs = Math.round(response.durationMs)
  if (response.type === 'failed') return { at: toIsoString(at), error: response.reason, durationMs }
  const { status, excerpt } = response
  const error = errorOf(status)
  return {
    at: toIsoString(at),
    status,
    ...(error === undefined ? {} : { error }),
    ...(excerpt === '' ? {} : { response: excerpt.slice(0, MAX_EXCERPT_LENGTH) }),
    durationMs
  }
}

/** In characters. Small, since deliveries are kept in memory. */
const MAX_EXCERPT_LENGTH = 500

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `the receiver answered ${status}; redirects are not followed`
  return `the receiver answered ${status}`
}

/** Whether the receiver answered 410 Gone, by which it refuses all further messages. */
export function isEndpointGone({ status }: WebhookAttempt): boolean {
  return status === 410
}
