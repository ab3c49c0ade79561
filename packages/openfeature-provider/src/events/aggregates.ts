import type { Resolution } from '@burgee/core'
import type { BatchEvent } from './event.ts'

/** Evaluations since they were last taken, counted rather than listed: however many there are, they take as much room as there are flags. */
export class Aggregates {
  readonly #counts = new Map<string, Count>()
  readonly #limit: number

  /** @param limit How many different things can be counted. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts an evaluation. False when it is one too many. */
  count(key: string, resolution: Resolution, isDefaulted: boolean): boolean {
    const given = !isDefaulted && resolution.status === 'served' ? resolution : undefined
    const feature = given?.variable._feature
    const variation = given?.feature._variation ?? 'DEFAULT'
    const reason = given?.variable.eval.reason ?? 'DEFAULT'
    // A name that no two of them share, whatever characters they hold.
    const name = JSON.stringify([key, feature, variation])
    const count = this.#counts.get(name) ?? { key, feature, variation, total: 0, reasons: {} }
    if (count.total === 0) {
      if (this.#counts.size >= this.#limit) return false
      this.#counts.set(name, count)
    }
    count.total++
    count.reasons[reason] = (count.reasons[reason] ?? 0) + 1
    return true
  }

  /** How many events it comes to. */
  get size(): number {
    return this.#counts.size
  }

  clear(): void {
    this.#counts.clear()
  }

  /** Takes out at most so many, one event for each variable, feature and variation. */
  take(limit: number, by: string, date: string): BatchEvent[] {
    return [...this.#counts].slice(0, limit).map(([name, { key, feature, variation, total, reasons }]) => {
      this.#counts.delete(name)
      return {
        type: feature ? 'aggVariableEvaluated' : 'aggVariableDefaulted',
        target: key,
        user_id: by,
        date,
        clientDate: date,
        value: total,
        featureVars: {},
        metaData: { ...(feature ? { _feature: feature } : {}), _variation: variation, eval: reasons }
      }
    })
  }
}

interface Count {
  readonly key: string
  readonly feature: string | undefined
  readonly variation: string
  total: number
  readonly reasons: Record<string, number>
}
