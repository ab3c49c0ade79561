// An application that has the DevCycle Node SDK keeps it: two addresses in its options lead to Burgee instead.
// `node examples/existing-sdk/index.mjs` runs it against a server of its own, after `npm install` and `npm run build`.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'
import { initializeDevCycle } from '@devcycle/nodejs-server-sdk'

const directory = await mkdtemp(join(tmpdir(), 'burgee-example-'))
const server = await startServer(
  parseOptions(['--store', `file:${directory}`, '--port', '0', '--log-level', 'error'], {})
)
const manage = createClient({ baseUrl: server.url, credentials: server.administrator })
const feature = { project: 'shop', feature: 'new-checkout' }
let devcycle

/** Serves one variation to everybody in production. */
function serveEverybody(variation) {
  return manage.updateFeatureConfiguration({
    params: feature,
    query: { environment: 'production' },
    body: {
      status: 'active',
      targets: [
        {
          name: 'Everybody',
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: variation, percentage: 1 }]
        }
      ]
    }
  })
}

async function until(isSo, limitMs = 20_000) {
  const begun = performance.now()
  while (!isSo()) {
    assert.ok(performance.now() - begun < limitMs, `not so within ${limitMs} ms`)
    await sleep(5)
  }
  return Math.round(performance.now() - begun)
}

try {
  // A feature, made over the management API as anybody would.
  await manage.createProject({ body: { key: 'shop', name: 'Shop' } })
  await manage.createFeature({
    params: { project: 'shop' },
    body: {
      key: 'new-checkout',
      name: 'New checkout',
      variables: [{ key: 'checkout-steps', type: 'Number' }],
      variations: [
        { key: 'long', name: 'Five steps', variables: { 'checkout-steps': 5 } },
        { key: 'short', name: 'Three steps', variables: { 'checkout-steps': 3 } }
      ]
    }
  })
  await serveEverybody('long')
  const { sdkKeys } = await manage.getEnvironment({ params: { project: 'shop', key: 'production' } })

  // The SDK as it is published. It downloads the config, and decides by itself from then on.
  const quiet = { debug: () => {}, info: () => {}, warn: console.warn, error: console.error }
  devcycle = initializeDevCycle(sdkKeys.server[0].key, {
    configCDNURI: server.url,
    eventsAPIURI: server.url,
    logger: quiet
  })
  await devcycle.onClientInitialized()
  const ada = { user_id: 'ada' }
  const steps = () => devcycle.variableValue(ada, 'checkout-steps', 0)
  assert.equal(steps(), 5)
  assert.equal(devcycle.variable(ada, 'checkout-steps', 0).eval.reason, 'TARGETING_MATCH')

  // A variable that nobody knows is worth the default.
  assert.equal(devcycle.variableValue(ada, 'unheard-of', 'default'), 'default')

  // The SDK asks for changes every ten seconds; the stream, which it connects to after its start, tells it at once. The
  // first change may come before the stream is there, so the second one is timed.
  await serveEverybody('short')
  await until(() => steps() === 3)
  await serveEverybody('long')
  console.log(`a change was live after ${await until(() => steps() === 5)} ms`)

  // What the user did, and what the SDK counted, arrives when it flushes.
  devcycle.track(ada, { type: 'purchase', value: 12.5, metaData: { currency: 'CAD' } })
  await devcycle.close()
  const folder = join(directory, 'events')
  const days = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  const texts = await Promise.all(days.map((name) => readFile(join(folder, name), 'utf8')))
  const entries = texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line))
  const reports = entries.flatMap(({ reports = [] }) => reports)
  const events = reports.flatMap(({ user, events }) => events.map((event) => ({ user, ...event })))
  const purchase = events.find(({ customType }) => customType === 'purchase')
  assert.equal(purchase.user.user_id, 'ada')
  assert.equal(purchase.value, 12.5)
  assert.deepEqual(purchase.metaData, { currency: 'CAD' })

  // What it served is counted.
  const { result } = await manage.getFeatureTotalEvaluations({ params: feature, query: { sdkType: 'server' } })
  const served = (name) => result.evaluations.reduce((sum, { values }) => sum + values[name], 0)
  assert.ok(served('long') >= 1)
  assert.ok(served('short') >= 1)
  console.log(`${events.length} events arrived, among them the purchase; "long" was served ${served('long')} times`)
} finally {
  await devcycle?.close()
  await server.close()
  await rm(directory, { recursive: true })
}

console.log('examples/existing-sdk: as expected')
