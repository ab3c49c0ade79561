import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the server counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'operation' | 'method' | 'status'>
  readonly events: Counter
  /** Features that could not be decided during an evaluation. */
  readonly problems: Counter<'code'>
}

/** A registry of its own for each server, so that several can live in one process. `configs` tells how many environments are ready. */
export function createMetrics(configs: () => number): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'burgee_configs',
    help: 'Environments whose config is ready for evaluation.',
    registers,
    collect() {
      this.set(configs())
    }
  })
  return {
    registry,
    requests: new Histogram({
      name: 'burgee_http_request_duration_seconds',
      help: 'Time to answer HTTP requests, in seconds.',
      labelNames: ['operation', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers
    }),
    events: new Counter({ name: 'burgee_events_total', help: 'Events accepted from applications.', registers }),
    problems: new Counter({
      name: 'burgee_evaluation_problems_total',
      help: 'Features left out of an evaluation because they could not be decided.',
      labelNames: ['code'],
      registers
    })
  }
}
