// Builds and serves the page with a server, and sends the requests of the page. e2e/ does the same in a real browser.
import assert from 'node:assert/strict'
import { parseOptions, startServer } from '@burgee/server'
import { startSite } from './site.mjs'

const server = await startServer(
  parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error', '--demo'], {})
)
const site = await startSite({ burgeeUrl: server.url, clientKey: server.demo.clientKey })
try {
  // The page and its resources.
  const page = await fetch(site.url)
  assert.equal(page.status, 200)
  assert.ok(page.headers.get('content-security-policy').includes(`connect-src 'self' ${server.url};`))
  const html = await page.text()
  for (const file of ['style.css', 'page.js']) {
    assert.ok(html.includes(`"${file}"`), `the page does not load ${file}`)
    assert.equal((await fetch(`${site.url}/${file}`)).status, 200)
  }
  assert.equal((await fetch(`${site.url}/package.json`)).status, 404)

  // The browser sends a CORS preflight request.
  const { burgeeUrl, clientKey } = await (await fetch(`${site.url}/settings.json`)).json()
  const address = `${burgeeUrl}/ofrep/v1/evaluate/flags`
  const preflight = await fetch(address, {
    method: 'OPTIONS',
    headers: {
      origin: site.url,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,if-none-match'
    }
  })
  assert.equal(preflight.status, 204)
  assert.ok(['*', site.url].includes(preflight.headers.get('access-control-allow-origin')))

  // The page requests all flags; the response announces the stream of changes.
  const response = await fetch(address, {
    method: 'POST',
    headers: { origin: site.url, authorization: `Bearer ${clientKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'ada', country: 'CA' } })
  })
  const { flags, eventStreams } = await response.json()
  assert.equal(flags.find(({ key }) => key === 'new-checkout').value, true)
  assert.equal(eventStreams[0].type, 'sse')
} finally {
  await site.stop()
  await server.close()
}

console.log('examples/browser: as expected')
