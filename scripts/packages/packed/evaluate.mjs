// Evaluates one flag on the server that BURGEE_URL names: over HTTP, with the typed client, and in process.
import assert from 'node:assert/strict'
import { createClient } from '@burgee/contract/client'
import { BurgeeProvider } from '@burgee/openfeature-provider'
import { OpenFeature } from '@openfeature/server-sdk'

const { BURGEE_URL: url, BURGEE_SDK_KEY: sdkKey } = process.env
const user = { user_id: 'ada', country: 'CA' }

const response = await fetch(`${url}/v1/variables/new-checkout`, {
  method: 'POST',
  headers: { authorization: sdkKey, 'content-type': 'application/json' },
  body: JSON.stringify(user)
})
assert.equal(response.status, 200)
assert.equal((await response.json()).value, true)

const burgee = createClient({ baseUrl: url, credentials: { sdkKey } })
assert.equal((await burgee.evaluateVariables({ body: user }))['new-checkout'].value, true)

await OpenFeature.setProviderAndWait(new BurgeeProvider({ url, sdkKey }))
const context = { targetingKey: 'ada', country: 'CA' }
const details = await OpenFeature.getClient().getBooleanDetails('new-checkout', false, context)
assert.equal(details.value, true, JSON.stringify(details))
await OpenFeature.close()
