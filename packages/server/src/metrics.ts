import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the server counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'operation' | 'method' | 'status'>
  readonly events: Counter
  readonly refusedEvents: Counter
  /** Versions of configs that somebody was told of. */
  readonly messages: Counter
  /** Streams that were dropped because their readers were too slow. */
  readonly dropped: Counter
  /** Features that could not be decided during an evaluation. */
  readonly problems: Counter<'code'>
}

/** What is counted when somebody asks. */
interface Sizes {
  /** How many environments are ready. */
  readonly configs: () => number
  /** How many streams are open. */
  readonly streams: () => number
}

/** A registry of its own for each server, so that several can live in one process. */
export function createMetrics({ configs, streams }: Sizes): Metrics {
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
  new Gauge({
    name: 'burgee_streams',
    help: 'Streams that are open.',
    registers,
    collect() {
      this.set(streams())
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
    refusedEvents: new Counter({
      name: 'burgee_events_refused_total',
      help: 'Events that SDKs sent and that could not be taken.',
      registers
    }),
    messages: new Counter({
      name: 'burgee_stream_messages_total',
      help: 'Messages about new versions of configs that were sent on streams.',
      registers
    }),
    dropped: new Counter({
      name: 'burgee_streams_dropped_total',
      help: 'Streams that were cut because their readers did not take what they were sent.',
      registers
    }),
    problems: new Counter({
      name: 'burgee_evaluation_problems_total',
      help: 'Features left out of an evaluation because they could not be decided.',
      labelNames: ['code'],
      registers
    })
  }
}
