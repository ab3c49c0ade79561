import { AggregatorRegistry, Gauge, type Registry } from 'prom-client'

/** The metrics of a process, as `getMetricsAsJSON` returns them. */
export type MetricsSnapshot = readonly Metric[]

interface Metric {
  readonly name: string
  /** The declared type of the library is an enum of numbers, but the values are names. */
  readonly type: unknown
  /** Likewise. */
  readonly aggregator: unknown
}

/** The workers of a server. */
export interface WorkerSources {
  /** The number of workers that should run. */
  readonly configured: number
  /** The ids of the workers that run. A worker that is started again has another id. */
  readonly ids: () => readonly number[]
  /** Returns the metrics of workers by their ids; those of a worker that does not answer in time are missing. */
  readonly readAll: () => Promise<ReadonlyMap<number, MetricsSnapshot>>
}

/** Registers the metrics of workers. Returns the function that reads the metrics of all processes together. */
export function addWorkers(registry: Registry, { configured, ids, readAll }: WorkerSources): () => Promise<string> {
  new Gauge({
    name: 'burgee_workers',
    help: 'Worker processes that run.',
    registers: [registry],
    collect() {
      this.set(ids().length)
    }
  })
  new Gauge({
    name: 'burgee_workers_configured',
    help: 'Worker processes that should run.',
    registers: [registry]
  }).set(configured)
  /** The last counts of each worker that runs. */
  const counts = new Map<number, MetricsSnapshot>()
  /** The counts of workers that have ended, since totals must not decrease. */
  let ended: MetricsSnapshot = []
  const retire = async (id: number, snapshot: MetricsSnapshot) => {
    counts.delete(id)
    ended = await aggregate([ended, snapshot]).getMetricsAsJSON()
  }
  return async () => {
    const [own, read] = await Promise.all([registry.getMetricsAsJSON(), readAll()])
    for (const [id, snapshot] of read) counts.set(id, snapshot.filter(isCount))
    const running = new Set(ids())
    for (const [id, snapshot] of counts) if (!running.has(id)) await retire(id, snapshot)
    const gauges = [...read.values()].map((snapshot) => snapshot.filter(isGaugeOfProcess))
    return aggregate([own.map(keepOwn), ...counts.values(), ended, ...gauges]).metrics()
  }
}

function aggregate(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]))
}

function isCount({ type }: Metric): boolean {
  return type === 'counter' || type === 'histogram'
}

/** Whether a metric describes a process. Other gauges describe the whole server, which the main process knows. */
function isGaugeOfProcess(metric: Metric): boolean {
  return !isCount(metric) && /^(process|nodejs)_/.test(metric.name) && metric.aggregator !== 'omit'
}

/** A metric that cannot be aggregated, such as the start of the process, is that of the main process. */
function keepOwn(metric: Metric): Metric {
  return metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric
}
