import type { Resolution } from '@burgee/core'
import type { BatchEvent } from './event.ts'

/** Evaluations since they were last taken, counted rather than listed: however many there are, they take as much room as there are flags. */
export class EvaluationCounters {
  readonly #evaluated = new Map<string, Counter>()
  /** The same counts by what is counted most: a resolution is the same object for everybody who is served it. */
  #byResolution = new WeakMap<Resolution, Counter>()
  readonly #defaulted = new Map<string, Counter>()
  /** Flags that do not exist. Their names may be anything, and have no part in the room of the others. */
  readonly #unknown = new Map<string, Counter>()
  readonly #unknownLimit: number

  /** @param unknownLimit How many different flags that do not exist can be counted. */
  constructor(unknownLimit: number) {
    this.#unknownLimit = unknownLimit
  }

  /** Counts an evaluation. False when it is of one unknown flag too many. */
  increment(key: string, resolution: Resolution, isDefaulted: boolean): boolean {
    if (resolution.status === 'served' && !isDefaulted) {
      add(this.#countOf(key, resolution), resolution.variable.eval.reason)
      return true
    }
    const isUnknown = resolution.status === 'unknown'
    const counts = isUnknown ? this.#unknown : this.#defaulted
    if (isUnknown && counts.size >= this.#unknownLimit && !counts.has(key)) return false
    add(
      getOrCreate(counts, key, () => ({ key, feature: undefined, variation: 'DEFAULT', total: 0, reasons: {} })),
      'DEFAULT'
    )
    return true
  }

  /** How many events it comes to. */
  get size(): number {
    return this.#evaluated.size + this.#defaulted.size + this.#unknown.size
  }

  clear(): void {
    for (const counts of [this.#evaluated, this.#defaulted, this.#unknown]) counts.clear()
    this.#byResolution = new WeakMap()
  }

  /** Takes out at most so many, one event for each variable, feature and variation. */
  take(limit: number, by: string, date: string): BatchEvent[] {
    // What is taken is counted from nothing again.
    this.#byResolution = new WeakMap()
    const events: BatchEvent[] = []
    for (const counts of [this.#evaluated, this.#defaulted, this.#unknown]) {
      for (const [name, count] of counts) {
        if (events.length >= limit) return events
        counts.delete(name)
        events.push(toEvent(count, by, date))
      }
    }
    return events
  }

  #countOf(key: string, resolution: ServedResolution): Counter {
    const known = this.#byResolution.get(resolution)
    if (known) return known
    const { _feature: feature } = resolution.variable
    const { _variation: variation } = resolution.feature
    // A name that no two of them share, whatever characters they hold.
    const name = JSON.stringify([key, feature, variation])
    const count = getOrCreate(this.#evaluated, name, () => ({ key, feature, variation, total: 0, reasons: {} }))
    this.#byResolution.set(resolution, count)
    return count
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

function add(count: Counter, reason: string): void {
  count.total++
  count.reasons[reason] = (count.reasons[reason] ?? 0) + 1
}

function getOrCreate(counts: Map<string, Counter>, name: string, make: () => Counter): Counter {
  const known = counts.get(name)
  if (known) return known
  const made = make()
  counts.set(name, made)
  return made
}

function toEvent({ key, feature, variation, total, reasons }: Counter, by: string, date: string): BatchEvent {
  return {
    type: feature ? 'aggVariableEvaluated' : 'aggVariableDefaulted',
    target: key,
    user_id: by,
    date,
    clientDate: date,
    value: total,
    metaData: { ...(feature ? { _feature: feature } : {}), _variation: variation, eval: reasons }
  }
}
