import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE } from '../duration.ts'
import { type Delivering, deliver } from './deliver.ts'
import { type Waiting, waitingAs } from './lane.ts'
import type { Queue, Running } from './queue.ts'
import type { Upkeep } from './upkeep.ts'

interface Dependencies extends Omit<Delivering, 'cut'> {
  readonly queue: Queue
  readonly upkeep: Upkeep
}

/** The attempts that are under way. */
export class Attempts {
  readonly #dependencies: Dependencies
  readonly #delivering: Delivering
  readonly #underWay = new Set<Promise<void>>()
  readonly #cut = new AbortController()
  #isEnded = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#delivering = { ...dependencies, cut: this.#cut.signal }
    // Each attempt under way listens to it.
    setMaxListeners(0, this.#cut.signal)
  }

  /** Begins everything that may be tried now; one that is over begins the next. */
  begin(): void {
    const { queue, now } = this.#dependencies
    while (!this.#isEnded) {
      const running = queue.next(now())
      if (!running) return
      const attempt: Promise<void> = this.#attempt(running).finally(() => this.#underWay.delete(attempt))
      this.#underWay.add(attempt)
    }
  }

  /** Begins no more. Attempts that take longer than a moment are cut off. */
  async end(): Promise<void> {
    this.#isEnded = true
    const { signal } = this.#cut
    const grace = wait(this.#dependencies.pace.graceMs, undefined, { signal }).catch(() => {})
    await Promise.race([Promise.all(this.#underWay), grace])
    this.#cut.abort()
    await Promise.all(this.#underWay)
  }

  async #attempt(running: Running): Promise<void> {
    const { queue, now } = this.#dependencies
    const again = await this.#tryOnce(running.waiting)
    queue.finish(running, again, now())
    this.begin()
  }

  async #tryOnce(waiting: Waiting): Promise<Waiting | undefined> {
    const { upkeep, now, log } = this.#dependencies
    const { delivery, position } = waiting
    try {
      const after = await deliver(this.#delivering, delivery)
      if (after?.status === 'pending') return waitingAs(after, position)
      upkeep.noteSettled(delivery.receiver)
      return undefined
    } catch (error) {
      log.warn({ err: error, delivery: delivery._id }, 'the server failed to deliver; it will try again')
      return { ...waiting, dueAt: now() + TROUBLE_MS }
    }
  }
}

/** How long a delivery rests that the server failed at, in milliseconds. */
const TROUBLE_MS = MINUTE
