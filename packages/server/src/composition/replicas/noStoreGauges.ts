import { type ExpiryCounts, expiringKinds } from '../../flags/expiry/listExpiring.ts'
import type { GaugeSources } from '../../telemetry/metrics/gauges.ts'

/** The gauges of what only a store has. */
export const noStoreGauges: Pick<GaugeSources, 'expiring' | 'pendingDeliveries' | 'outbox'> = {
  expiring: async () =>
    // `fromEntries` does not keep the names of the members.
    Object.fromEntries(expiringKinds.map((kind) => [kind, { expiring: 0, expired: 0 }])) as ExpiryCounts,
  pendingDeliveries: async () => 0,
  outbox: async () => 0
}
