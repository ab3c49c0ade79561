import type { Resolution } from '@burgee/core'
import type { EvaluationCount, EventEntry, Exposure } from '../../storage/events/eventEntry.ts'
import { type Counter, type CounterLabels, Counters } from './counters.ts'

/** The evaluations of one environment in one hour that are not appended yet. */
export class HourBuffer {
  readonly #tally = new Counters()
  /** The same cells by what is counted most. It must not keep in memory what configs of the past served. */
  readonly #byResolution = new WeakMap<Resolution, Map<string, Counter>>()
  readonly #exposures: Exposure[] = []
  /** When the last of them happened. */
  #at = 0

  /** Where evaluations with this resolution, which is the same object for everybody who is served it, are counted for this sender. */
  servedCounter(resolution: Resolution, sender: string, counted: () => CounterLabels): Counter {
    let cells = this.#byResolution.get(resolution)
    if (!cells) {
      cells = new Map()
      this.#byResolution.set(resolution, cells)
    }
    let counter = cells.get(sender)
    if (!counter) {
      counter = this.#tally.counter(counted())
      cells.set(sender, counter)
    }
    return counter
  }

  /** Counts one evaluation. */
  increment(cell: Counter, at: number): void {
    cell.count++
    this.#at = Math.max(this.#at, at)
  }

  cell(counted: CounterLabels): Counter {
    return this.#tally.counter(counted)
  }

  /** Whether there was room for it. */
  addExposure(exposure: Exposure): boolean {
    if (this.#exposures.length >= MAX_EXPOSURES) return false
    this.#exposures.push(exposure)
    return true
  }

  /** Adds what could not be appended. Answers how many of its exposures there was no room for. */
  restore({ at, counts, exposures }: EventEntry): number {
    for (const { count, ...counted } of counts) this.#tally.counter(counted).count += count
    this.#at = Math.max(this.#at, at)
    const fitting = exposures.slice(0, MAX_EXPOSURES - this.#exposures.length)
    // They came before those that wait now, and what somebody got last matters.
    this.#exposures.unshift(...fitting)
    return exposures.length - fitting.length
  }

  /** How many evaluations wait. */
  get size(): number {
    return this.#tally.list().reduce((sum: number, { count }: EvaluationCount) => sum + count, 0)
  }

  toEntry(environment: string): EventEntry {
    return { environment, at: this.#at, reports: [], counts: this.#tally.list(), exposures: this.#exposures }
  }
}

/** How many exposures of one hour wait at most. */
const MAX_EXPOSURES = 50_000
