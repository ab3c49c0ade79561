/** Closes resources in reverse order of their opening: after a failed start, and at shutdown. */
export class Disposer {
  readonly #closers: (() => unknown)[] = []
  #closed: Promise<void> | undefined

  defer(close: () => unknown): void {
    this.#closers.push(close)
  }

  /**
   * Closes everything, even if a closer fails; then rejects with the first failure. Further calls return the same
   * promise.
   */
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

/** Opens resources with a disposer, which closes those already open if opening fails. */
export async function openWithDisposer<T>(open: (disposer: Disposer) => Promise<T>): Promise<T> {
  const disposer = new Disposer()
  try {
    return await open(disposer)
  } catch (error) {
    await disposer.close()
    throw error
  }
}
