import { isDiskFull } from '../disk/diskFull.ts'

/**
 * The writes of a start that a full disk prevents. They are repeated before anything else is written, so that a server
 * can start with the data on its disk.
 */
export class DeferredWrites {
  readonly #writes: DeferrableWrite[] = []
  readonly #assertOwned: () => Promise<void>
  #failure: unknown

  /** @param assertOwned Rejects if another process owns the directory by now. */
  constructor(assertOwned: () => Promise<void>) {
    this.#assertOwned = assertOwned
  }

  /** The error of the first deferred write; `undefined` if none is deferred. */
  get failure(): unknown {
    return this.#writes.length > 0 ? this.#failure : undefined
  }

  /** Runs a write of the start. Defers it if the disk is full, or if an earlier write is deferred. */
  async runOrDefer(write: DeferrableWrite): Promise<void> {
    if (this.#writes.length === 0) {
      try {
        return await write(false)
      } catch (error) {
        if (!isDiskFull(error)) throw error
        this.#failure = error
      }
    }
    this.#writes.push(write)
  }

  /** Runs the deferred writes in order. Calls must not overlap. @throws while the disk is full. */
  async flush(): Promise<void> {
    for (let [write] = this.#writes; write; [write] = this.#writes) {
      await this.#assertOwned()
      await write(true)
      this.#writes.shift()
    }
  }
}

/** A write of the start. `isDeferred` tells it that the disk was full before. */
type DeferrableWrite = (isDeferred: boolean) => Promise<void>
