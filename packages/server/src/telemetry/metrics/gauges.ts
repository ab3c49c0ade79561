import { Counter, Gauge, type Registry } from 'prom-client'
import type { EvaluationTotals } from './evaluationTotals.ts'
import type { LiveEnvironment } from './listLiveEnvironments.ts'

/** What is counted when somebody asks. */
export interface GaugeSources {
  /** How many environments are ready. */
  readonly configs: () => number
  /** How many streams are open. */
  readonly streams: () => number
  readonly isWritable: () => boolean
  readonly environments: () => Promise<readonly LiveEnvironment[]>
  /** How many messages to other systems are not settled. */
  readonly pendingDeliveries: () => Promise<number>
  /** How many of them no delivery is kept of yet. */
  readonly outbox: () => Promise<number>
}

/** Adds the metrics that have one number for the whole server. */
export function addServerGauges(registers: Registry[], sizes: GaugeSources): void {
  const add = (name: string, help: string, size: () => number | Promise<number>) => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await size())
      }
    })
  }
  add('burgee_configs', 'Environments whose config is ready for evaluation.', sizes.configs)
  add('burgee_streams', 'Streams that are open.', sizes.streams)
  add('burgee_store_writable', 'Whether the last write to the store succeeded, 1 or 0.', () =>
    sizes.isWritable() ? 1 : 0
  )
  add(
    'burgee_deliveries_pending',
    'Messages to webhooks and observability services that will be tried again.',
    sizes.pendingDeliveries
  )
  add(
    'burgee_outbox_messages',
    'Messages to webhooks and observability services that have not been looked at.',
    sizes.outbox
  )
}

/** Adds the metrics of each environment. They are made anew each time: environments get other keys, and those that are gone are not told of any more. */
export function addEnvironmentMetrics(
  registers: Registry[],
  environments: GaugeSources['environments'],
  evaluations: EvaluationTotals
): void {
  new Gauge({
    name: 'burgee_config_version_timestamp_seconds',
    help: 'When the version of the config came about that is in force, in seconds since 1970.',
    labelNames: ['project', 'environment'],
    registers,
    async collect() {
      const live = await environments()
      this.reset()
      for (const { project, environment, versionAt } of live) {
        if (versionAt !== undefined) this.set({ project, environment }, versionAt)
      }
    }
  })
  new Counter({
    name: 'burgee_evaluations_total',
    help: 'Evaluations of single variables that were counted, by the server or by SDKs that reported them.',
    labelNames: ['project', 'environment', 'outcome', 'sdk_type'],
    registers,
    async collect() {
      const totals = evaluations.of(await environments())
      this.reset()
      for (const [labels, total] of totals) this.inc({ ...labels }, total)
    }
  })
}
