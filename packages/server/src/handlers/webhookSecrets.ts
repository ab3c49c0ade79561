import type { MakeEdit } from '../audit/edit.ts'
import type { Ids } from '../id.ts'
import type { Store } from '../store/store.ts'
import { findWebhook } from '../webhooks/findWebhook.ts'
import { rotated, toSecret } from '../webhooks/secrets.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly now: () => number
}

type Operations = 'getWebhookSecret' | 'rotateWebhookSecret'

/** What the messages to a webhook are signed with. */
export function webhookSecrets({ store, edit, ids, now }: Dependencies): Pick<Handlers, Operations> {
  return {
    getWebhookSecret: async ({ params }, caller) => toSecret((await findWebhook(store, params, caller)).webhook, now()),

    rotateWebhookSecret: ({ params }, caller) =>
      edit(caller, async ({ store, at, note }) => {
        const { webhook } = await findWebhook(store, params, caller)
        const moment = Date.parse(at)
        const secrets = rotated(webhook.secrets, ids.webhookSecret(), moment)
        await store.collection('webhooks').update(webhook._id, { secrets, updatedAt: at })
        // That it was replaced is told, and nothing of the secret.
        const change = { type: 'modifiedWebhook', newContents: {}, previousContents: {} } as const
        note({ _project: webhook._project }, [{ ...change, metadata: { _id: webhook._id, secret: 'replaced' } }])
        return toSecret({ ...webhook, secrets }, moment)
      })
  }
}
