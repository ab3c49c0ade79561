import type { Resolution } from '@burgee/core'
import type { BatchEvent } from './event.ts'

/** Counts evaluations. Memory depends on the number of flags, not of evaluations. */
export class EvaluationCounters {
  readonly #served = new Map<string, Counter>()
  /** The same counters by resolution: users with the same result share a resolution object. */
  #byResolution = new WeakMap<Resolution, Counter>()
  readonly #defaulted = new Map<string, Counter>()
  /** Flags that do not exist. They have a separate limit, because their number is unbounded. */
  readonly #unknown = new Map<string, Counter>()
  readonly #unknownLimit: number

  /** @param unknownLimit The maximum number of unknown flags that are counted. */
  constructor(unknownLimit: number) {
    this.#unknownLimit = unknownLimit
  }

  /** Counts an evaluation. Returns false if the limit for unknown flags is reached. */
  increment(key: string, resolution: Resolution, isDefaulted: boolean): boolean {
    if (resolution.status === 'served' && !isDefaulted) {
      add(this.#counterOf(key, resolution), resolution.variable.eval.reason)
      return true
    }
    const isUnknown = resolution.status === 'unknown'
    const counters = isUnknown ? this.#unknown : this.#defaulted
    if (isUnknown && counters.size >= this.#unknownLimit && !counters.has(key)) return false
    add(
      getOrCreate(counters, key, () => ({ key, feature: undefined, variation: 'DEFAULT', total: 0, reasons: {} })),
      'DEFAULT'
    )
    return true
  }

  /** The number of events that the counters will produce. */
  get size(): number {
    return this.#served.size + this.#defaulted.size + this.#unknown.size
  }

  clear(): void {
    for (const counters of [this.#served, this.#defaulted, this.#unknown]) counters.clear()
    this.#byResolution = new WeakMap()
  }

  /** Removes and returns at most `limit` events, one for each variable, feature and variation. */
  take(limit: number, clientId: string, date: string): BatchEvent[] {
    // Cached references to removed counters must not be used.
    this.#byResolution = new WeakMap()
    const events: BatchEvent[] = []
    for (const counters of [this.#served, this.#defaulted, this.#unknown]) {
      for (const [name, counter] of counters) {
        if (events.length >= limit) return events
        counters.delete(name)
        events.push(toEvent(counter, clientId, date))
      }
    }
    return events
  }

  #counterOf(key: string, resolution: ServedResolution): Counter {
    const known = this.#byResolution.get(resolution)
    if (known) return known
    const { _feature: feature } = resolution.variable
    const { _variation: variation } = resolution.feature
    // JSON makes the name unique, regardless of the characters in its parts.
    const name = JSON.stringify([key, feature, variation])
    const counter = getOrCreate(this.#served, name, () => ({ key, feature, variation, total: 0, reasons: {} }))
    this.#byResolution.set(resolution, counter)
    return counter
  }
}

type ServedResolution = Resolution & { readonly status: 'served' }

interface Counter {
  readonly key: string
  readonly feature: string | undefined
  readonly variation: string
  total: number
  readonly reasons: Record<string, number>
}

function add(counter: Counter, reason: string): void {
  counter.total++
  counter.reasons[reason] = (counter.reasons[reason] ?? 0) + 1
}

function getOrCreate(counters: Map<string, Counter>, name: string, create: () => Counter): Counter {
  const counter = counters.get(name)
  if (counter) return counter
  const created = create()
  counters.set(name, created)
  return created
}

function toEvent({ key, feature, variation, total, reasons }: Counter, clientId: string, date: string): BatchEvent {
  return {
    type: feature ? 'aggVariableEvaluated' : 'aggVariableDefaulted',
    target: key,
    user_id: clientId,
    date,
    clientDate: date,
    value: total,
    metaData: { ...(feature ? { _feature: feature } : {}), _variation: variation, eval: reasons }
  }
}
