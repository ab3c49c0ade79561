/**
 * One writer and its waiting list: what arrives while a commit is under way shares the next one.
 * It is a loop over a list; a chain of promises would let two commits overlap.
 */
export class GroupCommit<Entry> {
  readonly #commit: (batch: readonly Entry[]) => Promise<void>
  readonly #joins: (first: Entry, next: Entry) => boolean
  #waiting: Waiter<Entry>[] = []
  #loop: Promise<void> | undefined

  /** `joins` says whether an entry may share the commit that `first` begins; order is kept either way. */
  constructor(
    commit: (batch: readonly Entry[]) => Promise<void>,
    joins: (first: Entry, next: Entry) => boolean = () => true
  ) {
    this.#commit = commit
    this.#joins = joins
  }

  /** Resolves when the entry is committed; rejects with whatever made its commit fail. */
  add(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
      this.#loop ??= this.#run()
    })
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#loop
  }

  async #run(): Promise<void> {
    // Lets everything that arrives in the same tick share the first commit.
    await undefined
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      try {
        await this.#commit(batch.map(({ entry }) => entry))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#loop = undefined
  }

  #take(): Waiter<Entry>[] {
    const [first] = this.#waiting
    const end = this.#waiting.findIndex(({ entry }) => first && !this.#joins(first.entry, entry))
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }
}

interface Waiter<Entry> {
  readonly entry: Entry
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}
