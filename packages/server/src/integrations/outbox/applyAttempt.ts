import type { WebhookAttempt } from '@burgee/contract/schemas'
import type { OutboundResponse } from '../../lib/outbound/safeFetch.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredDelivery } from '../../storage/resources.ts'
import { type BackoffOptions, backoffDelay } from './queue/backoff.ts'
import { isSuccessful } from './queue/endpointHealth.ts'

/** What an attempt makes of a delivery: it is delivered, or dead, or pending until the next one. */
export function applyAttempt(
  delivery: StoredDelivery,
  made: WebhookAttempt,
  { now, ...wishes }: AttemptContext
): StoredDelivery {
  const { nextAttemptAt: _, ...rest } = delivery
  const attempts = [...delivery.attempts, made]
  const after = { ...rest, attempts: attempts.slice(-MAX_ATTEMPTS_KEPT), updatedAt: toIsoString(now) }
  if (isSuccessful(made)) return { ...after, status: 'delivered' }
  const delay = isEndpointGone(made) ? undefined : backoffDelay(attempts.length, wishes)
  if (delay === undefined) return { ...after, status: 'dead' }
  return { ...after, status: 'pending', nextAttemptAt: toIsoString(now + delay) }
}

/** When the attempt was over, in epoch milliseconds, and what the next one depends on. */
interface AttemptContext extends BackoffOptions {
  readonly now: number
}

/** How many attempts a delivery tells of. Only those that people ask for again and again have more. */
const MAX_ATTEMPTS_KEPT = 20

/** An attempt as it is kept, begun at this moment. */
export function toAttempt(answer: OutboundResponse, at: number): WebhookAttempt {
  const durationMs = Math.round(answer.durationMs)
  if (answer.type === 'failed') return { at: toIsoString(at), error: answer.reason, durationMs }
  const { status, excerpt } = answer
  const error = errorOf(status)
  return {
    at: toIsoString(at),
    status,
    ...(error === undefined ? {} : { error }),
    ...(excerpt === '' ? {} : { response: excerpt.slice(0, MAX_EXCERPT_LENGTH) }),
    durationMs
  }
}

/** How much of an answer is kept, in characters: deliveries are in memory. */
const MAX_EXCERPT_LENGTH = 500

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `it answered ${status}, and redirects are not followed`
  return `it answered ${status}`
}

/** Whether the receiver says that it wants no more messages. */
export function isEndpointGone({ status }: WebhookAttempt): boolean {
  return status === 410
}
