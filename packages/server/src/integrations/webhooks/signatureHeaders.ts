import { Webhook } from 'standardwebhooks'
import type { StoredWebhook } from '../../storage/resources.ts'

/** What is signed. */
interface Signed {
  /** Stays the same however often the message is sent. */
  readonly id: string
  /** When it is sent, in epoch milliseconds. */
  readonly at: number
  readonly body: string
}

/** The headers that tell a receiver who sent a message, and when: Standard Webhooks 1.0.0. While a secret is replaced, both sign. */
export function signatureHeaders(
  secrets: StoredWebhook['secrets'],
  { id, at, body }: Signed
): Readonly<Record<string, string>> {
  const signing = secrets.filter(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > at)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signing.map(({ secret }) => new Webhook(secret).sign(id, new Date(at), body)).join(' ')
  }
}
