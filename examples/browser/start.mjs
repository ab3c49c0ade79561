// Serves the page, for use with a running Burgee server.
import { startSite } from './site.mjs'

const { BURGEE_URL = 'http://127.0.0.1:8080', BURGEE_CLIENT_KEY, PORT = '3001' } = process.env
if (!BURGEE_CLIENT_KEY) {
  console.error('BURGEE_CLIENT_KEY is missing: set it to the client key that Burgee prints when it starts')
  process.exit(2)
}

const { url, stop } = await startSite({ burgeeUrl: BURGEE_URL, clientKey: BURGEE_CLIENT_KEY, port: Number(PORT) })
console.log(`The page is at ${url}`)
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
