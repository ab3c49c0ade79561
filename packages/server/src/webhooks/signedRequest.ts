import type { OutboundRequest } from '../outbound/send.ts'
import type { StoredWebhook } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { textOf, type WebhookBody } from './body.ts'
import { chatText } from './chatText.ts'
import { signatureOf } from './signature.ts'
import { splitUrl } from './splitUrl.ts'

/** What is sent, under which id, and at which moment in epoch milliseconds. */
interface Signed {
  readonly id: string
  readonly at: number
  readonly body: WebhookBody
}

/** A body in the form that a webhook takes, signed with its secrets. */
export async function signedRequest(
  store: Store,
  { _project, url: address, outputFormat, secrets }: StoredWebhook,
  { id, at, body }: Signed
): Promise<OutboundRequest> {
  const text = outputFormat?.type === 'chat' ? await chatTextOf(store, _project, body) : textOf(body)
  const { url, authorization } = splitUrl(address)
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...signatureOf(secrets, { id, at, body: text })
  }
  return { url, headers, body: text }
}

async function chatTextOf(store: Store, _project: string, body: WebhookBody): Promise<string> {
  const { items } = await store.collection('environments').list({ where: { _project } })
  return JSON.stringify({ text: chatText(body, items) })
}
