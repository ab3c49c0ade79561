import type { OutboundRequest } from '../../lib/outbound/safeFetch.ts'
import type { StoredWebhook } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { extractBasicAuth } from './extractBasicAuth.ts'
import { formatChatText } from './formatChatText.ts'
import { signatureHeaders } from './signatureHeaders.ts'
import { serializePayload, type WebhookPayload } from './webhookPayload.ts'

/** What is sent, under which id, and at which moment in epoch milliseconds. */
interface Signed {
  readonly id: string
  readonly at: number
  readonly body: WebhookPayload
}

/** A body in the form that a webhook takes, signed with its secrets. */
export async function buildSignedRequest(
  store: Store,
  { _project, url: address, outputFormat, secrets }: StoredWebhook,
  { id, at, body }: Signed
): Promise<OutboundRequest> {
  const text = outputFormat?.type === 'chat' ? await chatTextOf(store, _project, body) : serializePayload(body)
  const { url, authorization } = extractBasicAuth(address)
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...signatureHeaders(secrets, { id, at, body: text })
  }
  return { url, headers, body: text }
}

async function chatTextOf(store: Store, _project: string, body: WebhookPayload): Promise<string> {
  const { items } = await store.collection('environments').list({ where: { _project } })
  return JSON.stringify({ text: formatChatText(body, items) })
}
