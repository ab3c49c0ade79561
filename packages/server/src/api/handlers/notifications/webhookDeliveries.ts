import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { toReceiver } from '../../../integrations/outbox/deliveryChannel.ts'
import type { DeliveryWorker } from '../../../integrations/outbox/deliveryWorker.ts'
import { listDeliveries } from '../../../integrations/outbox/outbox.ts'
import { getWebhook, type WebhookAddress } from '../../../integrations/webhooks/getWebhook.ts'
import { listWebhookDeliveries, toWebhookDelivery } from '../../../integrations/webhooks/webhookDeliveries.ts'
import { conflict, itemNotFound } from '../../../lib/errors.ts'
import type { StoredDelivery, StoredWebhook } from '../../../storage/resources/notification.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly deliveryWorker: Pick<DeliveryWorker, 'redeliver' | 'withNextAttempt'>
}

type Operations = 'listWebhookDeliveries' | 'getWebhookDelivery' | 'redeliverWebhook'

/** Handlers of the deliveries of a webhook. */
export function webhookDeliveries({ store, deliveryWorker }: Dependencies): Pick<Handlers, Operations> {
  const toDelivery = (caller: TokenCaller, webhook: StoredWebhook, delivery: StoredDelivery) =>
    toWebhookDelivery(caller, webhook, deliveryWorker.withNextAttempt(delivery))
  return {
    listWebhookDeliveries: async ({ params, query }, caller) => {
      const { webhook } = await getWebhook(store, params, caller)
      const { items, count } = await listWebhookDeliveries(store, webhook, query)
      return { items: items.map((delivery) => toDelivery(caller, webhook, delivery)), count }
    },

    getWebhookDelivery: async ({ params }, caller) => {
      const { webhook, delivery } = await find(store, params, caller)
      return toDelivery(caller, webhook, delivery)
    },

    redeliverWebhook: async ({ params }, caller) => {
      const { webhook, delivery } = await find(store, params, caller)
      if (!webhook.enabled) {
        throw conflict(`webhook "${webhook.name}" is disabled; set enabled to true before its messages are sent`)
      }
      const again = await deliveryWorker.redeliver(delivery._id)
      if (!again) throw itemNotFound('delivery', delivery._id)
      if (again === 'in-flight') throw conflict(`delivery ${delivery._id} is being attempted; wait for the result`)
      return toWebhookDelivery(caller, webhook, again)
    }
  }
}

interface Found {
  readonly webhook: StoredWebhook
  readonly delivery: StoredDelivery
}

/** Returns the delivery at an address and its webhook. @throws {HttpError} 404 */
async function find(
  store: Store,
  params: WebhookAddress & { readonly delivery: string },
  caller: TokenCaller
): Promise<Found> {
  const { webhook } = await getWebhook(store, params, caller)
  const [delivery] = await listDeliveries(store, { _id: params.delivery, receiver: toReceiver('webhook', webhook._id) })
  if (!delivery) throw itemNotFound('delivery', params.delivery, { within: `webhook "${webhook.name}"` })
  return { webhook, delivery }
}
