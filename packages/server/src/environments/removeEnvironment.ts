import { deleted, modified } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { removeAll } from '../store/removeAll.ts'
import type { StoredEnvironment } from '../store/resources.ts'
import { withoutSecrets } from '../webhooks/withoutSecrets.ts'

/** Removes an environment and what there is of others in it. What is kept about its users is apart: `forgetUsers` is for that. */
export async function removeEnvironment(change: Edit, environment: StoredEnvironment): Promise<void> {
  const { store, note } = change
  const { _id, _project } = environment
  await removeAll(store, 'configurations', { _environment: _id })
  await removeAll(store, 'overrides', { _environment: _id })
  await removeFromWebhooks(change, environment)
  await store.collection('environments').remove(_id)
  note({ _project }, [{ ...deleted('Environment', environment), _environments: [_id] }])
}

/** A webhook of this environment alone goes with it: one without any environment would be told of them all. */
async function removeFromWebhooks({ store, note, at }: Edit, { _id, _project }: StoredEnvironment): Promise<void> {
  const webhooks = store.collection('webhooks')
  const { items } = await webhooks.list({ where: { _project }, including: { _environments: _id } })
  for (const webhook of items) {
    const _environments = webhook._environments.filter((environment) => environment !== _id)
    if (_environments.length === 0) {
      await webhooks.remove(webhook._id)
      note({ _project }, withoutSecrets([deleted('Webhook', webhook)]))
    } else {
      const after = { ...webhook, _environments, updatedAt: at }
      await webhooks.update(webhook._id, after)
      note({ _project }, modified('Webhook', webhook, after))
    }
  }
}
