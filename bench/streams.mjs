import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseOptions } from './commandLine.mjs'
import { caller, isBuilt, start } from './server.mjs'

const HELP = `Opens many streams on one server, changes a feature repeatedly, and prints the memory of a stream and the
latency of messages. Build first: npm run build, at the root.

  npm run streams                       1,000 streams and 50 changes, about half a minute
  npm run streams -- --clients 5000     more streams; ulimit -n limits them
  npm run streams -- --changes 200      more changes`

const { values: options } = parseOptions({
  options: {
    clients: { type: 'string', default: '1000' },
    changes: { type: 'string', default: '50' },
    help: { type: 'boolean' }
  }
})

/**
 * The goals: kilobytes per stream, and the p99 of milliseconds from the response to the change until its message
 * arrives.
 */
const GOALS = { kilobytes: 50, p99: 20 }

/** Streams that are opened and closed before memory is measured, so that one-time allocations do not count. */
const WARM_UP = 200

/** Milliseconds between changes; enough for the server to become idle, and to regain its burst of messages. */
const PAUSE = 300

if (options.help) console.log(HELP)
else await main(Number(options.clients), Number(options.changes))

async function main(clients, changes) {
  if (!isBuilt()) {
    console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
    process.exit(1)
  }
  const directory = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  // This process runs the clients. On its own processor, the server does not wait for them.
  const isPinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset')
  const launcher = isPinned ? ['/usr/bin/taskset', '-c', '0'] : []
  const server = await start(directory, { launcher, flags: ['--max-streams', String(clients + WARM_UP)] })
  try {
    const ask = await caller(server.url)
    const { sdkKey } = await fill(ask)
    const port = Number(new URL(server.url).port)

    const warm = await openAll(port, sdkKey, WARM_UP)
    for (const stream of warm) stream.close()
    await pause(3_000)
    const before = memoryOf(server.pid)
    const streams = await openAll(port, sdkKey, clients)
    await pause(3_000)
    const perClient = (memoryOf(server.pid) - before) / clients

    const rounds = []
    for (let round = 0; round < changes; round++) {
      rounds.push(await change(ask, streams, round))
      await pause(PAUSE)
    }
    print({ clients, rounds, perClient })
    for (const stream of streams) stream.close()
  } finally {
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

/** Makes one change, and waits until all clients have its message. Returns the latencies. */
async function change(ask, streams, round) {
  const pending = streams.map((stream) => stream.next())
  const requestedAt = performance.now()
  await ask('PATCH', 'v1', 'features/subject/configurations?environment=production', {
    status: round % 2 === 0 ? 'inactive' : 'active'
  })
  const respondedAt = performance.now()
  const missing = pause(10_000).then(() => undefined)
  const messages = await Promise.all(pending.map((message) => Promise.race([message, missing])))
  const arrived = messages.filter(Boolean)
  const versions = new Set(arrived.map(({ id }) => id))
  if (versions.size > 1) throw new Error(`clients received different versions: ${[...versions].join(', ')}`)
  return {
    lost: messages.length - arrived.length,
    sinceResponse: arrived.map(({ at }) => at - respondedAt),
    sinceRequest: arrived.map(({ at }) => at - requestedAt)
  }
}

function print({ clients, rounds, perClient }) {
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0)
  const sinceResponse = rounds.flatMap((round) => round.sinceResponse)
  const sinceRequest = rounds.flatMap((round) => round.sinceRequest)
  const kilobytes = perClient / 1024
  const p99 = quantile(sinceResponse, 0.99)
  console.log(`${clients} streams, ${rounds.length} changes, ${sinceResponse.length} messages, ${lost} lost`)
  console.log(
    `server memory per stream: ${kilobytes.toFixed(1)} kB (goal ≤ ${GOALS.kilobytes} ${mark(kilobytes <= GOALS.kilobytes)})`
  )
  console.log(`ms from the response: ${row(sinceResponse)} (goal p99 ≤ ${GOALS.p99} ${mark(p99 <= GOALS.p99)})`)
  console.log(`ms from the request:  ${row(sinceRequest)}`)
  // A single slow change, for example on a busy computer, dominates the total but not this line.
  const each = rounds.map((round) => quantile(round.sinceResponse, 0.99))
  console.log(`p99 of each change, from its response: ${row(each)}`)
  if (lost > 0) process.exitCode = 1
}

function row(times) {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1).padStart(6))
  return `p50 ${p50}  p99 ${p99}  max ${max}`
}

function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function mark(isMet) {
  return isMet ? '✓' : '✗'
}

/** Opens streams, and waits until each has its first message. */
async function openAll(port, sdkKey, count) {
  const streams = []
  for (let opened = 0; opened < count; opened += 100) {
    const some = Array.from({ length: Math.min(100, count - opened) }, () => open(port, sdkKey))
    await Promise.all(some.map((stream) => stream.next()))
    streams.push(...some)
  }
  return streams
}

/** Opens a stream with a minimal client, so that latencies are mostly those of the server. */
function open(port, sdkKey) {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let text = ''
  let waiting = () => {}
  socket.on('data', (piece) => {
    const at = performance.now()
    text += piece
    const found = /id: (\S+)\ndata: .*\n\n/.exec(text)
    if (!found) return
    text = text.slice(found.index + found[0].length)
    waiting({ id: found[1], at })
  })
  socket.on('error', (error) => {
    console.error(`a stream failed: ${error.message}`)
    process.exit(1)
  })
  socket.write(`GET /event-stream?sdkKey=${sdkKey} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n\r\n`)
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve
      }),
    close: () => socket.destroy()
  }
}

/** Returns the resident bytes of a process. */
function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Creates a project with 50 features. Returns the server key of its production environment. */
async function fill(ask) {
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const features = Array.from({ length: 50 }, (_, index) => feature(index === 0 ? 'subject' : `other-${index}`))
  await ask('POST', 'v1', 'features/multiple', features)
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  return { sdkKey: sdkKeys.server[0].key }
}

function feature(key) {
  const targets = [
    {
      audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
      distribution: [{ _variation: 'variation-on', percentage: 1 }]
    }
  ]
  return { key, name: key, configurations: { production: { status: 'active', targets } } }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
