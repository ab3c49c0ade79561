import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { caller, isBuilt, start } from './server.mjs'

const HELP = `Sends events to a server, asks for the sum in its results, and prints how fast that went and what memory it took.
Build first: npm run build, at the root.

  npm run events                        1,000,000 events, 100 a request
  npm run events -- --events 100000     so many
  npm run events -- --concurrency 32    so many requests at once, instead of 16`

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    concurrency: { type: 'string', default: '16' },
    help: { type: 'boolean' }
  }
})

const EVENTS_PER_REQUEST = 100

/** How many users the events are of, one in each request. */
const USERS = 20_000

/** How often memory is read while events are sent. */
const POINTS = 10

if (given.help) console.log(HELP)
else await main(Number(given.events), Number(given.concurrency))

async function main(events, concurrency) {
  if (!isBuilt()) {
    console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
    process.exit(1)
  }
  const directory = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  let server = await start(directory)
  try {
    const shop = await fill(await caller(server.url))
    const { seconds, rss } = await sendAll(server, shop, {
      requests: Math.ceil(events / EVENTS_PER_REQUEST),
      concurrency
    })
    const sent = Math.ceil(events / EVENTS_PER_REQUEST) * EVENTS_PER_REQUEST
    console.log(`${sent} events, ${EVENTS_PER_REQUEST} a request, ${concurrency} requests at once`)
    console.log(`rate: ${Math.round(sent / seconds)} events/s, ${seconds.toFixed(1)} s`)
    console.log(`resident memory after each tenth, MB: ${rss.join(' ')}`)
    const before = await resultsOf(server.url)
    print('results', before, sent)
    const stopped = performance.now()
    await server.stop()
    const starting = performance.now()
    server = await start(directory)
    console.log(`stop ${Math.round(starting - stopped)} ms, start ${Math.round(performance.now() - starting)} ms`)
    const after = await resultsOf(server.url)
    print('results after a restart', after, sent)
    if (before.sum !== sent || after.sum !== sent) process.exitCode = 1
  } finally {
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

function print(what, { sum, users, milliseconds }, sent) {
  const verdict = sum === sent ? '= sent ✓' : `but ${sent} were sent ✗`
  console.log(
    `${what}: ${sum} ${verdict}, about ${users} of ${Math.min(sent / EVENTS_PER_REQUEST, USERS)} users, ${milliseconds} ms to answer both`
  )
}

/** A project with a feature that everybody gets. */
async function fill(ask) {
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const { _id, variations } = await ask('POST', 'v2', 'features', { key: 'checkout', name: 'Checkout' })
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  return { sdkKey: sdkKeys.server[0].key, feature: _id, variation: variations[0]._id }
}

/** Sends all requests, so many at once; a request that fails ends the bench. */
async function sendAll({ url, pid }, shop, { requests, concurrency }) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const rss = [memoryOf(pid)]
  let next = 0
  const worker = async () => {
    while (next < requests) {
      const index = next++
      await post(`${url}/v1/events/batch`, agent, shop, index)
      if ((index + 1) % Math.ceil(requests / POINTS) === 0) rss.push(memoryOf(pid))
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - begun) / 1000
  agent.destroy()
  return { seconds, rss }
}

function post(url, agent, { sdkKey, feature, variation }, index) {
  const user = { user_id: `user ${index % USERS}`, platform: 'web', sdkType: 'client' }
  const event = { type: 'variableEvaluated', target: 'checkout', value: 1, featureVars: { [feature]: variation } }
  const body = JSON.stringify({ batch: [{ user, events: Array(EVENTS_PER_REQUEST).fill(event) }] })
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
        else reject(new Error(`a batch was answered ${response.statusCode}`))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** How many evaluations of the feature, and how many users, the server's results come to. */
async function resultsOf(url) {
  const ask = await caller(url)
  const begun = performance.now()
  const [evaluations, users] = await Promise.all([
    ask('GET', 'v1', 'features/checkout/results/total-evaluations?period=day'),
    ask('GET', 'v1', 'results/evaluations?period=month')
  ])
  const milliseconds = Math.round(performance.now() - begun)
  const sum = evaluations.result.evaluations.flatMap(({ values }) => Object.values(values)).reduce((a, b) => a + b, 0)
  return { sum, users: users.result.evaluations.at(-1).value, milliseconds }
}

/** Resident megabytes of a process. */
function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
