import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions, refuse } from '../lib/commandLine.mjs'
import { memoryOf } from '../lib/cpu.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { readCosts, writeCosts } from '../scale/costs.mjs'
import { openAll } from './clients.mjs'

const HELP = `Opens many streams on one server, changes a feature repeatedly, and prints the memory of a stream and the
latency of messages. Build first: npm run build, at the root.

  npm run streams                       1,000 streams and 50 changes, about half a minute
  npm run streams -- --clients 5000     more streams; ulimit -n limits them
  npm run streams -- --changes 200      more changes
  npm run streams -- --record           also writes the memory of a stream to scale/costs.json`

const { values: options } = parseOptions({
  options: {
    clients: { type: 'number', default: 1000 },
    changes: { type: 'number', default: 50 },
    record: { type: 'boolean' },
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

/** Changes before latencies are measured, in which the JavaScript engine optimizes server and clients. */
const WARM_UP_CHANGES = 5

/** Milliseconds between changes; enough for the server to become idle, and to regain its burst of messages. */
const PAUSE = 300

/** Lets the server record when it writes messages. */
const RECORDER = new URL('writes.mjs', import.meta.url)

/** File descriptors that the clients need besides those of their connections. */
const OTHER_FILES = 200

if (options.help) console.log(HELP)
else await main(options.clients, options.changes)

async function main(clients, changes) {
  const most = mostStreams()
  if (clients > most) refuse(`--clients must be at most ${most} here: files and ports limit connections`)
  assertBuilt()
  const directory = temporaryDirectory()
  // This process runs the clients. On its own processor, the server does not wait for them.
  const isPinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset')
  const writes = join(directory, 'writes')
  const recording = ['/usr/bin/env', `BENCH_WRITES=${writes}`, `NODE_OPTIONS=--import=${RECORDER}`]
  const launcher = [...(isPinned ? ['/usr/bin/taskset', '-c', '0'] : []), ...recording]
  const server = await start(join(directory, 'store'), {
    launcher,
    flags: ['--max-streams', String(clients + WARM_UP)]
  })
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
    for (let round = -WARM_UP_CHANGES; round < changes; round++) {
      const measured = await change(ask, streams, round)
      if (round >= 0) rounds.push(measured)
      await pause(PAUSE)
    }
    const moments = readFileSync(writes, 'utf8').trim().split('\n').slice(-changes)
    print({ clients, rounds, perClient, moments: moments.map((line) => line.split(' ').map(Number)) })
    for (const stream of streams) stream.close()
  } finally {
    await server.stop()
  }
}

/** Returns the number of streams that this process can open at one server. */
function mostStreams() {
  const [, files] = /Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  const [first, last] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number)
  // Ports of connections that were closed are not free at once.
  return Math.min(Number(files ?? Number.POSITIVE_INFINITY) - OTHER_FILES, last - first + 1 - WARM_UP)
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
    respondedAt: sharedClock(respondedAt),
    lastAt: sharedClock(Math.max(...arrived.map(({ at }) => at))),
    lost: messages.length - arrived.length,
    sinceResponse: arrived.map(({ at }) => at - respondedAt),
    sinceRequest: arrived.map(({ at }) => at - requestedAt)
  }
}

/** Returns a moment of this process on the clock that all processes share. */
function sharedClock(at) {
  return Number(process.hrtime.bigint()) / 1e6 + (at - performance.now())
}

function print({ clients, rounds, perClient, moments }) {
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
  const parts = [
    ['from the response to the first write', moments.map(([first], index) => first - rounds[index].respondedAt)],
    ['from the first write to the last', moments.map(([first, last]) => last - first)],
    ['from the last write to the last message', moments.map(([, last], index) => rounds[index].lastAt - last)]
  ]
  console.log('each change, median of ms:')
  for (const [name, times] of parts) console.log(`  ${name.padEnd(40)} ${median(times).toFixed(1).padStart(5)}`)
  if (options.record) recordMemory(perClient)
  if (lost > 0) process.exitCode = 1
}

function recordMemory(bytes) {
  const costs = readCosts()
  writeCosts({ ...costs, stream: { ...costs.stream, bytes: Math.round(bytes) } })
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
