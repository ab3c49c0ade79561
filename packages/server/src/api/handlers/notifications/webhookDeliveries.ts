import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { toReceiver } from '../../../integrations/outbox/deliveryChannel.ts'
import type { DeliveryWorker } from '../../../integrations/outbox/deliveryWorker.ts'
import { listDeliveries } from '../../../integrations/outbox/outbox.ts'
import { getWebhook, type WebhookAddress } from '../../../integrations/webhooks/getWebhook.ts'
import { listDeliveriesOfWebhook } from '../../../integrations/webhooks/listDeliveriesOfWebhook.ts'
import { toWebhookDelivery } from '../../../integrations/webhooks/toWebhookDelivery.ts'
import { conflict, itemNotFound } from '../../../lib/errors.ts'
import type { StoredDelivery, StoredWebhook } from '../../../storage/resources.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly deliveryWorker: Pick<DeliveryWorker, 'redeliver'>
}

type Operations = 'listWebhookDeliveries' | 'getWebhookDelivery' | 'redeliverWebhook'

/** What became of the messages to a webhook. */
export function webhookDeliveries({ store, deliveryWorker }: Dependencies): Pick<Handlers, Operations> {
  return {
    listWebhookDeliveries: async ({ params, query }, caller) => {
      const { webhook } = await getWebhook(store, params, caller)
      const { items, count } = await listDeliveriesOfWebhook(store, webhook, query)
      return { items: items.map((delivery) => toWebhookDelivery(caller, webhook, delivery)), count }
    },

    getWebhookDelivery: async ({ params }, caller) => {
      const { webhook, delivery } = await find(store, params, caller)
      return toWebhookDelivery(caller, webhook, delivery)
    },

    redeliverWebhook: async ({ params }, caller) => {
      const { webhook, delivery } = await find(store, params, caller)
      if (!webhook.enabled) {
        throw conflict(`webhook "${webhook.name}" is switched off; set enabled to true before its messages are sent`)
      }
      const again = await deliveryWorker.redeliver(delivery._id)
      if (!again) throw itemNotFound('delivery', delivery._id)
      if (again === 'under way') throw conflict(`delivery ${delivery._id} is being tried; wait for what comes of it`)
      return toWebhookDelivery(caller, webhook, again)
    }
  }
}

interface Found {
  readonly webhook: StoredWebhook
  readonly delivery: StoredDelivery
}

/** The delivery that a request addresses, and its webhook. @throws {ApiError} 404 */
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
