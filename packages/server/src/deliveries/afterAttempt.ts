import type { WebhookAttempt } from '@burgee/contract'
import { inUtc } from '../inUtc.ts'
import type { Answer } from '../outbound/send.ts'
import type { StoredDelivery } from '../store/resources.ts'
import { delayAfter, type Wishes } from './retry.ts'

/** What an attempt makes of a delivery: it is delivered, or dead, or pending until the next one. */
export function afterAttempt(
  delivery: StoredDelivery,
  made: WebhookAttempt,
  { now, ...wishes }: Moment
): StoredDelivery {
  const { nextAttemptAt: _, ...rest } = delivery
  const attempts = [...delivery.attempts, made]
  const after = { ...rest, attempts: attempts.slice(-KEPT), updatedAt: inUtc(now) }
  if (isSuccess(made)) return { ...after, status: 'delivered' }
  const delay = isGone(made) ? undefined : delayAfter(attempts.length, wishes)
  if (delay === undefined) return { ...after, status: 'dead' }
  return { ...after, status: 'pending', nextAttemptAt: inUtc(now + delay) }
}

/** When the attempt was over, in epoch milliseconds, and what the next one depends on. */
interface Moment extends Wishes {
  readonly now: number
}

/** How many attempts a delivery tells of. Only those that people ask for again and again have more. */
const KEPT = 20

/** An attempt as it is kept, begun at this moment. */
export function attemptOf(answer: Answer, at: number): WebhookAttempt {
  const durationMs = Math.round(answer.durationMs)
  if (answer.type === 'failed') return { at: inUtc(at), error: answer.reason, durationMs }
  const { status, excerpt } = answer
  const error = errorOf(status)
  return {
    at: inUtc(at),
    status,
    ...(error === undefined ? {} : { error }),
    ...(excerpt === '' ? {} : { response: excerpt.slice(0, EXCERPT) }),
    durationMs
  }
}

/** How much of an answer is kept, in characters: deliveries are in memory. */
const EXCERPT = 500

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `it answered ${status}, and redirects are not followed`
  return `it answered ${status}`
}

/** Whether the receiver took the message. */
export function isSuccess({ error }: WebhookAttempt): boolean {
  return error === undefined
}

/** Whether the receiver says that it wants no more messages. */
export function isGone({ status }: WebhookAttempt): boolean {
  return status === 410
}
