import { isDiskFull } from '../disk/diskFull.ts'

/**
 * The writes of a start that a full disk prevents: they are repeated before anything else is written, so that a server
 * starts with what is on its disk.
 */
export class UnfinishedStart {
  readonly #steps: Step[] = []
  readonly #assertOwned: () => Promise<void>
  #failure: unknown

  /** @param assertOwned Rejects if another process owns the directory by now. */
  constructor(assertOwned: () => Promise<void>) {
    this.#assertOwned = assertOwned
  }

  /** The error of the first step that waits for room on the disk; `undefined` if the start is complete. */
  get failure(): unknown {
    return this.#steps.length > 0 ? this.#failure : undefined
  }

  /** Runs a step of the start. If the disk is full, or an earlier step waits, it is left to `finish`. */
  async run(step: Step): Promise<void> {
    if (this.#steps.length === 0) {
      try {
        return await step(false)
      } catch (error) {
        if (!isDiskFull(error)) throw error
        this.#failure = error
      }
    }
    this.#steps.push(step)
  }

  /** Runs the steps that wait, in their order. One call at a time. @throws while the disk is full. */
  async finish(): Promise<void> {
    for (let [step] = this.#steps; step; [step] = this.#steps) {
      await this.#assertOwned()
      await step(true)
      this.#steps.shift()
    }
  }
}

/** A step. `isLate` says that the start has ended, without room on the disk. */
type Step = (isLate: boolean) => Promise<void>
