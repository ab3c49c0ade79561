import type { WebhookAttempt } from '@burgee/contract'
import { DAY } from '../duration.ts'
import type { Receiver, StoredDelivery } from '../store/resources.ts'
import { isSuccess } from './afterAttempt.ts'

/** How receivers have done lately, as the attempts of their deliveries tell. */
export class Standings {
  readonly #standings = new Map<Receiver, Standing>()

  /** Takes in what deliveries that are kept tell. */
  learn(deliveries: readonly StoredDelivery[]): void {
    const made = deliveries.flatMap(({ receiver, attempts }) => attempts.map((attempt) => ({ receiver, attempt })))
    const inOrder = made.sort((one, other) => (one.attempt.at < other.attempt.at ? -1 : 1))
    for (const { receiver, attempt } of inOrder) this.note(receiver, attempt)
  }

  /** Takes in an attempt, later than all before. */
  note(receiver: Receiver, attempt: WebhookAttempt): void {
    const at = Date.parse(attempt.at)
    this.#standings.set(receiver, isSuccess(attempt) ? { at } : { at, failingSince: this.#failingSince(receiver, at) })
  }

  /** What can be expected of a receiver. */
  trustIn(receiver: Receiver): Trust {
    const standing = this.#standings.get(receiver)
    if (standing === undefined) return 'new'
    return standing.failingSince === undefined ? 'trusted' : 'failing'
  }

  /** Whether the last attempt failed, and nobody has edited the receiver since. */
  isKnownToFail(receiver: Receiver, editedAt: string): boolean {
    const { at, failingSince } = this.#standings.get(receiver) ?? {}
    return at !== undefined && failingSince !== undefined && at >= Date.parse(editedAt)
  }

  /** Since when, in epoch milliseconds, every attempt has failed, where that is too long to go on; failures before `editedAt` do not count. */
  failsTooLong(receiver: Receiver, editedAt: string): number | undefined {
    const { at, failingSince } = this.#standings.get(receiver) ?? {}
    if (at === undefined || failingSince === undefined) return undefined
    const since = Math.max(failingSince, Date.parse(editedAt))
    return at - since >= TOO_LONG ? since : undefined
  }

  #failingSince(receiver: Receiver, at: number): number {
    const before = this.#standings.get(receiver)
    // Where nothing was sent for as long, nobody knows whether it failed all the time.
    return before?.failingSince !== undefined && at - before.at < TOO_LONG ? before.failingSince : at
  }
}

/** How the last attempt at a receiver went; of one that is new, there was none. */
export type Trust = 'trusted' | 'new' | 'failing'

interface Standing {
  /** Of the last attempt, in epoch milliseconds. */
  readonly at: number
  /** Of the first attempt since the last success. */
  readonly failingSince?: number
}

/** Five days. */
const TOO_LONG = 5 * DAY
