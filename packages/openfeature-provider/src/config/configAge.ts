import { MAX_TIMER_MS } from '../optionRanges.ts'

/** Tracks the age of the config in use. It uses `performance.now()` because the clock may jump. */
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

  /** The source confirmed that the config is current. */
  confirm(): void {
    this.#isConfirmed = true
    clearTimeout(this.#timer)
  }

  /** The source failed: from now on the config ages. */
  unconfirm(): void {
    if (!this.#isConfirmed) return
    this.#isConfirmed = false
    this.setAge(0)
  }

  /** Sets the age in milliseconds. */
  setAge(age: number): void {
    this.#confirmedAt = performance.now() - age
    clearTimeout(this.#timer)
    const left = Math.max(0, this.#maxAge - age)
    // One more, because a timer may end a moment early.
    if (left < MAX_TIMER_MS) this.#timer = setTimeout(() => this.#onOutdated(), left + 1).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
