import type { WebhookAttempt } from '@burgee/contract/schemas'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredDelivery } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { applyAttempt, isEndpointGone, toAttempt } from './applyAttempt.ts'
import { type DeliveryChannels, parseReceiver, type ReceiverKind } from './deliveryChannel.ts'
import type { DeliveryTimings } from './deliveryTimings.ts'
import type { Outbox } from './outbox.ts'
import { persistDelivery } from './persistDelivery.ts'
import type { EndpointHealthTracker } from './queue/endpointHealth.ts'
import { isSuccessful } from './queue/endpointHealth.ts'

/** What it takes to deliver. */
export interface DeliveryDependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly send: SafeFetch
  readonly channels: DeliveryChannels
  /** The key of the organization. */
  readonly organization: string
  readonly now: () => number
  /** At least 0 and less than 1. */
  readonly random: () => number
  readonly log: Logger
  readonly timings: DeliveryTimings
  /** Told of each attempt when it is over. */
  readonly onAttempt: (receiver: ReceiverKind, outcome: 'succeeded' | 'failed') => void
  /** Told of each message that is delivered or given up, once that is kept. */
  readonly onFinished: (receiver: ReceiverKind, status: 'delivered' | 'dead') => void
}

/** What one server works with while it delivers. */
export interface DeliveryContext extends DeliveryDependencies {
  readonly outbox: Outbox
  readonly endpointHealth: EndpointHealthTracker
  /** Cuts off what takes longer than the server has. */
  readonly shutdownSignal: AbortSignal
}

/** Tries to deliver. Answers the delivery as it is then, which is durable by that time; nothing when nothing is to become of it any more. */
export async function deliver(
  delivering: DeliveryContext,
  delivery: StoredDelivery
): Promise<StoredDelivery | undefined> {
  const { outbox, channels, send, now, random, shutdownSignal, endpointHealth, log, onAttempt } = delivering
  const { kind } = parseReceiver(delivery.receiver)
  const at = now()
  const prepared = await channels[kind].prepare(delivery, at)
  if (!prepared) {
    await outbox.discard(delivery)
    return undefined
  }
  if (prepared.type === 'refused') return keep(delivering, abandon(delivery, prepared.reason, at))
  const answer = await send(prepared.request, shutdownSignal)
  if (shutdownSignal.aborted && answer.type === 'failed') return delivery
  const made = toAttempt(answer, at)
  if (
    prepared.onFailure &&
    made.error !== undefined &&
    !endpointHealth.isKnownFailing(delivery.receiver, prepared.editedAt)
  ) {
    log.warn({ ...prepared.onFailure.members, reason: made.error }, prepared.onFailure.words)
  }
  endpointHealth.record(delivery.receiver, made)
  onAttempt(kind, isSuccessful(made) ? 'succeeded' : 'failed')
  const { retryAfterMs } = answer.type === 'answered' ? answer : {}
  const after = await keep(delivering, applyAttempt(delivery, made, { now: now(), random, retryAfterMs }))
  await disableFailing(delivering, delivery, made, prepared.editedAt)
  return after
}

async function keep(delivering: DeliveryContext, delivery: StoredDelivery): Promise<StoredDelivery> {
  await persistDelivery(delivering, delivery)
  if (delivery.status !== 'pending') delivering.onFinished(parseReceiver(delivery.receiver).kind, delivery.status)
  return delivery
}

function abandon({ nextAttemptAt: _, ...delivery }: StoredDelivery, reason: string, at: number): StoredDelivery {
  return { ...delivery, status: 'dead', reason, updatedAt: toIsoString(at) }
}

/** Switches a receiver off that says it is gone, or that failed for days. What the store refuses is tried again after the next failure. */
async function disableFailing(
  { channels, edit, organization, endpointHealth, log }: DeliveryContext,
  { receiver }: StoredDelivery,
  made: WebhookAttempt,
  editedAt: string
): Promise<void> {
  const { kind, id } = parseReceiver(receiver)
  const { disable } = channels[kind]
  const since = endpointHealth.failingTooLongSince(receiver, editedAt)
  const reason = isEndpointGone(made) ? GONE : since && `nothing could be delivered to it since ${toIsoString(since)}`
  if (!disable || !reason) return
  try {
    const isOff = await edit(serverCaller(organization), (change) => disable(change, id, { reason, editedAt }))
    if (isOff) log.warn({ receiver, reason }, 'a receiver of changes was switched off')
  } catch (error) {
    log.warn({ err: error, receiver }, 'a receiver of changes could not be switched off')
  }
}

const GONE = 'it answered 410, which says that it is gone for good'
