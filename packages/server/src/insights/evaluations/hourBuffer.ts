import type { Resolution } from '@burgee/core'
import type { EvaluationCount, EventEntry, Exposure } from '../../storage/events/eventEntry.ts'
import type { EvaluationOutcome, EventSource } from './evaluationOf.ts'

/** The labels of a counter: every property of an evaluation that results distinguish. */
export type CounterLabels = Omit<EvaluationCount, 'count'>

/** The number of evaluations with the same labels. */
export interface Counter {
  readonly labels: CounterLabels
  count: number
}

/** Counters by label. Their size depends on the number of different labels, not on the number of evaluations. */
export class Counters {
  readonly #counters = new Map<string, Counter>()

  /** Returns the counter of an outcome and a source, and creates it when missing. */
  get({ variable, feature, variation }: EvaluationOutcome, { platform, sdkType }: EventSource): Counter {
    // Unique, since only platforms can contain spaces.
    const key = `${variable ?? ''} ${feature ?? ''} ${variation ?? ''} ${sdkType} ${platform}`
    const existing = this.#counters.get(key)
    if (existing) return existing
    const counter = { labels: { variable, feature, variation, platform, sdkType }, count: 0 }
    this.#counters.set(key, counter)
    return counter
  }

  list(): EvaluationCount[] {
    return [...this.#counters.values()].map(({ labels, count }) => ({ ...labels, count }))
  }
}

/** The evaluations of one environment in one hour that have not been appended to the event store. */
export class HourBuffer {
  readonly #counters = new Counters()
  /** A shortcut to the counters of served evaluations. Weak, so that it does not keep replaced configs in memory. */
  readonly #byResolution = new WeakMap<Resolution, Map<string, Counter>>()
  readonly #exposures: Exposure[] = []
  /** The time of the latest evaluation, in epoch milliseconds. */
  #at = 0

  /**
   * Returns the counter of a resolution and a source. The evaluator returns the same resolution object to all users who
   * are served the same, so `labels` is called once for each of them.
   */
  servedCounter(resolution: Resolution, source: string, labels: () => CounterLabels): Counter {
    let counters = this.#byResolution.get(resolution)
    if (!counters) {
      counters = new Map()
      this.#byResolution.set(resolution, counters)
    }
    let counter = counters.get(source)
    if (!counter) {
      counter = this.counter(labels())
      counters.set(source, counter)
    }
    return counter
  }

  counter(labels: CounterLabels): Counter {
    return this.#counters.get(labels, labels)
  }

  /** Counts one evaluation. */
  increment(counter: Counter, at: number): void {
    counter.count++
    this.#at = Math.max(this.#at, at)
  }

  /** Adds an exposure at the given time. Returns `false` when the buffer is full. */
  addExposure(exposure: Exposure, at: number): boolean {
    this.#at = Math.max(this.#at, at)
    if (this.#exposures.length >= MAX_EXPOSURES) return false
    this.#exposures.push(exposure)
    return true
  }

  /** Puts back an entry that could not be appended. Returns the number of exposures that did not fit. */
  restore({ at, counts, exposures }: EventEntry): number {
    for (const { count, ...labels } of counts) this.counter(labels).count += count
    this.#at = Math.max(this.#at, at)
    const fitting = exposures.slice(0, MAX_EXPOSURES - this.#exposures.length)
    // They happened before the buffered ones, and order decides which variation a user got last.
    this.#exposures.unshift(...fitting)
    return exposures.length - fitting.length
  }

  /** The number of buffered evaluations. */
  get size(): number {
    return this.#counters.list().reduce((sum, { count }) => sum + count, 0)
  }

  toEntry(environment: string, batchId: string): EventEntry {
    const [at, counts, exposures] = [this.#at, this.#counters.list(), this.#exposures]
    return { environment, at, batchId, reports: [], counts, exposures }
  }
}

/** The capacity of one hour. */
const MAX_EXPOSURES = 50_000
