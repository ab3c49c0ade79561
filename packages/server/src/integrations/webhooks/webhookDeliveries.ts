import { DEFAULT_PER_PAGE, type ListWebhookDeliveries, type WebhookDelivery } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredDelivery, StoredWebhook } from '../../storage/resources/notification.ts'
import type { Page, Store } from '../../storage/store.ts'
import { toReceiver } from '../outbox/deliveryChannel.ts'
import { listDeliveries } from '../outbox/outbox.ts'

/** Returns a page of a webhook's deliveries, newest first. */
export async function listWebhookDeliveries(
  store: Store,
  { _id }: StoredWebhook,
  { page = 1, perPage = DEFAULT_PER_PAGE, status }: ListWebhookDeliveries
): Promise<Page<StoredDelivery>> {
  // Reads all: a webhook has at most 1,000 finished deliveries, and few pending ones unless it fails.
  const all = await listDeliveries(store, { receiver: toReceiver('webhook', _id) })
  const items = all.filter((delivery) => status === undefined || delivery.status === status).sort(newestFirst)
  return { items: items.slice((page - 1) * perPage, page * perPage), count: items.length }
}

function newestFirst(one: StoredDelivery, other: StoredDelivery): number {
  const [former, latter] = one.createdAt === other.createdAt ? [one._id, other._id] : [one.createdAt, other.createdAt]
  return former < latter ? 1 : -1
}

/**
 * Converts a delivery for a caller. The receiver's responses are included only for callers who may change the webhook.
 */
export function toWebhookDelivery(
  { access }: TokenCaller,
  { _id: _webhook }: StoredWebhook,
  { _id, createdAt, updatedAt, _project, _feature, events, status, reason, attempts, nextAttemptAt }: StoredDelivery
): WebhookDelivery {
  const showsResponse = access.allows('project:write:settings', _project)
  return {
    _id,
    createdAt,
    updatedAt,
    _project,
    _webhook,
    ...omitUndefined({ _feature }),
    events: [...events],
    status,
    ...omitUndefined({ reason }),
    attempts: attempts.map(({ response, ...attempt }) =>
      showsResponse ? { ...attempt, ...omitUndefined({ response }) } : attempt
    ),
    ...omitUndefined({ nextAttemptAt })
  }
}
