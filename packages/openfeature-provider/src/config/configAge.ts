import { MAX_TIMER_MS } from '../optionRanges.ts'

/** Tracks the age of the config in use. Uses `performance.now()`, because the system clock may jump. */
export class ConfigAge {
  readonly #maxAge: number
  readonly #onOutdated: () => void
  #isConfirmed = false
  /** When the source last confirmed the config. */
  #confirmedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  /**
   * @param maxAge The age in milliseconds beyond which an unconfirmed config is outdated.
   * @param onOutdated Called when the config reaches that age.
   */
  constructor(maxAge = Number.POSITIVE_INFINITY, onOutdated: () => void) {
    this.#maxAge = maxAge
    this.#onOutdated = onOutdated
  }

  /** Whether the config is older than the limit. */
  get isOutdated(): boolean {
    return !this.#isConfirmed && performance.now() - this.#confirmedAt > this.#maxAge
  }

  /** Records that the source confirmed the config. */
  confirm(): void {
    this.#isConfirmed = true
    clearTimeout(this.#timer)
  }

  /** Records that the source failed. The config ages from now on. */
  unconfirm(): void {
    if (!this.#isConfirmed) return
    this.#isConfirmed = false
    this.setAge(0)
  }

  /** Sets the age in milliseconds. */
  setAge(age: number): void {
    this.#confirmedAt = performance.now() - age
    clearTimeout(this.#timer)
    const remaining = Math.max(0, this.#maxAge - age)
    // Plus 1 ms, because timers may fire slightly early.
    if (remaining < MAX_TIMER_MS) this.#timer = setTimeout(() => this.#onOutdated(), remaining + 1).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
