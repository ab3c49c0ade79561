// An application with the DevCycle Node.js SDK uses Burgee by changing two addresses in the SDK's options.
// Run `node examples/existing-sdk/index.mjs` after `npm ci` and `npm run build`; it starts its own server.
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

/** Serves one variation to all users in production. */
function serveAllUsers(variation) {
  return manage.updateFeatureConfiguration({
    params: feature,
    query: { environment: 'production' },
    body: {
      status: 'active',
      targets: [
        {
          name: 'All users',
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: variation, percentage: 1 }]
        }
      ]
    }
  })
}

/** Waits until a condition holds. Returns the milliseconds it took. */
async function until(condition, limitMs = 20_000) {
  const startedAt = performance.now()
  while (!condition()) {
    assert.ok(performance.now() - startedAt < limitMs, `the condition does not hold after ${limitMs} ms`)
    await sleep(5)
  }
  return Math.round(performance.now() - startedAt)
}

try {
  // Creates a feature through the management API.
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
  await serveAllUsers('long')
  const { sdkKeys } = await manage.getEnvironment({ params: { project: 'shop', key: 'production' } })

  // The published SDK, unmodified. It downloads the config and evaluates in its own process.
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

  // An unknown variable has the default value.
  assert.equal(devcycle.variableValue(ada, 'unknown', 'default'), 'default')

  // The SDK polls every ten seconds; the stream, which it opens after its start, announces changes immediately. The
  // first change may precede the stream, so the second one is timed.
  await serveAllUsers('short')
  await until(() => steps() === 3)
  await serveAllUsers('long')
  console.log(`a change was live after ${await until(() => steps() === 5)} ms`)

  // The SDK sends tracked events and evaluation counts when it flushes.
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

  // The server counts the evaluations that the SDK reported.
  const { result } = await manage.getFeatureTotalEvaluations({ params: feature, query: { sdkType: 'server' } })
  const served = (name) => result.evaluations.reduce((sum, { values }) => sum + values[name], 0)
  assert.ok(served('long') >= 1)
  assert.ok(served('short') >= 1)
  console.log(`${events.length} events arrived, including the purchase; "long" was served ${served('long')} times`)
} finally {
  await devcycle?.close()
  await server.close()
  await rm(directory, { recursive: true })
}

console.log('examples/existing-sdk: as expected')
