import type { DayState } from '../engine/daySummary.ts'

/** A cache of days that are not open, with a limit on memory. */
export class DayStateCache {
  /** The most recently used days are last. */
  readonly #days = new Map<string, CachedDay>()
  #weight = 0

  /** Returns a day; loads it if it is not cached. */
  get(day: string, load: () => Promise<DayState>): Promise<DayState> {
    const known = this.#days.get(day)
    if (known) {
      this.#days.delete(day)
      this.#days.set(day, known)
      return known.state
    }
    const recent: CachedDay = { state: load(), weight: 0 }
    this.#days.set(day, recent)
    recent.state.then(
      (state) => this.#weigh(day, recent, state),
      () => this.#forget(day, recent)
    )
    return recent.state
  }

  forget(day: string): void {
    const known = this.#days.get(day)
    if (known) this.#forget(day, known)
  }

  #weigh(day: string, recent: CachedDay, state: DayState): void {
    if (this.#days.get(day) !== recent) return
    recent.weight = weightOf(state)
    this.#weight += recent.weight
    for (const [oldest, other] of this.#days) {
      if (this.#weight <= MAX_WEIGHT) return
      this.#forget(oldest, other)
    }
  }

  #forget(day: string, recent: CachedDay): void {
    if (this.#days.get(day) !== recent) return
    this.#days.delete(day)
    this.#weight -= recent.weight
  }
}

interface CachedDay {
  readonly state: Promise<DayState>
  weight: number
}

/** About 40 MB. */
const MAX_WEIGHT = 400_000

/** The number of counts; a set of users takes the memory of 25. */
function weightOf({ summary }: DayState): number {
  let weight = 1
  for (const { size, users } of summary.environments.values()) weight += size + 25 * [...users].length
  return weight
}
