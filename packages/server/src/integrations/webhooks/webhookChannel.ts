import type { Edit } from '../../access/audit/edit.ts'
import { maskWebhookUrls } from '../../access/audit/maskWebhookUrls.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredOutboxMessage } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import {
  type DeliveryChannel,
  type DisableReason,
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

/** The webhooks as the outbox knows them: which messages a change makes, what each attempt sends, and how one is switched off. */
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
  { _id, receiver, _entry, telling }: StoredOutboxMessage,
  at: number
): Promise<PreparedMessage | RejectedMessage | undefined> {
  const webhook = (await store.collection('webhooks').get({ _id: parseReceiver(receiver).id })) ?? telling.webhook
  const entry = await store.collection('auditEntries').get({ _id: _entry })
  if (!webhook || !entry) return undefined
  if (!webhook.enabled) return { type: 'refused', reason: 'the webhook is switched off' }
  const request = await buildSignedRequest(store, webhook, { id: _id, at, body: toWebhookPayload(telling, entry) })
  return { type: 'ready', request, editedAt: webhook.updatedAt }
}

async function disable(edit: Edit, _id: string, { reason, editedAt }: DisableReason): Promise<boolean> {
  const webhook = await edit.store.collection('webhooks').get({ _id })
  if (!webhook?.enabled || webhook.updatedAt !== editedAt) return false
  const subject = { _project: webhook._project }
  const place = { collection: 'webhooks', resource: 'Webhook', subject, mapChanges: maskWebhookUrls } as const
  await updateAudited(edit, place, webhook, { ...webhook, enabled: false, disabledReason: reason })
  return true
}
