// Renders the flags of the visitor, and renders them again when they change. Changes arrive over a stream, without
// polling.
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk'

/** The elements of the page, by id. */
const page = Object.fromEntries([...document.querySelectorAll('[id]')].map((element) => [element.id, element]))
const { burgeeUrl, clientKey } = await (await fetch('settings.json')).json()
const flags = OpenFeature.getClient()

flags.addHandler(ProviderEvents.ContextChanged, render)
flags.addHandler(ProviderEvents.ConfigurationChanged, ({ flagsChanged = [] }) => {
  if (flagsChanged.length === 0) return
  page.changes.textContent = Number(page.changes.textContent) + 1
  page.changed.textContent = ` (last: ${flagsChanged.join(', ')})`
  render()
})
// A refused key also causes these events, and has its own message.
flags.addHandler(ProviderEvents.Stale, () => state() !== 'refused' && show('stale'))
flags.addHandler(ProviderEvents.Error, () => state() !== 'refused' && show('error'))

page.retry.addEventListener('click', connect)
page.visitor.addEventListener('submit', (event) => {
  event.preventDefault()
  void OpenFeature.setContext(context())
})

page.loaded.textContent = new Date().toLocaleTimeString()
await connect()

/** Fetches the flags, and opens the stream of changes. */
async function connect() {
  const provider = new OFREPWebProvider({
    baseUrl: burgeeUrl,
    headers: [['authorization', `Bearer ${clientKey}`]],
    fetchImplementation: watchedFetch,
    // The flags of an earlier visit are used only if Burgee cannot be reached.
    cacheMode: 'network-first'
  })
  // On failure, the handlers have run already, and the page shows its defaults.
  await OpenFeature.setProviderAndWait(provider, context()).catch(() => {})
  render()
}

/** Returns the evaluation context of the visitor. A real application takes it from its session. */
function context() {
  const { user, country } = Object.fromEntries(new FormData(page.visitor))
  return { targetingKey: user, country }
}

function render() {
  page.banner.hidden = !flags.getBooleanValue('new-checkout', false)
  page.label.textContent = flags.getStringValue('price-label', 'Price')
  const discount = flags.getNumberValue('discount-percent', 0)
  page.price.textContent = `€ ${(40 * (1 - discount / 100)).toFixed(2)}`
}

/**
 * A `fetch` that derives the state of the connection from responses: the provider does not emit an event for each
 * change of it.
 */
async function watchedFetch(...request) {
  let response
  try {
    response = await fetch(...request)
  } finally {
    const { status } = response ?? {}
    if (status === 401 || status === 403) show('refused')
    else if (status === 200 || status === 304) {
      // After a long outage, the provider applies changes without an event.
      if (state() === 'stale') setTimeout(render, 500)
      show('live')
    } else if (state() === 'live') show('stale')
  }
  return response
}

function state() {
  return page.state.dataset.state
}

function show(next) {
  page.state.dataset.state = next
  page.state.textContent = {
    live: 'Live: changes appear immediately.',
    stale: 'The connection to Burgee is lost. The page shows the last values and reconnects automatically.',
    refused: 'Burgee refuses the client key of this page, so the values are out of date. Set a valid client key.',
    error: `Burgee cannot be reached at ${burgeeUrl}. The page shows the defaults.`
  }[next]
  page.retry.hidden = next !== 'error'
}
