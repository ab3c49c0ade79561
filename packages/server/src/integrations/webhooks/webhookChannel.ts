import type { Edit } from '../../access/audit/edit.ts'
import { maskWebhookUrls } from '../../access/audit/maskWebhookUrls.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredOutboxMessage } from '../../storage/resources/notification.ts'
import type { Store } from '../../storage/store.ts'
import {
  type DeliveryChannel,
  type DisableOptions,
  type PreparedMessage,
  parseReceiver,
  type RejectedMessage
} from '../outbox/deliveryChannel.ts'
import { buildSignedRequest } from './buildSignedRequest.ts'
import { buildWebhookMessages } from './buildWebhookMessages.ts'
import { toWebhookPayload } from './webhookPayload.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
}

/** Creates the channel of webhooks (docs/guides/webhooks.md). */
export function createWebhookChannel({ store, ids }: Dependencies): DeliveryChannel {
  return {
    buildMessages: (change, transaction) => buildWebhookMessages(change, transaction, ids),
    prepare: (message, at) => prepare(store, message, at),
    exists: async (_id) => (await store.collection('webhooks').get({ _id })) !== undefined,
    removedBy: ({ collection, before, after }) => {
      if (collection !== 'webhooks' || !before) return undefined
      return !after || (before.enabled && !after.enabled) ? before._id : undefined
    },
    disable
  }
}

async function prepare(
  store: Store,
  { _id, receiver, _entry, telling: notification }: StoredOutboxMessage,
  at: number
): Promise<PreparedMessage | RejectedMessage | undefined> {
  const webhook = (await store.collection('webhooks').get({ _id: parseReceiver(receiver).id })) ?? notification.webhook
  const entry = await store.collection('auditEntries').get({ _id: _entry })
  if (!webhook || !entry) return undefined
  if (!webhook.enabled) return { type: 'rejected', reason: 'the webhook is disabled' }
  const request = await buildSignedRequest(store, webhook, {
    id: _id,
    at,
    payload: toWebhookPayload(notification, entry)
  })
  return { type: 'ready', request, editedAt: webhook.updatedAt }
}

async function disable(edit: Edit, _id: string, { reason, editedAt }: DisableOptions): Promise<boolean> {
  const webhook = await edit.store.collection('webhooks').get({ _id })
  if (!webhook?.enabled || webhook.updatedAt !== editedAt) return false
  const subject = { _project: webhook._project }
  const update = { collection: 'webhooks', resource: 'Webhook', subject, mapChanges: maskWebhookUrls } as const
  await updateAudited(edit, update, webhook, { ...webhook, enabled: false, disabledReason: reason })
  return true
}
