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
  /** The counts of all workers, including those that have ended. */
  readonly counts: WorkerCounts
}

/** Registers the metrics of workers. Returns the function that reads the metrics of all processes together. */
export function addWorkers(
  registry: Registry,
  { configured, ids, readAll, counts }: WorkerSources
): () => Promise<string> {
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
  return async () => {
    const [own, read] = await Promise.all([registry.getMetricsAsJSON(), readAll()])
    for (const [id, snapshot] of read) counts.record(id, snapshot.filter(isCount))
    const gauges = [...read.values()].map((snapshot) => snapshot.filter(isGaugeOfProcess))
    return aggregate([own.map(keepOwn), ...counts.all(), ...gauges]).metrics()
  }
}

/** The counts of each worker since its start. */
interface WorkerCounts {
  /** Replaces the counts of a worker, if it still runs. */
  readonly record: (id: number, counts: MetricsSnapshot) => void
  /** Keeps the last counts of a worker that has ended, since totals must not decrease. */
  readonly retire: (id: number) => void
  readonly all: () => readonly MetricsSnapshot[]
}

/** Creates empty counts of workers. */
export function createWorkerCounts(isRunning: (id: number) => boolean): WorkerCounts {
  const last = new Map<number, MetricsSnapshot>()
  let ended: MetricsSnapshot = []
  return {
    record: (id, counts) => {
      if (isRunning(id)) last.set(id, counts)
    },
    retire: (id) => {
      // The metrics of an aggregate are objects with the members of a snapshot.
      ended = aggregate([ended, last.get(id) ?? []]).getMetricsAsArray()
      last.delete(id)
    },
    all: () => [...last.values(), ended]
  }
}

/** Reads the counts of a process. Gauges are left out: reading them resets the event loop delays of the next scrape. */
export async function readCounts(registry: Registry): Promise<MetricsSnapshot> {
  const counts = registry.getMetricsAsArray().filter(isCount)
  return Promise.all(counts.flatMap(({ name }) => registry.getSingleMetric(name)?.get() ?? []))
}

function aggregate(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]))
}

function isCount({ type }: Pick<Metric, 'type'>): boolean {
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
