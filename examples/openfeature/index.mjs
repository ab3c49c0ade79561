// Runs the application with a server: a flag changes while it runs, and it continues when the server has stopped.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'

const server = await startServer(parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error'], {}))
const manage = createClient({ baseUrl: server.url, credentials: server.administrator })

// A feature with a greeting in two forms, and one in French for visitors from France.
const project = 'shop'
await manage.createProject({ body: { key: project, name: 'Shop' } })
const serving = (variation, filter = { type: 'all' }) => ({
  audience: { filters: { operator: 'and', filters: [filter] } },
  distribution: [{ _variation: variation, percentage: 1 }]
})
const inFrance = serving('french', { type: 'user', subType: 'country', comparator: '=', values: ['FR'] })
await manage.createFeature({
  params: { project },
  body: {
    key: 'greeting',
    name: 'Greeting',
    variables: [{ key: 'greeting', type: 'String' }],
    variations: [
      { key: 'short', name: 'Short', variables: { greeting: 'Hi' } },
      { key: 'warm', name: 'Warm', variables: { greeting: 'Welcome back' } },
      { key: 'french', name: 'French', variables: { greeting: 'Bonjour' } }
    ],
    configurations: { production: { status: 'active', targets: [inFrance, serving('short')] } }
  }
})
const { sdkKeys } = await manage.getEnvironment({ params: { project, key: 'production' } })

const app = await startApp({ BURGEE_URL: server.url, BURGEE_SDK_KEY: sdkKeys.server[0].key, PORT: '0' })
try {
  // The provider sends the event to the server in a batch.
  assert.equal((await app.send('POST', '/orders?user=ada')).status, 201)
  await until('the event', async () => (await countEvents()) === 1)

  // A flag for a visitor, and one that depends on the visitor.
  assert.deepEqual(await app.get('/visitor?user=ada&country=FR'), { targetingKey: 'ada', country: 'FR' })
  const greeting = await app.get('/?user=ada&country=CA')
  assert.deepEqual(greeting, { message: 'Hi, ada.', variant: 'short', reason: 'TARGETING_MATCH' })
  assert.equal((await app.get('/?user=ada&country=FR')).message, 'Bonjour, ada.')

  // The feature changes; the application is not restarted.
  await manage.updateFeatureConfiguration({
    params: { project, feature: 'greeting' },
    query: { environment: 'production' },
    body: { targets: [inFrance, serving('warm')] }
  })
  await until('the new greeting', async () => (await app.get('/?user=ada')).message === 'Welcome back, ada.')
  await until('the event of the change', () => /^listening[\s\S]*^changed: \[ 'greeting' \]$/m.test(app.output()))

  // The server has stopped. The application continues with the last config.
  await server.close()
  assert.equal((await app.get('/?user=grace')).message, 'Welcome back, grace.')
  assert.equal((await app.get('/?user=grace&country=FR')).message, 'Bonjour, grace.')
  await until('the status STALE', () => app.output().includes('Burgee cannot be reached'))
  assert.deepEqual(await app.get('/health'), { flags: 'STALE' })
  assert.equal((await app.get('/?user=grace')).message, 'Welcome back, grace.')
} finally {
  const exitCode = await app.stop()
  await server.close()
  assert.equal(exitCode, 0)
}
assert.match(app.output(), /^closed$/m)

console.log('examples/openfeature: as expected')

/** Returns the number of events that the server has accepted. */
async function countEvents() {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^burgee_events_total (\d+)$/m.exec(metrics)[1])
}

/** Starts the application in its own process, and waits until it listens. */
async function startApp(settings) {
  let output = ''
  const child = spawn(process.execPath, [fileURLToPath(new URL('app.mjs', import.meta.url))], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    process.stdout.write(text.replace(/^(?=.)/gm, '  app: '))
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const address = () => /^listening on (\S+)$/m.exec(output)?.[1]
  await until(
    'the application',
    () => address() ?? (child.exitCode !== null && assert.fail(`it ended with ${child.exitCode}`))
  )
  const send = (method, path) => fetch(new URL(path, address()), { method })
  return {
    send,
    get: async (path) => (await send('GET', path)).json(),
    output: () => output,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    }
  }
}

/** Waits until a condition holds; the limit allows for a busy machine. */
async function until(title, condition) {
  for (const end = Date.now() + 20_000; !(await condition()); await setTimeout(20)) {
    assert.ok(Date.now() < end, `waited 20 seconds for ${title}`)
  }
}
