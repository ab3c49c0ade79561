import type { DayState } from '../engine/daySummary.ts'

/** What is known of days that are over and were asked about lately. The sum of what it takes is bounded. */
export class DayStateCache {
  /** Those that were asked about last stand last. */
  readonly #days = new Map<string, CachedDay>()
  #weight = 0

  /** What is known of a day; `load` finds out. */
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

/** How many things were served, where users of an hour weigh as many as take their place. */
function weightOf({ summary }: DayState): number {
  let weight = 1
  for (const { size: cells, users } of summary.environments.values()) weight += cells + 25 * [...users].length
  return weight
}
