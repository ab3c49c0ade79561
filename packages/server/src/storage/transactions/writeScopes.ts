import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The transactions and listeners of a store that are in progress. If one of them awaited a write on the store itself,
 * the two would deadlock and block all later writes.
 */
export class WriteScopes {
  readonly #current = new AsyncLocalStorage<WriteScope>()
  #count = 0

  /** @throws when the asynchronous context belongs to a scope in progress. */
  assertNone(): void {
    const scope = this.#current.getStore()
    if (scope?.isActive) throw new Error(scope.message)
  }

  /** Runs work in a scope, in which `assertNone` throws an error with this message until the work has finished. */
  async run<T>(message: string, work: () => T | Promise<T>): Promise<T> {
    const scope: WriteScope = { message, isActive: true }
    this.#count++
    try {
      return await this.#current.run(scope, work)
    } finally {
      scope.isActive = false
      this.#count--
      // On Node.js 20 and 22, async context tracking costs evaluations a fifth of their CPU time, so it ends with the
      // write.
      if (this.#count === 0) this.#current.disable()
    }
  }
}

interface WriteScope {
  readonly message: string
  isActive: boolean
}
