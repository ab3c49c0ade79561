import type { Registry } from 'prom-client'

/** The labels of a request. */
export interface RequestLabels {
  readonly operation: string
  readonly method: string
  readonly status: number
}

/** The requests with the same labels. */
interface Series {
  readonly labels: { readonly operation: string; readonly method: string; readonly status: string }
  /** The number of requests by the index of their bucket; the last is for those above every bound. */
  readonly counts: number[]
  sum: number
}

/**
 * The histogram of the durations of requests. That of `prom-client` validates and joins the labels at every observation
 * (ADR 98); this one looks them up in maps.
 */
export class RequestDurations {
  readonly name = 'burgee_http_request_duration_seconds'
  readonly help = 'Time to answer HTTP requests, in seconds.'
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #bounds: readonly number[]
  /** By operation, method and status: a concatenated key would have to be hashed for each request. */
  readonly #series = new Map<string, Map<string, Map<number, Series>>>()

  constructor(bounds: readonly number[], registers: readonly Registry[]) {
    this.#bounds = bounds
    // The registry reads the members above, `get` and `reset` only; its type asks for one of the library's classes.
    for (const registry of registers)
      registry.registerMetric(this as unknown as Parameters<Registry['registerMetric']>[0])
  }

  observe(labels: RequestLabels, seconds: number): void {
    const { operation, method, status } = labels
    const series = this.#series.get(operation)?.get(method)?.get(status) ?? this.#addSeries(labels)
    let index = 0
    while (index < this.#bounds.length && seconds > (this.#bounds[index] ?? 0)) index++
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += seconds
  }

  /** Returns the values in the form of `prom-client`. */
  async get() {
    const { name, help, type, aggregator } = this
    const byMethod = [...this.#series.values()].flatMap((series) => [...series.values()])
    const values = byMethod.flatMap((series) => [...series.values()]).flatMap(toValues(name, this.#bounds))
    return { name, help, type, aggregator, values }
  }

  reset(): void {
    this.#series.clear()
  }

  #addSeries({ operation, method, status }: RequestLabels): Series {
    const labels = { operation, method, status: String(status) }
    const added = { labels, counts: [...this.#bounds, 0].map(() => 0), sum: 0 }
    const byMethod = this.#series.get(operation) ?? new Map<string, Map<number, Series>>()
    const byStatus = byMethod.get(method) ?? new Map<number, Series>()
    this.#series.set(operation, byMethod.set(method, byStatus.set(status, added)))
    return added
  }
}

/** Returns the function that lists the values of a series: cumulative buckets, sum and count. */
function toValues(name: string, bounds: readonly number[]) {
  return ({ labels, counts, sum }: Series) => {
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? '+Inf', ...labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count }
    ]
  }
}
