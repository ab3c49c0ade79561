import type { WebhookSecret } from '@burgee/contract/schemas'
import { DAY, toIsoString } from '../../lib/time.ts'
import type { StoredWebhook } from '../../storage/resources/notification.ts'

type Secrets = StoredWebhook['secrets']

/** Adds a new secret. The current one stays valid for the overlap; older ones are removed. */
export function rotateSecret([current]: Secrets, secret: string, now: number): Secrets {
  return [{ secret }, ...(current ? [{ ...current, endsAt: toIsoString(now + OVERLAP_MS) }] : [])]
}

/** How long the previous secret stays valid, so that receivers can change to the new one. */
const OVERLAP_MS = DAY

/** Returns the current secret of a webhook, and the time until which the previous one also signs. */
export function toWebhookSecret({ _id, secrets: [current, previous] }: StoredWebhook, now: number): WebhookSecret {
  if (!current) throw new Error(`webhook ${_id} has no secret`)
  const { endsAt } = previous ?? {}
  const { secret } = current
  return endsAt === undefined || Date.parse(endsAt) <= now ? { secret } : { secret, previousEndsAt: endsAt }
}
