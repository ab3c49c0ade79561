import { DAY } from '../duration.ts'
import type { Logger } from '../log.ts'
import type { Receiver } from '../store/resources.ts'
import { StoreUnavailableError } from '../store/store.ts'
import type { Backlog } from './backlog.ts'
import type { CourierPace } from './courierPace.ts'
import { isThere, type ReceiversByKind } from './receivers.ts'
import { BETWEEN_LOOKS, forgetOld } from './retention.ts'

interface Dependencies {
  readonly backlog: Backlog
  readonly receivers: ReceiversByKind
  readonly now: () => number
  readonly log: Logger
  readonly pace: CourierPace
}

/** What is done for many deliveries at once, and later: emptying the outbox, and forgetting what is old. */
export class Upkeep {
  readonly #dependencies: Dependencies
  /** How many deliveries of each receiver were settled since it was looked at. */
  readonly #settled = new Map<Receiver, number>()
  /** Those that may be gone with something left of them. */
  readonly #doubtful = new Set<Receiver>()
  readonly #timer: NodeJS.Timeout
  #forgotAt = Number.NEGATIVE_INFINITY
  #round = Promise.resolve()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#timer = setInterval(() => {
      this.#round = this.#round.then(() => this.#work())
    }, dependencies.pace.emptyMs).unref()
  }

  /** Takes in that a delivery was settled. */
  noteSettled(receiver: Receiver): void {
    this.#settled.set(receiver, (this.#settled.get(receiver) ?? 0) + 1)
    this.#doubtful.add(receiver)
  }

  /** Takes in that a receiver is told nothing any more, as one that is gone. */
  noteWithdrawn(receiver: Receiver): void {
    this.#doubtful.add(receiver)
  }

  /** Empties the outbox for the last time. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#round
    await this.#work()
  }

  /** Does what is due. What the store refuses is tried again in the next round. */
  async #work(): Promise<void> {
    const { backlog, now, log } = this.#dependencies
    try {
      await backlog.emptyOutbox()
      if (now() - this.#forgotAt >= DAY) {
        await forgetOld(this.#dependencies)
        this.#forgotAt = now()
      }
      await this.#forgetMany()
      await this.#forgetGone()
    } catch (error) {
      // The store itself tells the operator that it cannot write.
      if (!(error instanceof StoreUnavailableError)) log.warn({ err: error }, 'upkeep of deliveries failed')
    }
  }

  async #forgetMany(): Promise<void> {
    for (const [receiver, count] of this.#settled) {
      if (count < BETWEEN_LOOKS) continue
      // Before the work: what is noted meanwhile is for the next round.
      this.#settled.delete(receiver)
      await forgetOld(this.#dependencies, receiver)
    }
  }

  /** What a receiver was told has names of people in it, and is nobody's once the receiver is gone. */
  async #forgetGone(): Promise<void> {
    const doubtful = [...this.#doubtful]
    this.#doubtful.clear()
    try {
      for (const receiver of doubtful) {
        if (!(await isThere(this.#dependencies.receivers, receiver))) await forgetOld(this.#dependencies, receiver)
      }
    } catch (error) {
      for (const receiver of doubtful) this.#doubtful.add(receiver)
      throw error
    }
  }
}
