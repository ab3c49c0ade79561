// Starts the server with its demo project and evaluates flags over HTTP: the Bucketing API, the typed client, and
// OFREP.
import assert from 'node:assert/strict'
import { createClient } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'

const server = await startServer(
  parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error', '--demo'], {})
)
const { serverKey, clientKey } = server.demo

async function post(path, key, body) {
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  return { status: response.status, etag: response.headers.get('etag'), body: await response.json() }
}

try {
  // One variable for one user.
  const checkout = await post('/v1/variables/new-checkout', serverKey, { user_id: 'ada', country: 'CA' })
  assert.equal(checkout.status, 200)
  assert.equal(checkout.body.value, true)
  assert.equal(checkout.body.eval.reason, 'TARGETING_MATCH')

  // An unknown variable returns 404: use your own default.
  const missing = await post('/v1/variables/unknown', serverKey, { user_id: 'ada' })
  assert.equal(missing.status, 404)

  // The same API with types.
  const burgee = createClient({ baseUrl: server.url, credentials: { sdkKey: serverKey } })
  const variables = await burgee.evaluateVariables({ body: { user_id: 'ada', customData: { plan: 'enterprise' } } })
  assert.equal(variables['new-checkout'].value, true)
  const { message } = await burgee.track({
    body: { user: { user_id: 'ada' }, events: [{ type: 'purchase', value: 12.5 }] }
  })
  console.log(message)

  // OFREP, the protocol of OpenFeature clients.
  const context = { targetingKey: 'ada', country: 'US' }
  const flag = await post('/ofrep/v1/evaluate/flags/new-checkout', `Bearer ${serverKey}`, { context })
  assert.deepEqual([flag.body.value, flag.body.variant], [false, 'variation-off'])
  const flags = await post('/ofrep/v1/evaluate/flags', `Bearer ${clientKey}`, { context })
  const keys = flags.body.flags.map(({ key }) => key)
  for (const key of ['discount-percent', 'new-checkout', 'price-label', 'shop-layout'])
    assert.ok(keys.includes(key), key)
  assert.match(flags.etag, /^".+"$/)
} finally {
  await server.close()
}

console.log('examples/server: as expected')
