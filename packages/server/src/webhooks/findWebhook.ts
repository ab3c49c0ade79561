import type { TokenCaller } from '../caller.ts'
import { itemNotFound } from '../errors.ts'
import { findProject } from '../find.ts'
import type { StoredProject, StoredWebhook } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** A webhook as requests address it: by its project, and its id. */
export interface WebhookAddress {
  readonly project: string
  readonly id: string
}

/** The webhook that a request addresses, and its project. @throws {ApiError} 404, also of one that another project has */
export async function findWebhook(
  store: Store,
  { project: reference, id: _id }: WebhookAddress,
  caller: TokenCaller
): Promise<{ readonly project: StoredProject; readonly webhook: StoredWebhook }> {
  const project = await findProject(store, reference, caller)
  const webhook = await store.collection('webhooks').get({ _project: project._id, _id })
  if (!webhook) throw itemNotFound(_id)
  return { project, webhook }
}
