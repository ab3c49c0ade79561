/** What has been opened so far, to be closed in reverse: by a start that fails half-way, and by the end. */
export class Disposer {
  readonly #closers: (() => unknown)[] = []
  #closed: Promise<void> | undefined

  defer(close: () => unknown): void {
    this.#closers.push(close)
  }

  /** Closes everything, also after one of them fails; the first failure is told in the end. Calling it again does nothing more. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closers.reverse()) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
