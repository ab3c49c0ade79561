import type { WebhookAttempt } from '@burgee/contract/schemas'
import { DAY } from '../../../lib/time.ts'
import type { ReceiverId, StoredDelivery } from '../../../storage/resources/notification.ts'

/** The result of the last attempt at a receiver; `untested` before the first one. */
export type EndpointHealth = 'healthy' | 'untested' | 'failing'

/** Tracks the health of receivers by the attempts of their deliveries. */
export class EndpointHealthTracker {
  readonly #records = new Map<ReceiverId, HealthRecord>()

  /** Records the attempts of stored deliveries. */
  restore(deliveries: readonly StoredDelivery[]): void {
    const all = deliveries.flatMap(({ receiver, attempts }) => attempts.map((attempt) => ({ receiver, attempt })))
    const chronological = all.sort((one, other) => (one.attempt.at < other.attempt.at ? -1 : 1))
    for (const { receiver, attempt } of chronological) this.record(receiver, attempt)
  }

  /** Records an attempt, which must be later than all recorded before. */
  record(receiver: ReceiverId, attempt: WebhookAttempt): void {
    const at = Date.parse(attempt.at)
    this.#records.set(receiver, isSuccessful(attempt) ? { at } : { at, failingSince: this.#failingSince(receiver, at) })
  }

  healthOf(receiver: ReceiverId): EndpointHealth {
    const record = this.#records.get(receiver)
    if (record === undefined) return 'untested'
    return record.failingSince === undefined ? 'healthy' : 'failing'
  }

  /** Whether the last attempt failed, and the receiver was not edited since. */
  isKnownFailing(receiver: ReceiverId, editedAt: string): boolean {
    const { at, failingSince } = this.#records.get(receiver) ?? {}
    return at !== undefined && failingSince !== undefined && at >= Date.parse(editedAt)
  }

  /**
   * Returns the start, in epoch milliseconds, of a series of failures that has lasted for `MAX_FAILING_MS`; otherwise
   * `undefined`. Failures before `editedAt` do not count.
   */
  failingTooLongSince(receiver: ReceiverId, editedAt: string): number | undefined {
    const { at, failingSince } = this.#records.get(receiver) ?? {}
    if (at === undefined || failingSince === undefined) return undefined
    const since = Math.max(failingSince, Date.parse(editedAt))
    return at - since >= MAX_FAILING_MS ? since : undefined
  }

  #failingSince(receiver: ReceiverId, at: number): number {
    const last = this.#records.get(receiver)
    // After a pause of that length, it is unknown whether the receiver failed all the time, so the series restarts.
    return last?.failingSince !== undefined && at - last.at < MAX_FAILING_MS ? last.failingSince : at
  }
}

interface HealthRecord {
  /** The time of the last attempt, in epoch milliseconds. */
  readonly at: number
  /** The time of the first failure since the last success. */
  readonly failingSince?: number
}

const MAX_FAILING_MS = 5 * DAY

/** Whether the receiver accepted the message. */
export function isSuccessful({ error }: WebhookAttempt): boolean {
  return error === undefined
}
