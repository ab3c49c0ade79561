import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { choose, parseOptions } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { childOf } from './child.mjs'
import { fill, routes } from './routes.mjs'

const HELP = `Measures the first evaluations of a new process: the server gets requests as soon as /readyz returns 200, and bare
node:http, which parses the same body and stringifies the same answer, as soon as it listens. Build first: npm run build,
at the root.

  npm run coldstart                            four minutes
  npm run coldstart -- --only variable,bulk    only these routes (${routes.map(({ name }) => name).join(', ')})
  npm run coldstart -- --features 20           a small project instead of one with 1,000 features
  npm run coldstart -- --rounds 3              3 processes of each server for a route, instead of 5
  npm run coldstart -- --options "--workers 2" more options of the server`

const { values: options } = parseOptions({
  options: {
    only: { type: 'string', default: 'variable,variables,bulk' },
    features: { type: 'number', default: 1000 },
    rounds: { type: 'number', default: 5 },
    options: { type: 'string', default: '' },
    help: { type: 'boolean' }
  }
})

// Before anything is started.
const chosen = choose(routes, options.only)

/** The number of requests on one connection before the load. */
const SEQUENCE = 20

/** The periods of load, one after the other, in milliseconds. */
const PERIODS = [
  { name: 'to 0.1 s', milliseconds: 100 },
  { name: 'to 1 s', milliseconds: 900 },
  { name: 'to 4 s', milliseconds: 3_000 },
  { name: 'to 7 s', milliseconds: 3_000 }
]

if (options.help) console.log(HELP)
else await main(options.rounds, options.options.split(' ').filter(Boolean))

async function main(rounds, flags) {
  assertBuilt()
  const directory = temporaryDirectory()
  const load = childOf('load.mjs')
  try {
    for (const { name, requests, answer } of await prepare(directory)) {
      await load.ask({ requests })
      const ours = []
      const bare = []
      for (let round = 0; round < rounds; round++) {
        process.stderr.write(`${name}: ${round + 1} of ${rounds}\n`)
        ours.push(await measureOurs(directory, flags, load))
        bare.push(await measureBare(answer, load))
      }
      print(name, ours, bare)
    }
  } finally {
    load.stop()
  }
}

/** Stores a project, and returns the requests of each route and the answer to one of them. */
async function prepare(directory) {
  const server = await start(directory, { flags: ['--management-rate-limit', '0'] })
  try {
    const sdkKey = await fill(await caller(server.url), options.features)
    const prepared = []
    for (const { name, prepare } of chosen) prepared.push({ name, ...(await prepare(server.url, sdkKey)) })
    return prepared
  } finally {
    await server.stop()
  }
}

async function measureOurs(directory, flags, load) {
  const startedAt = performance.now()
  const server = await start(directory, { flags })
  try {
    while ((await fetch(`${server.url}/readyz`)).status !== 200) await sleep(1)
    const readyMs = performance.now() - startedAt
    return { readyMs, ...(await measure(load, { port: Number(new URL(server.url).port), pid: server.pid })) }
  } finally {
    await server.stop()
  }
}

async function measureBare(answer, load) {
  const child = childOf('bare.mjs')
  try {
    const { port } = await child.ask({ answer })
    return await measure(load, { port, pid: child.pid })
  } finally {
    child.stop()
  }
}

async function measure(load, server) {
  const sequence = await load.ask({ ...server, sequence: SEQUENCE })
  const periods = []
  for (const { milliseconds } of PERIODS) periods.push(await load.ask({ ...server, milliseconds }))
  return { sequence, periods }
}

/** Prints medians over the processes. */
function print(name, ours, bare) {
  const both = (figureOf, digits) =>
    [ours, bare].map((all) => median(all.map(figureOf)).toFixed(digits).padEnd(8)).join('')
  console.log(`\n${name}: /readyz returned 200 after ${median(ours.map(({ readyMs }) => readyMs)).toFixed(0)} ms\n`)
  console.log('one after the other    ms: ours    bare')
  console.log(`the first                  ${both(({ sequence }) => sequence[0], 1)}`)
  console.log(`the next ${SEQUENCE - 1}, median        ${both(({ sequence }) => median(sequence.slice(1)), 1)}`)
  console.log(`the next ${SEQUENCE - 1}, longest       ${both(({ sequence }) => Math.max(...sequence.slice(1)), 1)}`)
  console.log('\nunder load  p50, ms          p99, ms          longest, ms      CPU, µs          requests/s')
  console.log(`            ${'ours    bare     '.repeat(5).trimEnd()}`)
  PERIODS.forEach((period, index) => {
    const cells = [
      both(({ periods }) => periods[index].p50, 2),
      both(({ periods }) => periods[index].p99, 1),
      both(({ periods }) => periods[index].longest, 1),
      both(({ periods }) => periods[index].cpu, 0),
      both(({ periods }) => periods[index].rate, 0)
    ]
    console.log(`${period.name.padEnd(12)}${cells.join(' ')}`.trimEnd())
  })
}
