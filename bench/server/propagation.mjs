import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parseOptions } from '../lib/commandLine.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { seeded } from '../lib/random.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'

const HELP = `Changes a flag at one server repeatedly, and measures when another server on the same database announces it,
with notifications of the database and with polling only. A client streams from the first server and fetches from the
second one what was announced. Starts a PostgreSQL server. Build first: npm run build, at the root.

  npm run propagation                       200 changes, a tenth of a second apart, four times; two minutes
  npm run propagation -- --changes 600      more changes
  npm run propagation -- --seed 2           other pauses`

const { values: options } = parseOptions({
  options: {
    changes: { type: 'number', default: 200 },
    seed: { type: 'number', default: 1, least: 0 },
    help: { type: 'boolean' }
  }
})

/** The average number of milliseconds between two changes. */
const PAUSE = 100

/** The interval of polls in milliseconds, which is the default of the server. */
const POLL = 1_000

if (options.help) console.log(HELP)
else await main(options.changes, options.seed)

async function main(changes, seed) {
  assertBuilt()
  const postgres = await startPostgres()
  let failed = false
  try {
    console.log(`seed ${seed}, ${changes} changes; milliseconds after the response to the change\n`)
    console.log('                    announced by the other server     fetched there when announced here')
    for (const notifications of ['on', 'off']) {
      // Fetches make the other server read the change, so announcements are measured without them.
      const { announced } = await measure(postgres.url, { notifications, changes, random: seeded(seed).next })
      const pair = { notifications, changes, random: seeded(seed).next, isFetching: true }
      const { fetched, behind } = await measure(postgres.url, pair)
      const name = notifications === 'on' ? 'with notifications' : `polling, ${POLL} ms  `
      console.log(`${name}  ${format(announced)}      ${format(fetched)}, ${behind} behind`)
      failed ||= behind > 0
    }
  } finally {
    await postgres.stop()
  }
  // The embedded server keeps handles open.
  process.exit(failed ? 1 : 0)
}

/** Measures one pair of servers. */
async function measure(database, { notifications, changes, random, isFetching = false }) {
  const flags = ['--store-notifications', notifications, '--store-poll-ms', String(POLL)]
  const one = await start(database, { flags })
  const other = await start(database, { flags })
  try {
    const { ask, sdkKey } = await prepare(one.url)
    const responded = new Map()
    const announced = []
    const fetches = []
    const here = listen(one.url, sdkKey, ({ etag }) => {
      if (isFetching) fetches.push(fetchNamed(other.url, sdkKey, etag))
    })
    const there = listen(other.url, sdkKey, ({ etag }) => announced.push({ etag, at: performance.now() }))
    await Promise.all([here.opened, there.opened])
    for (let change = 0; change < changes; change++) {
      await ask('PATCH', 'v1', 'features/subject/configurations?environment=production', {
        status: change % 2 === 0 ? 'inactive' : 'active'
      })
      const at = performance.now()
      responded.set(await etagOf(one.url, sdkKey), at)
      await setTimeout(PAUSE * (0.5 + random()))
    }
    // A stream sends the latest version only, so a poll announces several changes as one.
    await setTimeout(2 * POLL)
    const results = await Promise.all(fetches)
    here.close()
    there.close()
    return {
      announced: [...responded].map(([etag, at]) => {
        const message = announced.find((one) => versionOf(one.etag) >= versionOf(etag))
        return Math.max(0, (message?.at ?? Number.POSITIVE_INFINITY) - at)
      }),
      fetched: results.map(({ took }) => took),
      behind: results.filter(({ isBehind }) => isBehind).length
    }
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
}

/** Fetches the config that was announced, and returns how long it took and whether it is older. */
async function fetchNamed(url, sdkKey, etag) {
  const startedAt = performance.now()
  const response = await fetch(`${url}/config/v2/server/${sdkKey}.json`, { headers: { 'if-none-match': etag } })
  await response.arrayBuffer()
  const got = response.headers.get('etag') ?? ''
  return { took: performance.now() - startedAt, isBehind: versionOf(got) < versionOf(etag) }
}

async function etagOf(url, sdkKey) {
  const response = await fetch(`${url}/config/v2/server/${sdkKey}.json`, { method: 'HEAD' })
  return response.headers.get('etag') ?? ''
}

/** Returns the number in an ETag of a config. */
function versionOf(etag) {
  return Number(/\d+/.exec(etag)?.[0] ?? 0)
}

/** Creates the project and its feature, unless the first pair of servers has. */
async function prepare(url) {
  const ask = await caller(url)
  const name = { key: 'shop', name: 'Shop' }
  await ask('POST', 'v1', '', name).catch(() => {})
  const everyone = {
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const configurations = { production: { status: 'active', targets: [everyone] } }
  await ask('POST', 'v1', 'features', { key: 'subject', name: 'Subject', type: 'release', configurations }).catch(
    () => {}
  )
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  return { ask, sdkKey: sdkKeys.server[0].key }
}

/** Opens a stream, and calls `onMessage` with each message. */
function listen(url, sdkKey, onMessage) {
  const { promise: opened, resolve, reject } = withResolvers()
  const stream = request(`${url}/event-stream?sdkKey=${sdkKey}`, (response) => {
    response.setEncoding('utf8')
    let text = ''
    response.on('error', () => {})
    response.on('data', (piece) => {
      resolve()
      const blocks = (text + piece).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data) onMessage(JSON.parse(JSON.parse(data).data))
      }
    })
  })
  stream.on('error', reject).end()
  return { opened, close: () => stream.destroy() }
}

function withResolvers() {
  let settle
  const promise = new Promise((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

function format(times) {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1).padStart(7)
  return `p50 ${at(0.5)}  p99 ${at(0.99)}`
}
