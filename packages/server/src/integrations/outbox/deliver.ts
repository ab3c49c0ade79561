import { setTimeout as wait } from 'node:timers/promises'
import type { WebhookAttempt } from '@burgee/contract/schemas'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredDelivery } from '../../storage/resources/notification.ts'
import { StoreUnavailableError } from '../../storage/store.ts'
import { applyAttempt, isEndpointGone, toAttempt } from './applyAttempt.ts'
import { type PreparedMessage, parseReceiver } from './deliveryChannel.ts'
import type { DeliveryContext } from './deliveryContext.ts'
import { isSuccessful } from './queue/endpointHealth.ts'

/**
 * Makes one attempt. Returns the updated delivery, which is durable, or `undefined` if the delivery was discarded
 * because its receiver or its change no longer exists.
 */
export async function deliver(context: DeliveryContext, delivery: StoredDelivery): Promise<StoredDelivery | undefined> {
  const { outbox, channels, send, now, random, shutdownSignal, endpointHealth, onAttempt } = context
  const { kind } = parseReceiver(delivery.receiver)
  const at = now()
  const message = await channels[kind].prepare(delivery, at)
  if (!message) {
    await outbox.discard(delivery)
    return undefined
  }
  if (message.type === 'rejected') return save(context, giveUp(delivery, message.reason, at))
  const response = await send(message.request, shutdownSignal)
  if (shutdownSignal.aborted && response.type === 'failed') return delivery
  const attempt = toAttempt(response, at)
  warnOnFirstFailure(context, delivery, message, attempt)
  endpointHealth.record(delivery.receiver, attempt)
  onAttempt(kind, isSuccessful(attempt) ? 'succeeded' : 'failed')
  const { retryAfterMs } = response.type === 'answered' ? response : {}
  const updated = await save(context, applyAttempt(delivery, attempt, { now: now(), random, retryAfterMs }))
  await disableFailing(context, delivery, attempt, message.editedAt)
  return updated
}

/** Receivers without a list of deliveries are reported in the log, once until they succeed or are edited. */
function warnOnFirstFailure(
  { endpointHealth, log }: DeliveryContext,
  { receiver }: StoredDelivery,
  { onFailure, editedAt }: PreparedMessage,
  { error }: WebhookAttempt
): void {
  if (!onFailure || error === undefined || endpointHealth.isKnownFailing(receiver, editedAt)) return
  log.warn({ ...onFailure.fields, reason: error }, onFailure.message)
}

async function save(context: DeliveryContext, delivery: StoredDelivery): Promise<StoredDelivery> {
  await persistDelivery(context, delivery)
  if (delivery.status !== 'pending') context.onFinished(parseReceiver(delivery.receiver).kind, delivery.status)
  return delivery
}

/**
 * Saves a delivery, and waits while the store does not accept writes. If the server stops first, it finds the former
 * state after the restart and repeats the attempt.
 */
async function persistDelivery(
  { outbox, log, timings, shutdownSignal }: DeliveryContext,
  delivery: StoredDelivery
): Promise<void> {
  for (;;) {
    try {
      return await outbox.save(delivery)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      if (shutdownSignal.aborted) {
        log.warn(
          { delivery: delivery._id },
          'the result of an attempt could not be saved; the attempt will be repeated'
        )
        return
      }
      await wait(timings.storeRetryMs, undefined, { signal: shutdownSignal, ref: false }).catch(() => {})
    }
  }
}

function giveUp({ nextAttemptAt: _, ...delivery }: StoredDelivery, reason: string, at: number): StoredDelivery {
  return { ...delivery, status: 'dead', reason, updatedAt: toIsoString(at) }
}

/**
 * Disables a receiver that answered 410 or has failed for days. If the store refuses the write, the next failure
 * retries.
 */
async function disableFailing(
  { channels, edit, organization, endpointHealth, log }: DeliveryContext,
  { receiver }: StoredDelivery,
  attempt: WebhookAttempt,
  editedAt: string
): Promise<void> {
  const { kind, id } = parseReceiver(receiver)
  const { disable } = channels[kind]
  const since = endpointHealth.failingTooLongSince(receiver, editedAt)
  const reason = isEndpointGone(attempt) ? GONE : since && `every delivery has failed since ${toIsoString(since)}`
  if (!disable || !reason) return
  try {
    const isDisabled = await edit(serverCaller(organization), (transaction) =>
      disable(transaction, id, { reason, editedAt })
    )
    if (isDisabled) log.warn({ receiver, reason }, 'disabled a failing receiver')
  } catch (error) {
    log.warn({ err: error, receiver }, 'could not disable a failing receiver')
  }
}

const GONE = 'the receiver answered 410 Gone'
