import type { EvaluationCount } from '../eventStore/entry.ts'

/** What is counted: everything about an evaluation that results tell apart. */
export type Counted = Omit<EvaluationCount, 'count'>

/** How often one thing came of an evaluation, so far. */
export interface Cell {
  readonly counted: Counted
  count: number
}

/** Evaluations that are counted rather than listed: however many there are, they take as much room as there are different ones. */
export class Tally {
  readonly #cells = new Map<string, Cell>()

  /** Where evaluations like this are counted. */
  cell(counted: Counted): Cell {
    const { variable, feature, variation, platform, sdkType } = counted
    // A name that no two of them share, whatever characters they hold.
    const name = JSON.stringify([variable, feature, variation, platform, sdkType])
    const known = this.#cells.get(name)
    if (known) return known
    const made = { counted, count: 0 }
    this.#cells.set(name, made)
    return made
  }

  list(): EvaluationCount[] {
    return [...this.#cells.values()].map(({ counted, count }) => ({ ...counted, count }))
  }
}
