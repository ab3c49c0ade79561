// Shows what the flags say, for whoever looks at the page, and again whenever they change. Nothing is polled.
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
// A key that is refused explains the rest.
flags.addHandler(ProviderEvents.Stale, () => state() !== 'refused' && show('stale'))
flags.addHandler(ProviderEvents.Error, () => state() !== 'refused' && show('error'))

page.retry.addEventListener('click', connect)
page.visitor.addEventListener('submit', (event) => {
  event.preventDefault()
  void OpenFeature.setContext(context())
})

page.loaded.textContent = new Date().toLocaleTimeString()
await connect()

/** Asks for the flags, and to be told of changes. */
async function connect() {
  const provider = new OFREPWebProvider({
    baseUrl: burgeeUrl,
    headers: [['authorization', `Bearer ${clientKey}`]],
    fetchImplementation: watchedFetch,
    // What was kept from an earlier visit is used when Burgee does not answer, not while it does.
    cacheMode: 'network-first'
  })
  // When this fails, the handlers have been told, and the page shows its defaults.
  await OpenFeature.setProviderAndWait(provider, context()).catch(() => {})
  render()
}

/** Who looks at the page. An application takes this from its session. */
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

/** The provider does not always tell when it lost the connection, has it back, or is refused. What becomes of its requests does. */
async function watchedFetch(...request) {
  let response
  try {
    response = await fetch(...request)
  } finally {
    const { status } = response ?? {}
    if (status === 401 || status === 403) show('refused')
    else if (status === 200 || status === 304) {
      // After a long loss it takes in what changed without an event.
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
    live: 'Live: changes show at once.',
    stale: 'The connection to Burgee is cut. You see what it said last; the page connects again by itself.',
    refused: 'Burgee refuses the key of this page. It needs a client key that is valid; nothing here is up to date.',
    error: `Burgee does not answer at ${burgeeUrl}. You see the defaults.`
  }[next]
  page.retry.hidden = next !== 'error'
}
