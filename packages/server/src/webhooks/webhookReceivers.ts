import type { Edit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import { partsOf, type Ready, type Receivers, type Refused, type Why } from '../deliveries/receivers.ts'
import type { Ids } from '../id.ts'
import type { StoredOutboxMessage } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { bodyOf } from './body.ts'
import { signedRequest } from './signedRequest.ts'
import { webhookMessages } from './webhookMessages.ts'
import { withoutSecrets } from './withoutSecrets.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<Ids, 'id'>
}

/** The webhooks as the outbox knows them: which messages a change makes, what each attempt sends, and how one is switched off. */
export function webhookReceivers({ store, ids }: Dependencies): Receivers {
  return {
    messagesOf: (change, transaction) => webhookMessages(change, transaction, ids),
    prepare: (message, at) => prepare(store, message, at),
    exists: async (_id) => (await store.collection('webhooks').get({ _id })) !== undefined,
    withdrawnBy: ({ collection, before, after }) => {
      if (collection !== 'webhooks' || !before) return undefined
      return !after || (before.enabled && !after.enabled) ? before._id : undefined
    },
    switchOff
  }
}

async function prepare(
  store: Store,
  { _id, receiver, _entry, telling }: StoredOutboxMessage,
  at: number
): Promise<Ready | Refused | undefined> {
  const webhook = (await store.collection('webhooks').get({ _id: partsOf(receiver).id })) ?? telling.webhook
  const entry = await store.collection('auditEntries').get({ _id: _entry })
  if (!webhook || !entry) return undefined
  if (!webhook.enabled) return { type: 'refused', reason: 'the webhook is switched off' }
  const request = await signedRequest(store, webhook, { id: _id, at, body: bodyOf(telling, entry) })
  return { type: 'ready', request, editedAt: webhook.updatedAt }
}

async function switchOff(edit: Edit, _id: string, { reason, editedAt }: Why): Promise<boolean> {
  const webhook = await edit.store.collection('webhooks').get({ _id })
  if (!webhook?.enabled || webhook.updatedAt !== editedAt) return false
  const subject = { _project: webhook._project }
  const place = { collection: 'webhooks', resource: 'Webhook', subject, tell: withoutSecrets } as const
  await replaceItem(edit, place, webhook, { ...webhook, enabled: false, disabledReason: reason })
  return true
}
