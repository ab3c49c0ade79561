import { getProject } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredWebhook } from '../../storage/resources/notification.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** The path parameters that identify a webhook. */
export interface WebhookAddress {
  readonly project: string
  readonly id: string
}

/**
 * Returns a webhook and its project.
 * @throws {HttpError} 404 if either does not exist, or the webhook is of another project
 */
export async function getWebhook(
  store: Store,
  { project: reference, id: _id }: WebhookAddress,
  caller: TokenCaller
): Promise<{ readonly project: StoredProject; readonly webhook: StoredWebhook }> {
  const project = await getProject(store, reference, caller)
  const webhook = await store.collection('webhooks').get({ _project: project._id, _id })
  if (!webhook) throw itemNotFound('webhook', _id, { within: `project "${project.key}"` })
  return { project, webhook }
}
