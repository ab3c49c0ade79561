import type { MakeEdit } from './audit/edit.ts'
import { type Courier, openCourier } from './deliveries/courier.ts'
import { type CourierPace, courierPace } from './deliveries/courierPace.ts'
import type { ReceiversByKind } from './deliveries/receivers.ts'
import type { Ids } from './id.ts'
import type { Logger } from './log.ts'
import type { ServerMetrics } from './metrics/metrics.ts'
import { observabilityReceivers } from './observability/observabilityReceivers.ts'
import type { Options } from './options.ts'
import { createSend } from './outbound/createSend.ts'
import type { Send } from './outbound/send.ts'
import type { StoredOrganization } from './store/resources.ts'
import type { Store } from './store/store.ts'
import { tracedSend } from './tracing/tracedSend.ts'
import type { Tracing } from './tracing/tracing.ts'
import { webhookReceivers } from './webhooks/webhookReceivers.ts'

interface Dependencies {
  readonly options: Options
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly now: () => number
  readonly log: Logger
  readonly tracing: Tracing
  readonly metrics: Pick<ServerMetrics, 'attempts' | 'deliveries'>
  readonly organization: StoredOrganization
  /** The version of this program. */
  readonly software: string
  /** How fast the courier goes about things, where it is not as usual. */
  readonly pace: Partial<CourierPace> | undefined
}

/** How other systems are told of changes. */
export interface Deliveries {
  readonly send: Send
  readonly courier: Courier
}

/** Puts together what tells other systems of changes: who they are, how they are reached, and what goes on until they are told. */
export async function openDeliveries(dependencies: Dependencies): Promise<Deliveries> {
  const { options, organization, tracing, metrics, pace, ...parts } = dependencies
  const { allowedPrivateTargets } = options
  const { now, software } = parts
  const send = tracedSend(createSend({ software, allowedPrivateTargets, now }), tracing)
  const receivers: ReceiversByKind = {
    webhook: webhookReceivers(parts),
    observability: observabilityReceivers(parts)
  }
  const courier = await openCourier({
    ...parts,
    send,
    receivers,
    organization: organization.key,
    random: Math.random,
    pace: { ...courierPace, ...pace },
    onAttempt: (receiver, outcome) => metrics.attempts.inc({ receiver, outcome }),
    onSettled: (receiver, outcome) => metrics.deliveries.inc({ receiver, outcome })
  })
  return { send, courier }
}
