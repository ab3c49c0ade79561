import { every, type PeriodicJob } from '@burgee/kit'
import { isKeyReplaced, type ServerOptions } from './serverOptions.ts'

/** How often the `sdkKey` function is called while its last key is rejected. Overridden by `retry.initialMs`. */
const KEY_CHECK_MS = 1_000

/**
 * A timer for the next attempt. While a key is rejected, it fires early once the `sdkKey` function returns a different
 * key.
 */
export class RetryTimer {
  readonly #server: ServerOptions
  #timer: NodeJS.Timeout | undefined
  #keyCheck: PeriodicJob | undefined

  constructor(server: ServerOptions) {
    this.#server = server
  }

  get isRunning(): boolean {
    return this.#timer !== undefined
  }

  /** Restarts the timer. It does not keep the process alive. */
  start(ms: number, onEnd: (hasNewKey: boolean) => void, refusedKey?: string): void {
    this.clear()
    const end = (hasNewKey: boolean): void => {
      this.clear()
      onEnd(hasNewKey)
    }
    this.#timer = setTimeout(() => end(false), ms).unref()
    if (refusedKey === undefined || typeof this.#server.sdkKey !== 'function') return
    const checkKey = (): void => {
      if (isKeyReplaced(this.#server, refusedKey)) end(true)
    }
    // `isKeyReplaced` handles the errors of an `sdkKey` function.
    this.#keyCheck = every(this.#server.retry?.initialMs ?? KEY_CHECK_MS, checkKey, { onError: () => {} })
  }

  clear(): void {
    clearTimeout(this.#timer)
    void this.#keyCheck?.stop()
    this.#timer = undefined
    this.#keyCheck = undefined
  }
}
