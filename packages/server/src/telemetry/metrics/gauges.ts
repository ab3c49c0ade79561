import { Counter, Gauge, type Registry } from 'prom-client'
import { type ExpiryCounts, expiringKinds, expiryStates } from '../../flags/expiry/listExpiring.ts'
import type { EvaluationTotals } from './evaluationTotals.ts'
import { createLatest } from './latest.ts'
import type { LiveEnvironment } from './listLiveEnvironments.ts'

/** Values that are read at each scrape. */
export interface GaugeSources {
  /** The number of environments that are ready for evaluation. */
  readonly configs: () => number
  /** The number of open streams. */
  readonly streams: () => number
  readonly isWritable: () => boolean
  readonly environments: () => Promise<readonly LiveEnvironment[]>
  /** The number of credentials that expire soon or have expired. */
  readonly expiring: () => Promise<ExpiryCounts>
  /** The number of unfinished outbound messages. */
  readonly pendingDeliveries: () => Promise<number>
  /** The number of outbound messages that are not expanded to deliveries yet. */
  readonly outbox: () => Promise<number>
}

/** The gauges of what only a store has, for a process without one. */
export const noStoreGauges: Pick<GaugeSources, 'expiring' | 'pendingDeliveries' | 'outbox'> = {
  expiring: async () =>
    // `fromEntries` does not keep the names of the members.
    Object.fromEntries(expiringKinds.map((kind) => [kind, { expiring: 0, expired: 0 }])) as ExpiryCounts,
  pendingDeliveries: async () => 0,
  outbox: async () => 0
}

/** Registers the metrics that have one value for the whole server. */
export function addServerGauges(registers: Registry[], sources: GaugeSources): void {
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
  const addStored = (name: string, help: string, read: () => Promise<number>) => {
    const latest = createLatest(read)
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await latest()
        if (value === undefined) this.remove()
        else this.set(value)
      }
    })
  }
  add('burgee_configs', 'Environments whose config is ready for evaluation.', sources.configs)
  add('burgee_streams', 'Open streams.', sources.streams)
  add('burgee_store_writable', 'Whether the last write to the store succeeded, 1 or 0.', () =>
    sources.isWritable() ? 1 : 0
  )
  addStored(
    'burgee_deliveries_pending',
    'Deliveries to webhooks and observability services that will be attempted again.',
    sources.pendingDeliveries
  )
  addStored(
    'burgee_outbox_messages',
    'Messages to webhooks and observability services that have not been processed yet.',
    sources.outbox
  )
  const expiring = createLatest(sources.expiring)
  new Gauge({
    name: 'burgee_expiring_credentials',
    help: 'SDK keys, API clients, SCIM tokens and trusts that expire within BURGEE_EXPIRY_WARNING_DAYS days, or have expired.',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      const counts = await expiring()
      if (!counts) return
      for (const kind of expiringKinds) {
        for (const state of expiryStates) this.set({ kind, state }, counts[kind][state])
      }
    }
  })
}

/**
 * Registers the metrics of each environment. Labels are rebuilt at each scrape, since keys change and environments are
 * deleted.
 */
export function addEnvironmentMetrics(
  registers: Registry[],
  environments: GaugeSources['environments'],
  evaluations: EvaluationTotals
): void {
  const latest = createLatest(environments)
  new Gauge({
    name: 'burgee_config_version_timestamp_seconds',
    help: 'When the current version of the config was created, in seconds since 1970.',
    labelNames: ['project', 'environment'],
    registers,
    async collect() {
      const live = await latest()
      if (!live) return
      this.reset()
      for (const { project, environment, versionAt } of live) {
        if (versionAt !== undefined) this.set({ project, environment }, versionAt)
      }
    }
  })
  new Counter({
    name: 'burgee_evaluations_total',
    help: 'Evaluations of single variables, counted by the server or reported by SDKs.',
    labelNames: ['project', 'environment', 'outcome', 'sdk_type'],
    registers,
    async collect() {
      const live = await latest()
      if (!live) return
      const totals = evaluations.of(live)
      this.reset()
      for (const [labels, total] of totals) this.inc({ ...labels }, total)
    }
  })
}
