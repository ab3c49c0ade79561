import { createServer } from 'node:net'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'

const HELP = `Measures the latency of changes and evaluations while webhook receivers hang, respond slowly, send endless
responses or reset connections, compared with receivers that respond immediately. Each kind has its own server; the
servers take turns.
Build first: npm run build, at the root.

  npm run webhooks                  10 rounds of 40 changes and 40 evaluations
  npm run webhooks -- --rounds 30   30 rounds`

const { values: options } = parseOptions({
  options: { rounds: { type: 'number', default: 10 }, help: { type: 'boolean' } }
})

/** The kinds of receivers: functions that handle a connection. */
const receivers = {
  respond: (socket) => socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')),
  hang: () => {},
  drip: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x'), 500)
    socket.once('close', () => clearInterval(timer))
  },
  flood: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(PIECE)) {}
    }
    socket.on('drain', more)
    more()
  },
  reset: (socket) => socket.resetAndDestroy()
}

const PIECE = 'x'.repeat(65_536)

/** The number of webhooks that a server calls for each change. */
const WEBHOOKS = 20

const PER_ROUND = 40

if (options.help) console.log(HELP)
else await main(options.rounds)

async function main(rounds) {
  assertBuilt()
  const benches = []
  try {
    for (const [name, receive] of Object.entries(receivers)) benches.push(await open(name, receive))
    for (let round = 0; round < rounds; round++) for (const bench of benches) await measure(bench)
    console.log(`${WEBHOOKS} webhooks for each change; milliseconds, p50 and p99 of ${rounds * PER_ROUND}`)
    for (const { name, changes, evaluations, called } of benches) {
      console.log(
        `${name.padEnd(16)} change ${formatQuantiles(changes)}   evaluation ${formatQuantiles(evaluations)}   called ${called()} times`
      )
    }
  } finally {
    for (const { close } of benches) await close()
  }
}

/** Starts a server whose webhooks all call one receiver. */
async function open(name, receive) {
  let called = 0
  const sockets = new Set()
  const sink = createServer((socket) => {
    called++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    receive(socket)
  })
  await new Promise((resolve) => sink.listen(0, '127.0.0.1', resolve))
  const { port } = sink.address()
  const directory = temporaryDirectory()
  const server = await start(directory, { flags: ['--allowed-private-targets', `127.0.0.1:${port}`] })
  const ask = await caller(server.url)
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  await ask('POST', 'v2', 'features', { key: 'checkout', name: 'Checkout' })
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  for (let index = 0; index < WEBHOOKS; index++) {
    const url = `http://127.0.0.1:${port}/${index}`
    await ask('POST', 'v1', 'webhooks', { name: `receiver ${index}`, url, events: ['modifiedFeature'] })
  }
  const close = async () => {
    await server.stop()
    for (const socket of sockets) socket.destroy()
    sink.close()
  }
  const key = sdkKeys.server[0].key
  return { name, ask, url: server.url, key, changes: [], evaluations: [], called: () => called, close }
}

async function measure({ ask, url, key, changes, evaluations }) {
  for (let index = 0; index < PER_ROUND; index++) {
    const name = `Checkout ${changes.length}`
    changes.push(await timed(() => ask('PATCH', 'v2', 'features/checkout', { name })))
    evaluations.push(await timed(() => evaluate(url, key)))
  }
}

async function evaluate(url, key) {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/variables`, { method: 'POST', headers, body: '{"user_id":"ada"}' })
  if (!response.ok) throw new Error(`an evaluation returned ${response.status}`)
  await response.arrayBuffer()
}

async function timed(work) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function formatQuantiles(times) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1).padStart(6)
  return `${at(0.5)} ${at(0.99)}`
}
