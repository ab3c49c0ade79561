import type { WebhookDelivery } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { given } from '../given.ts'
import type { StoredDelivery, StoredWebhook } from '../store/resources.ts'

/** A delivery as a caller may see it: what the receiver answered is for those who could have it answer somebody else. */
export function toDelivery(
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
    ...given({ _feature }),
    events: [...events],
    status,
    ...given({ reason }),
    attempts: attempts.map(({ response, ...attempt }) => (isShown ? { ...attempt, ...given({ response }) } : attempt)),
    ...given({ nextAttemptAt })
  }
}
