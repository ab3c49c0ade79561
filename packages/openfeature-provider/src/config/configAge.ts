import { MAX_TIMER_MS } from '../optionRanges.ts'

/** Whether the config in use is current, as far as anybody can tell. It goes by `performance.now()`, because the clock may jump. */
export class ConfigAge {
  readonly #maxAge: number
  readonly #onOutdated: () => void
  #isConfirmed = false
  /** When the config was last known to be current. */
  #confirmedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  /** @param maxAge The age, in milliseconds, beyond which a config that is not confirmed is outdated. `onOutdated` is told when it gets there. */
  constructor(maxAge = Number.POSITIVE_INFINITY, onOutdated: () => void) {
    this.#maxAge = maxAge
    this.#onOutdated = onOutdated
  }

  /** Whether the config is older than the age limit. */
  get isOutdated(): boolean {
    return !this.#isConfirmed && performance.now() - this.#confirmedAt > this.#maxAge
  }

  /** The source was reached, and what is in use is current. */
  confirm(): void {
    this.#isConfirmed = true
    clearTimeout(this.#timer)
  }

  /** The source fails: what is in use grows older from now on. */
  unconfirm(): void {
    if (!this.#isConfirmed) return
    this.#isConfirmed = false
    this.setAge(0)
  }

  /** What is in use was current so many milliseconds ago. */
  setAge(age: number): void {
    this.#confirmedAt = performance.now() - age
    clearTimeout(this.#timer)
    const left = Math.max(0, this.#maxAge - age)
    // One more, because a timer may ring a moment early.
    if (left < MAX_TIMER_MS) this.#timer = setTimeout(() => this.#onOutdated(), left + 1).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
