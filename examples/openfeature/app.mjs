// A small HTTP application whose greeting is a flag. It evaluates in its own process and follows changes.
import { createServer } from 'node:http'
import { BurgeeProvider } from '@burgee/openfeature-provider'
import { AsyncLocalStorageTransactionContextPropagator, OpenFeature, ProviderEvents } from '@openfeature/server-sdk'

const { BURGEE_URL = 'http://127.0.0.1:8080', BURGEE_SDK_KEY, PORT = '3000' } = process.env
if (!BURGEE_SDK_KEY) {
  console.error('BURGEE_SDK_KEY is missing: set it to the server key of an environment')
  process.exit(2)
}

// Evaluations during a request use the context of its visitor.
OpenFeature.setTransactionContextPropagator(new AsyncLocalStorageTransactionContextPropagator())
const flags = OpenFeature.getClient()
flags.addHandler(ProviderEvents.ConfigurationChanged, ({ flagsChanged }) => console.log('changed:', flagsChanged))
flags.addHandler(ProviderEvents.Stale, () => console.log('Burgee cannot be reached: using the last known flags'))

try {
  await OpenFeature.setProviderAndWait(
    new BurgeeProvider({
      url: BURGEE_URL,
      sdkKey: BURGEE_SDK_KEY,
      // Shorter than the default, so that events appear at once.
      events: { flushIntervalMs: 1_000 }
    })
  )
} catch (error) {
  // The application starts without flags; until the provider is ready, evaluations return their defaults.
  console.warn('starting with defaults:', error.message)
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://app')
  OpenFeature.setTransactionContext(visitorOf(url), async () => {
    try {
      const { status, body } = await handle(`${request.method} ${url.pathname}`)
      response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
    } catch (error) {
      console.error(error)
      response.writeHead(500).end()
    }
  })
})

async function handle(route) {
  switch (route) {
    case 'GET /': {
      const { value, variant, reason } = await flags.getStringDetails('greeting', 'Hello')
      const { targetingKey: visitor } = OpenFeature.getTransactionContext()
      return { status: 200, body: { message: `${value}, ${visitor}.`, variant, reason } }
    }
    case 'GET /visitor':
      return { status: 200, body: OpenFeature.getTransactionContext() }
    case 'POST /orders':
      // An experiment compares greetings by these events: the user is that of the transaction context.
      flags.track('order-placed', { value: 12.5 })
      return { status: 201, body: { message: 'Thank you.' } }
    case 'GET /health':
      return { status: 200, body: { flags: flags.providerStatus } }
    default:
      return {
        status: 404,
        body: { message: `${route} does not exist. Use GET /, GET /visitor, POST /orders or GET /health` }
      }
  }
}

/** Returns the visitor of a request. A real application takes it from its session. */
function visitorOf({ searchParams }) {
  const country = searchParams.get('country')
  return { targetingKey: searchParams.get('user') ?? 'visitor', ...(country ? { country } : {}) }
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    server.close(async () => {
      // Sends the remaining events. Nothing keeps the process running after that.
      await OpenFeature.close()
      console.log('closed')
    })
  })
}
