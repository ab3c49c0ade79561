import { type ListWebhookDeliveries, PER_PAGE } from '@burgee/contract'
import { everyDelivery } from '../deliveries/backlog.ts'
import { receiverOf } from '../deliveries/receivers.ts'
import type { StoredDelivery, StoredWebhook } from '../store/resources.ts'
import type { Page, Store } from '../store/store.ts'

/** A page of what a webhook was told, or is to be told, and what came of it: the newest first. */
export async function deliveriesOf(
  store: Store,
  { _id }: StoredWebhook,
  { page = 1, perPage = PER_PAGE, status }: ListWebhookDeliveries
): Promise<Page<StoredDelivery>> {
  // Not many: what is settled goes in time, and what is not was never sent.
  const all = await everyDelivery(store, { receiver: receiverOf('webhook', _id) })
  const items = all.filter((delivery) => status === undefined || delivery.status === status).sort(newestFirst)
  return { items: items.slice((page - 1) * perPage, page * perPage), count: items.length }
}

function newestFirst(one: StoredDelivery, other: StoredDelivery): number {
  const [former, latter] = one.createdAt === other.createdAt ? [one._id, other._id] : [one.createdAt, other.createdAt]
  return former < latter ? 1 : -1
}
