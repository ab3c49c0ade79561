import { Agent, request } from 'node:http'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { memoryOf } from '../lib/cpu.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'

const HELP = `Sends events to a server, verifies their sum in the results, and prints throughput and memory.
Build first: npm run build, at the root.

  npm run events                        1,000,000 events, 100 per request
  npm run events -- --events 100000     100,000 events
  npm run events -- --concurrency 32    32 concurrent requests instead of 16
  npm run events -- --size 1000         1,000 events per request instead of 100`

const { values: options } = parseOptions({
  options: {
    events: { type: 'number', default: 1000000 },
    concurrency: { type: 'number', default: 16 },
    size: { type: 'number', default: 100 },
    help: { type: 'boolean' }
  }
})

const EVENTS_PER_REQUEST = options.size

/** The number of users. All events of a request have the same user. */
const USERS = 20_000

/** How often memory is read while events are sent. */
const SAMPLES = 10

if (options.help) console.log(HELP)
else await main(options.events, options.concurrency)

async function main(events, concurrency) {
  assertBuilt()
  const directory = temporaryDirectory()
  let server = await start(directory)
  try {
    const shop = await fill(await caller(server.url))
    const { seconds, rss } = await sendAll(server, shop, { events, concurrency })
    console.log(`${events} events, ${EVENTS_PER_REQUEST} per request, ${concurrency} concurrent requests`)
    console.log(`rate: ${Math.round(events / seconds)} events/s, ${seconds.toFixed(1)} s`)
    console.log(`resident memory after each tenth, MB: ${rss.join(' ')}`)
    const before = await resultsOf(server.url)
    print('results', before, events)
    const stopped = performance.now()
    await server.stop()
    const starting = performance.now()
    server = await start(directory)
    console.log(`stop ${Math.round(starting - stopped)} ms, start ${Math.round(performance.now() - starting)} ms`)
    const after = await resultsOf(server.url)
    print('results after a restart', after, events)
    if (before.sum !== events || after.sum !== events) process.exitCode = 1
  } finally {
    await server.stop()
  }
}

function print(title, { sum, users, milliseconds }, sent) {
  const comparison = sum === sent ? '= sent ✓' : `but ${sent} were sent ✗`
  console.log(
    `${title}: ${sum} ${comparison}, about ${users} of ${Math.min(Math.ceil(sent / EVENTS_PER_REQUEST), USERS)} users, ${milliseconds} ms for both`
  )
}

/** Creates a project with a feature. */
async function fill(ask) {
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const { _id, variations } = await ask('POST', 'v2', 'features', { key: 'checkout', name: 'Checkout' })
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  return { sdkKey: sdkKeys.server[0].key, feature: _id, variation: variations[0]._id }
}

/** Sends all requests, `concurrency` at a time. Rejects if a request fails. */
async function sendAll({ url, pid }, shop, { events, concurrency }) {
  const requests = Math.ceil(events / EVENTS_PER_REQUEST)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const rss = [megabytesOf(pid)]
  let next = 0
  const worker = async () => {
    while (next < requests) {
      const index = next++
      // The last request has the rest.
      const size = Math.min(EVENTS_PER_REQUEST, events - index * EVENTS_PER_REQUEST)
      await post(`${url}/v1/events/batch`, agent, shop, { index, size })
      if ((index + 1) % Math.ceil(requests / SAMPLES) === 0) rss.push(megabytesOf(pid))
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  return { seconds, rss }
}

function post(url, agent, { sdkKey, feature, variation }, { index, size }) {
  const user = { user_id: `user ${index % USERS}`, platform: 'web', sdkType: 'client' }
  const event = { type: 'variableEvaluated', target: 'checkout', value: 1, featureVars: { [feature]: variation } }
  const body = JSON.stringify({ batch: [{ user, events: Array(size).fill(event) }] })
  const headers = {
    authorization: sdkKey,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'idempotency-key': `bench-${index}`
  }
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 201) resolve()
        else reject(new Error(`a batch returned ${response.statusCode}`))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** Returns the evaluations of the feature and the users in the server's results. */
async function resultsOf(url) {
  const ask = await caller(url)
  const startedAt = performance.now()
  const [evaluations, users] = await Promise.all([
    ask('GET', 'v1', 'features/checkout/results/total-evaluations?period=day'),
    ask('GET', 'v1', 'results/evaluations?period=month')
  ])
  const milliseconds = Math.round(performance.now() - startedAt)
  const sum = evaluations.result.evaluations.flatMap(({ values }) => Object.values(values)).reduce((a, b) => a + b, 0)
  return { sum, users: users.result.evaluations.at(-1).value, milliseconds }
}

function megabytesOf(pid) {
  return Math.round(memoryOf(pid) / 2 ** 20)
}
