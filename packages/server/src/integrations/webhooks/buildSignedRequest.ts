import { Webhook } from 'standardwebhooks'
import type { OutboundRequest } from '../../lib/outbound/safeFetch.ts'
import type { StoredWebhook } from '../../storage/resources/notification.ts'
import type { Store } from '../../storage/store.ts'
import { formatChatText } from './formatChatText.ts'
import { serializePayload, type WebhookPayload } from './webhookPayload.ts'

/** A message to a webhook. */
interface WebhookMessage {
  /** The same for all attempts. */
  readonly id: string
  /** The time of the attempt, in epoch milliseconds. */
  readonly at: number
  readonly payload: WebhookPayload
}

/**
 * Builds the request of a message in the webhook's output format, signed with its secrets (Standard Webhooks 1.0.0).
 */
export async function buildSignedRequest(
  store: Store,
  { _project, url: address, outputFormat, secrets }: StoredWebhook,
  { id, at, payload }: WebhookMessage
): Promise<OutboundRequest> {
  const body = outputFormat?.type === 'chat' ? await buildChatBody(store, _project, payload) : serializePayload(payload)
  const { url, authorization } = extractBasicAuth(address)
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...signatureHeaders(secrets, { id, at, body })
  }
  return { url, headers, body }
}

async function buildChatBody(store: Store, _project: string, payload: WebhookPayload): Promise<string> {
  const { items } = await store.collection('environments').list({ where: { _project } })
  return JSON.stringify({ text: formatChatText(payload, items) })
}

/** Signs with every valid secret; during a rotation, these are two. */
function signatureHeaders(
  secrets: StoredWebhook['secrets'],
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string }
): Readonly<Record<string, string>> {
  const valid = secrets.filter(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > at)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': valid.map(({ secret }) => new Webhook(secret).sign(id, new Date(at), body)).join(' ')
  }
}

/** Moves the user and password of a URL into an `Authorization` header (RFC 7617). */
export function extractBasicAuth(address: string): { readonly url: string; readonly authorization?: string } {
  const url = new URL(address)
  const { username, password } = url
  if (username === '' && password === '') return { url: address }
  url.username = ''
  url.password = ''
  const credentials = Buffer.from(`${decodeComponent(username)}:${decodeComponent(password)}`).toString('base64')
  return { url: url.href, authorization: `Basic ${credentials}` }
}

/** Returns text with invalid percent-encoding unchanged. */
function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
