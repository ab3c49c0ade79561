import type { WebhookDelivery } from '@burgee/contract/schemas'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { StoredDelivery, StoredWebhook } from '../../storage/resources.ts'

/** A delivery as a caller may see it: what the receiver answered is for those who could have it answer somebody else. */
export function toWebhookDelivery(
  { access }: TokenCaller,
  { _id: _webhook }: StoredWebhook,
  { _id, createdAt, updatedAt, _project, _feature, events, status, reason, attempts, nextAttemptAt }: StoredDelivery
): WebhookDelivery {
  const isShown = access.allows('project:write:settings', _project)
  return {
    _id,
    createdAt,
    updatedAt,
    _project,
    _webhook,
    ...omitUndefined({ _feature }),
    events: [...events],
    status,
    ...omitUndefined({ reason }),
    attempts: attempts.map(({ response, ...attempt }) =>
      isShown ? { ...attempt, ...omitUndefined({ response }) } : attempt
    ),
    ...omitUndefined({ nextAttemptAt })
  }
}
