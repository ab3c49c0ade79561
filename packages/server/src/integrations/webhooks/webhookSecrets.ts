import type { WebhookSecret } from '@burgee/contract/schemas'
import { DAY, toIsoString } from '../../lib/time.ts'
import type { StoredWebhook } from '../../storage/resources.ts'

type Secrets = StoredWebhook['secrets']

/** A new secret in the place of the one that signed so far, which goes on signing for a day; all before it are gone. */
export function rotateSecret([present]: Secrets, secret: string, now: number): Secrets {
  return [{ secret }, ...(present ? [{ ...present, endsAt: toIsoString(now + OVERLAP) }] : [])]
}

/** How long receivers have to learn of a new secret, in milliseconds: a day. */
const OVERLAP = DAY

/** The secret that a webhook signs with, as whoever sets its receiver up is told. */
export function toWebhookSecret({ _id, secrets: [present, previous] }: StoredWebhook, now: number): WebhookSecret {
  if (!present) throw new Error(`webhook ${_id} has no secret`)
  const { endsAt } = previous ?? {}
  const { secret } = present
  return endsAt === undefined || Date.parse(endsAt) <= now ? { secret } : { secret, previousEndsAt: endsAt }
}
