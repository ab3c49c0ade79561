/** Commits entries in batches, one batch at a time: entries that arrive during a commit share the next one. */
export class GroupCommit<Entry> {
  readonly #commit: (batch: readonly Entry[]) => Promise<void>
  readonly #joins: (first: Entry, next: Entry) => boolean
  #waiting: Waiter<Entry>[] = []
  #loop: Promise<void> | undefined

  /** @param joins Whether an entry may share the commit of `first`. The order of entries is kept. */
  constructor(
    commit: (batch: readonly Entry[]) => Promise<void>,
    joins: (first: Entry, next: Entry) => boolean = () => true
  ) {
    this.#commit = commit
    this.#joins = joins
  }

  /** Resolves when the entry is committed; rejects with the error of its commit. */
  add(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
      this.#loop ??= this.#run()
    })
  }

  /** Resolves when all entries are committed. */
  async idle(): Promise<void> {
    await this.#loop
  }

  async #run(): Promise<void> {
    // Entries that arrive in the same tick share the first commit.
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
