import type { EvaluationCount } from '../../storage/events/eventEntry.ts'

/** What is counted: everything about an evaluation that results tell apart. */
export type CounterLabels = Omit<EvaluationCount, 'count'>

/** How often one thing came of an evaluation, so far. */
export interface Counter {
  readonly labels: CounterLabels
  count: number
}

/** Evaluations that are counted rather than listed: however many there are, they take as much room as there are different ones. */
export class Counters {
  readonly #cells = new Map<string, Counter>()

  /** Where evaluations like this are counted. */
  counter(labels: CounterLabels): Counter {
    const { variable, feature, variation, platform, sdkType } = labels
    // A name that no two of them share, whatever characters they hold.
    const name = JSON.stringify([variable, feature, variation, platform, sdkType])
    const known = this.#cells.get(name)
    if (known) return known
    const made = { labels, count: 0 }
    this.#cells.set(name, made)
    return made
  }

  list(): EvaluationCount[] {
    return [...this.#cells.values()].map(({ labels, count }) => ({ ...labels, count }))
  }
}
