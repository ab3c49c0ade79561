import type { EditRunner } from '../access/audit/edit.ts'
import type { Options } from '../cli/options.ts'
import { createObservabilityChannel } from '../integrations/observability/observabilityChannel.ts'
import type { DeliveryChannels } from '../integrations/outbox/deliveryChannel.ts'
import { type DeliveryTimings, deliveryTimings } from '../integrations/outbox/deliveryContext.ts'
import { openSharedDeliveries, type SharedDeliveries } from '../integrations/outbox/sharedDeliveries.ts'
import { createWebhookChannel } from '../integrations/webhooks/webhookChannel.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import { createSafeFetch } from '../lib/outbound/createSafeFetch.ts'
import type { SafeFetch } from '../lib/outbound/safeFetch.ts'
import type { OpenedStore } from '../storage/open/openStore.ts'
import type { StoredOrganization } from '../storage/resources/organization.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import { traceFetch } from '../telemetry/tracing/traceFetch.ts'
import type { Tracing } from '../telemetry/tracing/tracing.ts'

interface Dependencies {
  readonly options: Options
  readonly store: Store
  /** Does work on one server at a time. */
  readonly runExclusively: OpenedStore['runExclusively']
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  readonly tracing: Tracing
  readonly metrics: Pick<ServerMetrics, 'attempts' | 'deliveries'>
  readonly organization: StoredOrganization
  /** The version of the server. */
  readonly serverVersion: string
  readonly timings: Partial<DeliveryTimings> | undefined
}

/** The delivery of messages to other systems. */
export interface DeliveryServices {
  readonly send: SafeFetch
  readonly deliveryWorker: SharedDeliveries
}

/** Opens the delivery worker with its channels and its guarded HTTP client. */
export async function openDeliveries(dependencies: Dependencies): Promise<DeliveryServices> {
  const { options, organization, tracing, metrics, timings, ...parts } = dependencies
  const { allowedPrivateTargets } = options
  const { now, serverVersion } = parts
  const send = traceFetch(createSafeFetch({ serverVersion, allowedPrivateTargets, now }), tracing)
  const channels: DeliveryChannels = {
    webhook: createWebhookChannel(parts),
    observability: createObservabilityChannel(parts)
  }
  const deliveryWorker = await openSharedDeliveries({
    ...parts,
    send,
    channels,
    organization: organization.key,
    random: Math.random,
    timings: { ...deliveryTimings, ...timings },
    onAttempt: (receiver, outcome) => metrics.attempts.inc({ receiver, outcome }),
    onFinished: (receiver, outcome) => metrics.deliveries.inc({ receiver, outcome })
  })
  return { send, deliveryWorker }
}
