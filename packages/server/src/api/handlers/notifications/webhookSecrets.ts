import type { EditRunner } from '../../../access/audit/edit.ts'
import { getWebhook } from '../../../integrations/webhooks/getWebhook.ts'
import { rotateSecret, toWebhookSecret } from '../../../integrations/webhooks/webhookSecrets.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
}

type Operations = 'getWebhookSecret' | 'rotateWebhookSecret'

/** Handlers of the signing secrets of a webhook. */
export function webhookSecrets({ store, edit, ids, now }: Dependencies): Pick<Handlers, Operations> {
  return {
    getWebhookSecret: async ({ params }, caller) =>
      toWebhookSecret((await getWebhook(store, params, caller)).webhook, now()),

    rotateWebhookSecret: ({ params }, caller) =>
      edit(caller, async ({ store, at, recordChanges }) => {
        const { webhook } = await getWebhook(store, params, caller)
        const moment = Date.parse(at)
        const secrets = rotateSecret(webhook.secrets, ids.webhookSecret(), moment)
        await store.collection('webhooks').update(webhook._id, { secrets, updatedAt: at })
        // The entry does not contain the secret.
        const change = { type: 'modifiedWebhook', newContents: {}, previousContents: {} } as const
        recordChanges({ _project: webhook._project }, [
          { ...change, metadata: { _id: webhook._id, secret: 'replaced' } }
        ])
        return toWebhookSecret({ ...webhook, secrets }, moment)
      })
  }
}
