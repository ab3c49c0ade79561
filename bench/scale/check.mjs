import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { childOf } from '../http/child.mjs'
import { fill, routes } from '../http/routes.mjs'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { cpuOf, processesOf, waitOf } from '../lib/cpu.mjs'
import { median } from '../lib/median.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { openAll } from '../streams/clients.mjs'
import { KINDS, readCosts, writeCosts } from './costs.mjs'
import { clientConfigs, documents } from './downloads.mjs'
import { simulateRequests } from './scenarios.mjs'
import { ServiceTimes } from './serviceTimes.mjs'

/** Connections that are loaded without a pause, and those for requests at random moments. */
const [CONNECTIONS, OPEN_CONNECTIONS] = [24, 200]

/** The load at which the cost of a request is measured: that of the plan. Requests are cheaper when more wait together. */
const PLANNED = 0.6

/** Requests of each kind before the first round. */
const WARM_UP = 10_000
const MILLISECONDS = 1_500
const ROUNDS = 3
/** Slices of a tenth of a second with one request at a time. */
const SLICES = 20
/** The time in which garbage collections are measured. */
const COLLECTING = 5_000
const STREAMS = 500
const CHANGES = 20

/** Measures one server, compares it with what the model predicts from its costs, and records these if asked to. */
export async function check({ isRecorded, random }) {
  assertBuilt()
  const loadBefore = loadavg()[0]
  const isPinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset')
  const launcher = isPinned ? ['/usr/bin/taskset', '-c', '0'] : []
  const load = childOf('../scale/load.mjs')
  if (isPinned) execFileSync('/usr/bin/taskset', ['-cp', '1', String(load.pid)])
  const directory = temporaryDirectory()
  const collections = join(directory, 'collections')
  const recording = ['/usr/bin/env', `BENCH_COLLECTIONS=${collections}`, `NODE_OPTIONS=--import=${RECORDER}`]
  const server = await start(join(directory, 'store'), { launcher: [...launcher, ...recording] })
  try {
    const ask = await caller(server.url)
    const keys = await keysOf(ask)
    const requests = await requestsOf(server.url, keys)
    const results = await measureKinds(load, server, requests)
    printSaturation(results)
    const collection = await measureCollections({ load, server, file: collections }, results.variables)
    await printLatencies({ load, server, random }, { ...results.variables, collection })
    const stream = await measureStreams(ask, server, keys.server)
    const events = await measureEvents(load, server, keys, launcher)
    console.log(
      `\na garbage collection of ${round(collection.ms)} ms after ${round(collection.requests)} requests for variables`
    )
    console.log(`microseconds of CPU time: opening a stream ${round(stream.open)}, a message ${round(stream.message)};`)
    console.log(`an event of a request with ${SIZE} of a user ${round(events.direct)} with a file store;`)
    console.log(
      `of a forwarded request with ${SIZE} of each of ${USERS_FORWARDED} users ${round(events.server)} with PostgreSQL, and ${round(events.database)} of it`
    )
    console.log(`load average: ${loadBefore.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
    if (isRecorded) record({ ...results, collection, stream, events })
  } finally {
    load.stop()
    await server.stop()
  }
}

/** Creates the project of the other benchmarks. Returns a key of each type. */
async function keysOf(ask) {
  const server = await fill(ask)
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  return { server, client: sdkKeys.client[0].key }
}

/** Returns the requests of each kind, and a mix of the two that differ most. */
async function requestsOf(url, keys) {
  const ofRoute = async (name) => (await routes.find((route) => route.name === name).prepare(url, keys.server)).requests
  const variables = await ofRoute('variables')
  const clientConfig = await clientConfigs(url, keys.client)
  return {
    variables,
    clientConfig,
    ...(await documents(url, keys.server)),
    ofrepUnchanged: await ofRoute('bulk304'),
    mix: variables.flatMap((request, index) => [request, clientConfig[index]])
  }
}

function record({ variables, collection, clientConfig, document, documentUnchanged, ofrepUnchanged, stream, events }) {
  const recorded = readCosts()
  // Ratios within a round are more certain than the times.
  const cost = ({ ratio, bytes }) => ({ cpu: round(ratio * variables.cpu), ...(bytes > 0 ? { bytes } : {}) })
  const costs = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`,
    variables: cost(variables),
    clientConfig: cost(clientConfig),
    document: cost(document),
    documentUnchanged: cost(documentUnchanged),
    ofrepUnchanged: cost(ofrepUnchanged),
    stream: { open: round(stream.open), message: round(stream.message), bytes: recorded.stream.bytes },
    event: { direct: round(events.direct), server: round(events.server), database: round(events.database) },
    // Other programs only make requests longer, so the spread with the shorter tail is nearer to the server's.
    spread: variables.spread.at(-1) < recorded.spread.at(-1) ? variables.spread.map(round) : recorded.spread,
    collection: { requests: round(collection.requests), ms: round(collection.ms) }
  }
  writeCosts(costs)
}

/**
 * Measures the kinds of requests in turns: the rate at which the server is saturated, the microseconds of CPU time of a
 * request at the planned load, as a ratio to that of the variables in the same round too, and the durations of requests
 * that are alone.
 */
async function measureKinds(load, server, kinds) {
  const port = Number(new URL(server.url).port)
  const rounds = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]))
  for (const requests of Object.values(kinds)) {
    await load.ask({ requests })
    for (let count = 0; count < WARM_UP; ) {
      count += (await load.ask({ port, milliseconds: 500, connections: CONNECTIONS })).count
    }
  }
  for (let one = 0; one < ROUNDS; one++) {
    for (const [name, requests] of Object.entries(kinds)) {
      await load.ask({ requests })
      rounds[name].push(await measureRound(load, server, port))
    }
  }
  const results = Object.entries(rounds).map(([name, all]) => {
    const ratio = median(all.map(({ cpu }, index) => cpu / rounds.variables[index].cpu))
    const of = (figure) => median(all.map((one) => one[figure]))
    return [name, { rate: of('rate'), ownRate: of('ownRate'), cpu: of('cpu'), ratio, bytes: all[0].bytes }]
  })
  const { variables, ...others } = Object.fromEntries(results)
  return { variables: { ...variables, ...(await measureAlone(load, port, kinds.variables)) }, ...others }
}

async function measureRound(load, server, port) {
  const begin = cpuOf(server.pid)
  const full = await load.ask({ port, milliseconds: MILLISECONDS, connections: CONNECTIONS })
  const before = cpuOf(server.pid)
  const rate = PLANNED * full.rate
  const planned = await load.ask({ port, milliseconds: MILLISECONDS, connections: OPEN_CONNECTIONS, rate })
  const cpu = ((cpuOf(server.pid) - before) / planned.count) * 1e6
  return { rate: full.rate, ownRate: full.count / (before - begin), cpu, bytes: full.bytes }
}

/** Measures the durations of requests that are alone. */
async function measureAlone(load, port, requests) {
  await load.ask({ requests })
  const alone = []
  for (let slice = 0; slice < SLICES; slice++) alone.push(await load.ask({ port, milliseconds: 100, connections: 1 }))
  // Other programs make requests longer: the slice that they disturbed least is nearest to those of the server.
  const { quantiles } = alone.reduce((best, one) => (one.mean < best.mean ? one : best))
  const mean = quantiles.reduce((sum, duration) => sum + duration, 0) / quantiles.length
  return { spread: quantiles.map((duration) => duration / mean), aloneMs: quantiles[25] }
}

/** Measures the garbage collections of the server at the planned load of requests for variables, which `load` still has. */
async function measureCollections({ load, server, file }, { rate }) {
  const read = async () => {
    rmSync(file, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    while (!existsSync(file)) await setTimeout(5)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  const port = Number(new URL(server.url).port)
  await read()
  const planned = { port, milliseconds: COLLECTING, connections: OPEN_CONNECTIONS, rate: PLANNED * rate }
  const { count } = await load.ask(planned)
  const durations = (await read()).sort((one, other) => one - other)
  // Other programs only make collections longer, so those of the lower half are nearer to the server's.
  return { requests: count / durations.length, ms: durations[Math.floor(durations.length / 4)] }
}

/** Lets the server record its garbage collections. */
const RECORDER = new URL('collections.mjs', import.meta.url)

function printSaturation({ mix, ...kinds }) {
  // While other programs have the processor, the server does not use it: per second of its own time it is comparable.
  const columns = [
    'bytes',
    'CPU time',
    'ratio',
    'predicted per second',
    'measured',
    'of its CPU time',
    'ratio to the prediction'
  ]
  console.log(`\n| requests | ${columns.join(' | ')} |\n| --- |${' ---: |'.repeat(columns.length)}`)
  const row = (name, cpu, { rate, ownRate, bytes }) => {
    const predicted = 1e6 / cpu
    const ratio = (cpu / kinds.variables.cpu).toFixed(2)
    const cells = [
      bytes,
      `${round(cpu)} µs`,
      ratio,
      ...[predicted, rate, ownRate].map(round),
      (ownRate / predicted).toFixed(2)
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  for (const [kind, name] of Object.entries(KINDS)) row(name, kinds[kind].ratio * kinds.variables.cpu, kinds[kind])
  // From the costs of the two kinds, not from that of the mix.
  row('half variables, half starts', (kinds.variables.cpu * (1 + kinds.clientConfig.ratio)) / 2, { ...mix, bytes: '–' })
}

/**
 * Compares latencies of requests for variables, which `load` still has, with those of the simulation, at several loads.
 * Prints too for which share of the time the server and the load had no processor because of other programs.
 */
async function printLatencies({ load, server, random }, { rate, cpu, spread, collection, aloneMs }) {
  const port = Number(new URL(server.url).port)
  // The network and the client, which the simulation does not have.
  const aroundMs = Math.max(0, aloneMs - cpu / 1000)
  const serviceTimes = new ServiceTimes(1000 / rate, { spread, collection })
  console.log(
    '\n| load | p50, predicted | p50, measured | p99, predicted | p99, measured | server without processor | load without processor |'
  )
  console.log(`| --- |${' ---: |'.repeat(6)}`)
  for (const share of [0.3, 0.6, 0.8, 0.9]) {
    const perSecond = share * rate
    const results = []
    const pids = [server.pid, load.pid]
    for (let one = 0; one < ROUNDS; one++) {
      const [startedAt, before] = [performance.now(), pids.map(waitOf)]
      const { quantiles } = await load.ask({
        port,
        milliseconds: MILLISECONDS,
        connections: OPEN_CONNECTIONS,
        rate: perSecond
      })
      const seconds = (performance.now() - startedAt) / 1000
      results.push({ quantiles, waits: pids.map((pid, index) => Math.max(0, waitOf(pid) - before[index]) / seconds) })
    }
    const predicted = simulateRequests({
      nodes: 1,
      processes: 1,
      rate: perSecond / 1000,
      rateAt: () => 1,
      serviceTimes,
      milliseconds: 100_000,
      random
    })
    const measured = (index) => median(results.map(({ quantiles }) => quantiles[index]))
    const cells = [predicted.p50 + aroundMs, measured(25), predicted.p99 + aroundMs, measured(49)]
    const waits = pids.map((_, index) => `${Math.round(100 * median(results.map(({ waits }) => waits[index])))}%`)
    console.log(`| ${share * 100}% | ${[...cells.map((cell) => `${cell.toFixed(2)} ms`), ...waits].join(' | ')} |`)
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

/**
 * Measures the CPU time of an event: of a server with a file store that gets it from a browser or an app, and of one with
 * PostgreSQL, and its database, that gets it from an edge node.
 */
async function measureEvents(load, server, keys, launcher) {
  const direct = Array.from({ length: 200 }, (_, index) => batchOf(keys.client, [`user-${index}`]))
  const [own] = await costOfEvent(load, server, { requests: direct, size: SIZE }, [() => [server.pid]])
  const postgres = await startPostgres()
  try {
    const other = await start(postgres.url, { launcher })
    try {
      const { server: key } = await keysOf(await caller(other.url))
      const users = (index) => Array.from({ length: USERS_FORWARDED }, (_, user) => `user-${index}-${user}`)
      const forwarded = Array.from({ length: 50 }, (_, index) => batchOf(key, users(index)))
      const groups = [() => [other.pid], () => processesOf(postgres.pid)]
      const size = SIZE * USERS_FORWARDED
      const [receiving, database] = await costOfEvent(load, other, { requests: forwarded, size }, groups)
      return { direct: own, server: receiving, database }
    } finally {
      await other.stop()
    }
  } finally {
    await postgres.stop()
  }
}

/** Events of a user in a request: two of the application, and counts of evaluations of eight variables. */
const SIZE = 10
const CUSTOM = 2
/** Users whose events an edge node forwards in a request. */
const USERS_FORWARDED = 100

/** Returns the microseconds of CPU time of an event for each group of processes. */
async function costOfEvent(load, server, { requests, size }, groups) {
  const port = Number(new URL(server.url).port)
  await load.ask({ requests })
  await load.ask({ port, milliseconds: 2_000, connections: 16 })
  const before = groups.map((pids) => new Map(pids().map((pid) => [pid, cpuOf(pid)])))
  const { count } = await load.ask({ port, milliseconds: 4_000, connections: 16 })
  return groups.map((pids, index) => {
    const used = pids().reduce((sum, pid) => sum + cpuOf(pid) - (before[index].get(pid) ?? 0), 0)
    return (used / (count * size)) * 1e6
  })
}

function batchOf(sdkKey, users) {
  const custom = { type: 'customEvent', customType: 'purchase', target: 'basket', value: 1 }
  const evaluated = (index) => ({ type: 'variableEvaluated', target: `flag-0${index}`, value: 3 })
  const events = Array.from({ length: SIZE }, (_, index) => (index < CUSTOM ? custom : evaluated(index - CUSTOM)))
  const batch = users.map((user) => ({ user: { user_id: user, platform: 'web' }, events }))
  const body = JSON.stringify({ batch })
  const headers = `host: localhost\r\nauthorization: ${sdkKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  return `POST /v1/events/batch HTTP/1.1\r\n${headers}\r\n\r\n${body}`
}

/** Rounds to three digits. */
function round(value) {
  return Number(value.toPrecision(3))
}
