import { deletedChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { maskWebhookUrls } from '../../access/audit/maskWebhookUrls.ts'
import { removeAll } from '../../storage/removeAll.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'

/**
 * Removes an environment with its configurations and overrides. User data is removed separately, by `deleteUserData`.
 */
export async function removeEnvironment(change: Edit, environment: StoredEnvironment): Promise<void> {
  const { store, recordChanges } = change
  const { _id, _project } = environment
  await removeAll(store, 'configurations', { _environment: _id })
  await removeAll(store, 'overrides', { _environment: _id })
  await removeFromWebhooks(change, environment)
  await store.collection('environments').remove(_id)
  recordChanges({ _project }, [{ ...deletedChange('Environment', environment), _environments: [_id] }])
}

/**
 * Removes webhooks of this environment only. Without `_environments`, they would receive events of all environments.
 */
async function removeFromWebhooks(
  { store, recordChanges, at }: Edit,
  { _id, _project }: StoredEnvironment
): Promise<void> {
  const webhooks = store.collection('webhooks')
  const { items } = await webhooks.list({ where: { _project }, including: { _environments: _id } })
  for (const webhook of items) {
    const _environments = webhook._environments.filter((environment) => environment !== _id)
    if (_environments.length === 0) {
      await webhooks.remove(webhook._id)
      recordChanges({ _project }, maskWebhookUrls([deletedChange('Webhook', webhook)]))
    } else {
      const after = { ...webhook, _environments, updatedAt: at }
      await webhooks.update(webhook._id, after)
      recordChanges({ _project }, modifiedChanges('Webhook', webhook, after))
    }
  }
}
