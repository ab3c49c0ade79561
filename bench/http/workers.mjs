import { availableParallelism } from 'node:os'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { choose, parseOptions } from '../lib/commandLine.mjs'
import { cpuOf, processesOf } from '../lib/cpu.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { childOf } from './child.mjs'
import { fill, routes } from './routes.mjs'

const HELP = `Compares the throughput of a server of one process with that of servers with workers, and prints ratios. The process
that sends the requests shares the processors with the servers. Build first: npm run build, at the root.

  npm run workers                        about a minute
  npm run workers -- --workers 2,4       these numbers of workers instead of 2
  npm run workers -- --only variables    only these routes (${routes.map(({ name }) => name).join(', ')})
  npm run workers -- --rounds 5          5 rounds instead of 9
  npm run workers -- --slice 200         milliseconds of load in each round, instead of 500`

const { values: options } = parseOptions({
  options: {
    workers: { type: 'counts', default: '2' },
    only: { type: 'string' },
    rounds: { type: 'number', default: 9 },
    slice: { type: 'number', default: 500 },
    help: { type: 'boolean' }
  }
})

// Before anything is started.
const chosen = choose(routes, options.only)

/** Requests to each server before the first round of a route, for each of its processes. */
const WARM_UP = 10_000

if (options.help) console.log(HELP)
else await main([1, ...options.workers], options.rounds, options.slice)

async function main(counts, rounds, slice) {
  assertBuilt()
  const load = childOf('load.mjs')
  const servers = []
  try {
    for (const count of counts) servers.push(await open(count))
    console.log(`${availableParallelism()} processors\n`)
    console.log('route       workers  throughput/one process  CPU per request/one process  processors of the load')
    for (const { name, prepare } of chosen) {
      const figures = await measure(load, servers, { prepare, rounds, slice })
      for (const [index, { count }] of servers.entries()) {
        const ratio = (figure) => median(figures[index].map((one, round) => one[figure] / figures[0][round][figure]))
        const cells = [ratio('rate').toFixed(2).padStart(22), ratio('cpu').toFixed(2).padStart(27)]
        const busy = median(figures[index].map((one) => one.load)).toFixed(2)
        console.log(`${name.padEnd(10)}  ${String(count).padStart(7)}  ${cells.join('  ')}  ${busy.padStart(22)}`)
      }
    }
  } finally {
    load.stop()
    for (const { server } of servers) await server.stop()
  }
}

/** Starts a server with a number of workers, and with the project of the other benchmarks. */
async function open(count) {
  const directory = temporaryDirectory()
  const server = await start(directory, { flags: ['--workers', String(count)] })
  const sdkKey = await fill(await caller(server.url))
  return { count, server, sdkKey }
}

/** Loads all servers in alternating slices. Returns the figures of each server by round. */
async function measure(load, servers, { prepare, rounds, slice }) {
  const figures = servers.map(() => [])
  const prepared = []
  for (const { server, sdkKey } of servers) prepared.push(await prepare(server.url, sdkKey))
  const run = async (index) => {
    const { server } = servers[index]
    // Each server has its own key.
    await load.ask({ requests: prepared[index].requests })
    const pids = processesOf(server.pid)
    const before = pids.map(cpuOf)
    const loadBefore = cpuOf(load.pid)
    const startedAt = performance.now()
    const { count, rate } = await load.ask({
      port: Number(new URL(server.url).port),
      pid: server.pid,
      milliseconds: slice
    })
    const seconds = (performance.now() - startedAt) / 1000
    const used = pids.reduce((sum, pid, at) => sum + cpuOf(pid) - before[at], 0)
    return { count, rate, cpu: used / count, load: (cpuOf(load.pid) - loadBefore) / seconds }
  }
  for (const [index, { count }] of servers.entries()) {
    for (let sent = 0; sent < WARM_UP * count; ) sent += (await run(index)).count
  }
  for (let round = 0; round < rounds; round++) {
    for (const index of servers.keys()) figures[index].push(await run(index))
  }
  return figures
}
