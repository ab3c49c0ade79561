// Receives a webhook and verifies its signature.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

// Webhooks reach private addresses, such as this receiver, only if the server allows them.
const settings = ['--allowed-private-targets', '127.0.0.1', '--store', 'memory:', '--port', '0', '--log-level', 'error']
const server = await startServer(parseOptions(settings, {}))
let onMessage
const received = new Promise((resolve) => {
  onMessage = resolve
})
const receiver = createServer(async (request, response) => {
  onMessage({ headers: request.headers, body: await text(request) })
  response.writeHead(204).end()
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))

try {
  const manage = createClient({ baseUrl: server.url, credentials: server.administrator })
  await manage.createProject({ body: { key: 'shop', name: 'Shop' } })
  const params = { project: 'shop' }
  const { _id } = await manage.createWebhook({
    params,
    body: {
      name: 'Deploy log',
      url: `http://127.0.0.1:${receiver.address().port}/changes`,
      events: ['createdFeature']
    }
  })
  const { secret } = await manage.getWebhookSecret({ params: { ...params, id: _id } })
  await manage.createFeature({ params, body: { key: 'new-checkout', name: 'New checkout' } })

  const { headers, body } = await received
  const message = new Webhook(secret).verify(body, headers)
  assert.equal(message.key, 'new-checkout')
  console.log(`${message.user.name}: ${message.events.join(', ')} "${message.key}" in ${message.projectId}`)

  // A forged body is refused.
  assert.throws(() => new Webhook(secret).verify(body.replace('new-', 'old-'), headers), WebhookVerificationError)
} finally {
  receiver.close()
  receiver.closeAllConnections()
  await server.close()
}
