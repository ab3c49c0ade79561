import type { WebhookAttempt } from '@burgee/contract/schemas'
import { DAY } from '../../../lib/time.ts'
import type { ReceiverId, StoredDelivery } from '../../../storage/resources.ts'

/** How receivers have done lately, as the attempts of their deliveries tell. */
export class EndpointHealthTracker {
  readonly #standings = new Map<ReceiverId, HealthRecord>()

  /** Takes in what deliveries that are kept tell. */
  restore(deliveries: readonly StoredDelivery[]): void {
    const made = deliveries.flatMap(({ receiver, attempts }) => attempts.map((attempt) => ({ receiver, attempt })))
    const inOrder = made.sort((one, other) => (one.attempt.at < other.attempt.at ? -1 : 1))
    for (const { receiver, attempt } of inOrder) this.record(receiver, attempt)
  }

  /** Takes in an attempt, later than all before. */
  record(receiver: ReceiverId, attempt: WebhookAttempt): void {
    const at = Date.parse(attempt.at)
    this.#standings.set(
      receiver,
      isSuccessful(attempt) ? { at } : { at, failingSince: this.#failingSince(receiver, at) }
    )
  }

  /** What can be expected of a receiver. */
  healthOf(receiver: ReceiverId): EndpointHealth {
    const standing = this.#standings.get(receiver)
    if (standing === undefined) return 'new'
    return standing.failingSince === undefined ? 'trusted' : 'failing'
  }

  /** Whether the last attempt failed, and nobody has edited the receiver since. */
  isKnownFailing(receiver: ReceiverId, editedAt: string): boolean {
    const { at, failingSince } = this.#standings.get(receiver) ?? {}
    return at !== undefined && failingSince !== undefined && at >= Date.parse(editedAt)
  }

  /** Since when, in epoch milliseconds, every attempt has failed, where that is too long to go on; failures before `editedAt` do not count. */
  failingTooLongSince(receiver: ReceiverId, editedAt: string): number | undefined {
    const { at, failingSince } = this.#standings.get(receiver) ?? {}
    if (at === undefined || failingSince === undefined) return undefined
    const since = Math.max(failingSince, Date.parse(editedAt))
    return at - since >= MAX_FAILING_MS ? since : undefined
  }

  #failingSince(receiver: ReceiverId, at: number): number {
    const before = this.#standings.get(receiver)
    // Where nothing was sent for as long, nobody knows whether it failed all the time.
    return before?.failingSince !== undefined && at - before.at < MAX_FAILING_MS ? before.failingSince : at
  }
}

/** How the last attempt at a receiver went; of one that is new, there was none. */
export type EndpointHealth = 'trusted' | 'new' | 'failing'

interface HealthRecord {
  /** Of the last attempt, in epoch milliseconds. */
  readonly at: number
  /** Of the first attempt since the last success. */
  readonly failingSince?: number
}

/** Five days. */
const MAX_FAILING_MS = 5 * DAY

/** Whether the receiver took the message. */
export function isSuccessful({ error }: WebhookAttempt): boolean {
  return error === undefined
}
