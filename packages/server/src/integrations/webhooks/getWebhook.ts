import { getProject } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredProject, StoredWebhook } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** A webhook as requests address it: by its project, and its id. */
export interface WebhookAddress {
  readonly project: string
  readonly id: string
}

/** The webhook that a request addresses, and its project. @throws {ApiError} 404, also of one that another project has */
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
