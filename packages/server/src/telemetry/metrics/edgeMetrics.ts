import { Counter, Gauge, type Registry } from 'prom-client'

/** Values of an edge node that are read at each scrape. */
interface EdgeSources {
  /** The time since the oldest copy was known to be current; undefined without copies. */
  readonly configAgeSeconds: () => number | undefined
  /** The number of keys with which the upstream cannot be read. */
  readonly failing: () => number
  readonly queueBytes: () => number
}

/** Registers the metrics of an edge node. */
export function addEdgeMetrics(registry: Registry, sources: EdgeSources): { readonly forwarded: Counter } {
  const registers = [registry]
  const add = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      }
    })
  }
  add(
    'burgee_edge_config_age_seconds',
    'Time since the oldest config was known to be current, in seconds; NaN without a config.',
    () => sources.configAgeSeconds() ?? Number.NaN
  )
  add('burgee_edge_failing_keys', 'Keys in BURGEE_EDGE_KEYS whose config cannot be updated.', sources.failing)
  add('burgee_edge_queue_bytes', 'Size of the events that the upstream does not have yet.', sources.queueBytes)
  return {
    forwarded: new Counter({
      name: 'burgee_edge_entries_forwarded_total',
      help: 'Entries of events and evaluations that the upstream has stored.',
      registers
    })
  }
}
