import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { childOf } from './http/child.mjs'
import { fill, routes } from './http/routes.mjs'
import { median } from './measure.mjs'
import { caller, isBuilt, start } from './server.mjs'

const HELP = `Compares the evaluation routes of the server with bare node:http, which parses the same body and stringifies the same
answer, and prints ratios. Build first: npm run build, at the root.

  npm run http                       about a minute
  npm run http -- --only variables   only these routes (${routes.map(({ name }) => name).join(', ')})
  npm run http -- --rounds 5         5 rounds instead of 15
  npm run http -- --slice 200        milliseconds of load in each round, instead of 300`

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    slice: { type: 'string', default: '300' },
    help: { type: 'boolean' }
  }
})

/** Requests to each server before the first round of a route, in which the JavaScript engine optimizes it. */
const WARM_UP = 10_000

if (options.help) console.log(HELP)
else await main(Number(options.rounds), Number(options.slice))

async function main(rounds, slice) {
  if (!isBuilt()) {
    console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
    process.exit(1)
  }
  const directory = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  const server = await start(directory)
  const bare = childOf('bare.mjs')
  const load = childOf('load.mjs')
  try {
    const sdkKey = await fill(await caller(server.url))
    const rows = []
    for (const route of wanted(options.only)) {
      process.stderr.write(`${route.name}: checking answers`)
      const { requests, answer } = await route.prepare(server.url, sdkKey)
      const { port } = await bare.ask({ answer })
      process.stderr.write(', measuring\n')
      const ours = { port: Number(new URL(server.url).port), pid: server.pid }
      rows.push({ route, ...(await measure(load, [ours, { port, pid: bare.pid }], { requests, rounds, slice })) })
    }
    print(rows)
  } finally {
    for (const child of [bare, load]) child.stop()
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

function wanted(only) {
  if (!only) return routes
  const names = only.split(',')
  const unknown = names.find((name) => !routes.some((route) => route.name === name))
  if (unknown === undefined) return routes.filter(({ name }) => names.includes(name))
  console.error(`"${unknown}" is not a route; use one of ${routes.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

/** Loads both servers in alternating slices. Returns the medians of the ratios of each round, ours to bare. */
async function measure(load, servers, { requests, rounds, slice }) {
  const slices = { ours: [], bare: [] }
  await load.ask({ requests })
  for (const server of servers) {
    for (let count = 0; count < WARM_UP; ) count += (await load.ask({ ...server, milliseconds: slice })).count
  }
  for (let round = 0; round < rounds; round++) {
    slices.ours.push(await load.ask({ ...servers[0], milliseconds: slice }))
    slices.bare.push(await load.ask({ ...servers[1], milliseconds: slice }))
  }
  const ratioOf = (figure) => median(slices.ours.map((one, round) => one[figure] / slices.bare[round][figure]))
  return {
    rate: ratioOf('rate'),
    work: 1 / ratioOf('cpu'),
    p99: ratioOf('p99'),
    cpu: median(slices.ours.map(({ cpu }) => cpu)),
    bytes: slices.ours[0].bytes
  }
}

function print(rows) {
  console.log('\nroute       throughput/bare  work/bare  p99/bare  CPU of ours, µs  bytes of an answer')
  for (const { route, rate, work, p99, cpu, bytes } of rows) {
    const cells = [rate.toFixed(2).padStart(15), work.toFixed(2).padStart(9), p99.toFixed(1).padStart(8)]
    console.log(
      `${route.name.padEnd(10)}  ${cells.join('  ')}  ${cpu.toFixed(0).padStart(15)}  ${String(bytes).padStart(18)}`
    )
  }
  const cpuOf = (name) => rows.find(({ route }) => route.name === name)?.cpu
  const [full, unchanged] = [cpuOf('bulk'), cpuOf('bulk304')]
  if (full && unchanged) console.log(`\na bulk 304 takes 1/${(full / unchanged).toFixed(1)} of the CPU time of a 200`)
}
