import { DEFAULT_PER_PAGE, type ListWebhookDeliveries } from '@burgee/contract/schemas'
import type { StoredDelivery, StoredWebhook } from '../../storage/resources.ts'
import type { Page, Store } from '../../storage/store.ts'
import { toReceiver } from '../outbox/deliveryChannel.ts'
import { listDeliveries } from '../outbox/outbox.ts'

/** A page of what a webhook was told, or is to be told, and what came of it: the newest first. */
export async function listDeliveriesOfWebhook(
  store: Store,
  { _id }: StoredWebhook,
  { page = 1, perPage = DEFAULT_PER_PAGE, status }: ListWebhookDeliveries
): Promise<Page<StoredDelivery>> {
  // Not many: what is settled goes in time, and what is not was never sent.
  const all = await listDeliveries(store, { receiver: toReceiver('webhook', _id) })
  const items = all.filter((delivery) => status === undefined || delivery.status === status).sort(newestFirst)
  return { items: items.slice((page - 1) * perPage, page * perPage), count: items.length }
}

function newestFirst(one: StoredDelivery, other: StoredDelivery): number {
  const [former, latter] = one.createdAt === other.createdAt ? [one._id, other._id] : [one.createdAt, other.createdAt]
  return former < latter ? 1 : -1
}
