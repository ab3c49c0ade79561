import type { TokenCaller } from '../caller.ts'
import { everyDelivery } from '../deliveries/backlog.ts'
import type { Courier } from '../deliveries/courier.ts'
import { receiverOf } from '../deliveries/receivers.ts'
import { conflict, itemNotFound } from '../errors.ts'
import type { StoredDelivery, StoredWebhook } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { deliveriesOf } from '../webhooks/deliveriesOf.ts'
import { findWebhook, type WebhookAddress } from '../webhooks/findWebhook.ts'
import { toDelivery } from '../webhooks/toDelivery.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly courier: Pick<Courier, 'redeliver'>
}

type Operations = 'listWebhookDeliveries' | 'getWebhookDelivery' | 'redeliverWebhook'

/** What became of the messages to a webhook. */
export function webhookDeliveries({ store, courier }: Dependencies): Pick<Handlers, Operations> {
  return {
    listWebhookDeliveries: async ({ params, query }, caller) => {
      const { webhook } = await findWebhook(store, params, caller)
      const { items, count } = await deliveriesOf(store, webhook, query)
      return { items: items.map((delivery) => toDelivery(caller, webhook, delivery)), count }
    },

    getWebhookDelivery: async ({ params }, caller) => {
      const { webhook, delivery } = await find(store, params, caller)
      return toDelivery(caller, webhook, delivery)
    },

    redeliverWebhook: async ({ params }, caller) => {
      const { webhook, delivery } = await find(store, params, caller)
      if (!webhook.enabled) {
        throw conflict(`webhook "${webhook.name}" is switched off; set enabled to true before its messages are sent`)
      }
      const again = await courier.redeliver(delivery._id)
      if (!again) throw itemNotFound(delivery._id)
      if (again === 'under way') throw conflict(`delivery ${delivery._id} is being tried; wait for what comes of it`)
      return toDelivery(caller, webhook, again)
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
  const { webhook } = await findWebhook(store, params, caller)
  const [delivery] = await everyDelivery(store, { _id: params.delivery, receiver: receiverOf('webhook', webhook._id) })
  if (!delivery) throw itemNotFound(params.delivery)
  return { webhook, delivery }
}
