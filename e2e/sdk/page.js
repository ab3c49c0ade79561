// What the published client SDK of the service that Burgee's API is modelled on makes of Burgee, in a real browser.
import { initializeDevCycle } from '@devcycle/js-client-sdk'

const { burgeeUrl, clientKey } = await (await fetch('settings.json')).json()
const [state, label] = ['state', 'label'].map((id) => document.getElementById(id))
const client = initializeDevCycle(clientKey, { user_id: 'ada', country: 'CA' }, { apiProxyURL: burgeeUrl })
const variable = client.variable('price-label', 'Price')
variable.onUpdate((value) => {
  label.textContent = value
})
try {
  await client.onClientInitialized()
  label.textContent = variable.value
  client.track({ type: 'page-seen' })
  await client.flushEvents()
  state.textContent = 'initialized'
} catch (error) {
  state.textContent = `failed: ${error.message}`
}
