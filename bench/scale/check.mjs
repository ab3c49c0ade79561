import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { cpuOf, processesOf } from '../cpu.mjs'
import { childOf } from '../http/child.mjs'
import { fill, routes } from '../http/routes.mjs'
import { median } from '../measure.mjs'
import { startPostgres } from '../postgres.mjs'
import { caller, isBuilt, start } from '../server.mjs'
import { openAll } from '../streamClients.mjs'
import { COSTS, costs as recorded } from './costs.mjs'
import { simulateRequests } from './scenarios.mjs'

/** Connections that are loaded without a pause, and those for requests at random moments. */
const [CONNECTIONS, OPEN_CONNECTIONS] = [24, 200]

/** The load at which the cost of a request is measured: that of the plan. Requests are cheaper when more wait together. */
const PLANNED = 0.6

const MILLISECONDS = 1_500
const ROUNDS = 3
/** Slices of a tenth of a second with one request at a time. */
const SLICES = 20
const STREAMS = 500
const CHANGES = 20

/** Measures one server, compares it with what the model predicts from its costs, and records these if asked to. */
export async function check({ record, random }) {
  if (!isBuilt()) {
    console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
    process.exit(1)
  }
  const loadBefore = loadavg()[0]
  const isPinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset')
  const launcher = isPinned ? ['/usr/bin/taskset', '-c', '0'] : []
  const load = childOf('../scale/load.mjs')
  if (isPinned) execFileSync('/usr/bin/taskset', ['-cp', '1', String(load.pid)])
  const directory = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  const server = await start(directory, { launcher })
  try {
    const ask = await caller(server.url)
    const sdkKey = await fill(ask)
    const prepared = {}
    for (const name of ['variables', 'bulk304']) {
      const { requests } = await routes.find((route) => route.name === name).prepare(server.url, sdkKey)
      prepared[name] = requests
    }
    const variables = await measureRoute(load, server, prepared.variables)
    const unchanged = await measureRoute(load, server, prepared.bulk304)
    const mixed = prepared.variables.flatMap((request, index) => [request, prepared.bulk304[index]])
    const mix = await measureRoute(load, server, mixed)
    printSaturation({ variables, unchanged, mix })
    await printLatencies({ load, server, random }, prepared.variables, variables)
    const stream = await measureStreams(ask, server, sdkKey)
    const event = await measureEvents(load, server, sdkKey, launcher)
    console.log(
      `\nmicroseconds of CPU time: opening a stream ${round(stream.open)}, a message ${round(stream.message)};`
    )
    console.log(
      `an event ${round(event.file)} with a file store, ${round(event.server)} with PostgreSQL and ${round(event.database)} of it`
    )
    console.log(`load average: ${loadBefore.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
    if (record) await write({ variables, unchanged, stream, event })
  } finally {
    load.stop()
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

async function write({ variables, unchanged, stream, event }) {
  const costs = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`,
    variables: { cpu: round(variables.cpu), bytes: variables.bytes },
    unchanged: { cpu: round(unchanged.cpu) },
    stream: { open: round(stream.open), message: round(stream.message), bytes: recorded.stream.bytes },
    event: { file: round(event.file), server: round(event.server), database: round(event.database) },
    // Other programs only make requests longer, so the spread with the shorter tail is nearer to the server's.
    spread: variables.spread.at(-1) < recorded.spread.at(-1) ? variables.spread.map(round) : recorded.spread
  }
  await writeFile(COSTS, `${JSON.stringify(costs, undefined, 2)}\n`)
}

/**
 * Measures a kind of requests: the rate at which the server is saturated, the microseconds of CPU time of a request at
 * the planned load, and the durations of requests that are alone.
 */
async function measureRoute(load, server, requests) {
  const port = Number(new URL(server.url).port)
  await load.ask({ requests })
  for (let count = 0; count < 10_000; )
    count += (await load.ask({ port, milliseconds: 500, connections: CONNECTIONS })).count
  const rates = []
  const ownRates = []
  const costs = []
  const alone = []
  for (let one = 0; one < ROUNDS; one++) {
    const begin = cpuOf(server.pid)
    const full = await load.ask({ port, milliseconds: MILLISECONDS, connections: CONNECTIONS })
    const before = cpuOf(server.pid)
    rates.push(full.rate)
    ownRates.push(full.count / (before - begin))
    const rate = PLANNED * full.rate
    const planned = await load.ask({ port, milliseconds: MILLISECONDS, connections: OPEN_CONNECTIONS, rate })
    costs.push(((cpuOf(server.pid) - before) / planned.count) * 1e6)
  }
  for (let slice = 0; slice < SLICES; slice++) alone.push(await load.ask({ port, milliseconds: 100, connections: 1 }))
  // Other programs make requests longer: the slice that they disturbed least is nearest to those of the server.
  const { quantiles, bytes } = alone.reduce((best, one) => (one.mean < best.mean ? one : best))
  const mean = quantiles.reduce((sum, duration) => sum + duration, 0) / quantiles.length
  return {
    rate: median(rates),
    ownRate: median(ownRates),
    cpu: median(costs),
    bytes,
    spread: quantiles.map((duration) => duration / mean),
    aloneMs: quantiles[25]
  }
}

function printSaturation({ variables, unchanged, mix }) {
  // While other programs have the processor, the server does not use it: per second of its own time it is comparable.
  console.log('\n| requests | CPU time | predicted per second | measured | of its CPU time | ratio to the prediction |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  const row = (name, cpu, { rate, ownRate }) => {
    const predicted = 1e6 / cpu
    const cells = [`${round(cpu)} µs`, ...[predicted, rate, ownRate].map(round), (ownRate / predicted).toFixed(2)]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  row('20 variables', variables.cpu, variables)
  row('OFREP, 304', unchanged.cpu, unchanged)
  // From the costs of the two kinds, not from that of the mix.
  row('half of each', (variables.cpu + unchanged.cpu) / 2, mix)
}

/** Compares latencies at several loads with those of the simulation. */
async function printLatencies({ load, server, random }, requests, { rate, cpu, spread, aloneMs }) {
  const port = Number(new URL(server.url).port)
  await load.ask({ requests })
  // The network and the client, which the simulation does not have.
  const aroundMs = Math.max(0, aloneMs - cpu / 1000)
  console.log('\n| load | p50, predicted | p50, measured | p99, predicted | p99, measured |')
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const share of [0.3, 0.6, 0.8, 0.9]) {
    const perSecond = share * rate
    const results = []
    for (let one = 0; one < ROUNDS; one++) {
      results.push(await load.ask({ port, milliseconds: MILLISECONDS, connections: OPEN_CONNECTIONS, rate: perSecond }))
    }
    const predicted = simulateRequests({
      nodes: 1,
      processes: 1,
      rate: perSecond / 1000,
      rateAt: () => 1,
      serviceTime: () => (1 / rate) * 1000 * random.one(spread),
      milliseconds: 100_000,
      random
    })
    const measured = (index) => median(results.map(({ quantiles }) => quantiles[index]))
    const cells = [predicted.p50 + aroundMs, measured(25), predicted.p99 + aroundMs, measured(49)]
    console.log(`| ${share * 100}% | ${cells.map((cell) => `${cell.toFixed(2)} ms`).join(' | ')} |`)
  }
}

/** Measures the CPU time of opening a stream and of a message, over that of the changes themselves. */
async function measureStreams(ask, server, sdkKey) {
  const port = Number(new URL(server.url).port)
  const changes = async () => {
    const before = cpuOf(server.pid)
    for (let change = 0; change < CHANGES; change++) {
      const status = change % 2 === 0 ? 'inactive' : 'active'
      await ask('PATCH', 'v1', 'features/flag-00/configurations?environment=production', { status })
      await setTimeout(150)
    }
    return cpuOf(server.pid) - before
  }
  for (const stream of await openAll(port, sdkKey, STREAMS)) stream.close()
  await changes()
  const alone = await changes()
  const cpu = cpuOf(server.pid)
  const streams = await openAll(port, sdkKey, STREAMS)
  const open = (cpuOf(server.pid) - cpu) / STREAMS
  const together = await changes()
  for (const stream of streams) stream.close()
  return { open: open * 1e6, message: ((together - alone) / (CHANGES * STREAMS)) * 1e6 }
}

/** Measures the CPU time of an event: of a server with a file store, and of one with PostgreSQL and its database. */
async function measureEvents(load, server, sdkKey, launcher) {
  const file = await costOfEvent(load, server, sdkKey, [() => [server.pid]])
  const postgres = await startPostgres()
  try {
    const other = await start(postgres.url, { launcher })
    try {
      const key = await fill(await caller(other.url))
      const [own, database] = await costOfEvent(load, other, key, [() => [other.pid], () => processesOf(postgres.pid)])
      return { file: file[0], server: own, database }
    } finally {
      await other.stop()
    }
  } finally {
    await postgres.stop()
  }
}

const EVENTS = 100

/** Returns the microseconds of CPU time of an event for each group of processes. */
async function costOfEvent(load, server, sdkKey, groups) {
  const port = Number(new URL(server.url).port)
  await load.ask({ requests: Array.from({ length: 200 }, (_, index) => batchOf(sdkKey, `user-${index}`)) })
  await load.ask({ port, milliseconds: 2_000, connections: 16 })
  const before = groups.map((pids) => new Map(pids().map((pid) => [pid, cpuOf(pid)])))
  const { count } = await load.ask({ port, milliseconds: 4_000, connections: 16 })
  return groups.map((pids, index) => {
    const used = pids().reduce((sum, pid) => sum + cpuOf(pid) - (before[index].get(pid) ?? 0), 0)
    return (used / (count * EVENTS)) * 1e6
  })
}

function batchOf(sdkKey, user) {
  const event = { type: 'purchase', target: 'basket', value: 1 }
  const body = JSON.stringify({
    batch: [{ user: { user_id: user, platform: 'web' }, events: Array(EVENTS).fill(event) }]
  })
  const headers = `host: localhost\r\nauthorization: ${sdkKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  return `POST /v1/events/batch HTTP/1.1\r\n${headers}\r\n\r\n${body}`
}

/** Rounds to three digits. */
function round(value) {
  return Number(value.toPrecision(3))
}
