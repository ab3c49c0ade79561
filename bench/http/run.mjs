import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { choose, parseOptions } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { childOf } from './child.mjs'
import { measureFingerprint } from './fingerprint.mjs'
import { drawServers } from './picture.mjs'
import { contextOf, fill, routes } from './routes.mjs'

const HELP = `Compares the evaluation and download routes of the server with Fastify, Koa and bare node:http, which parse the same
body or query and stringify the same answer, and prints ratios to bare node:http. Build first: npm run build, at the root.

  npm run http                       about five minutes
  npm run http -- --only variables   only these routes (${routes.map(({ name }) => name).join(', ')})
  npm run http -- --rounds 5         5 rounds instead of 15
  npm run http -- --slice 200        milliseconds of load in each round, instead of 300
  npm run http -- --record           also writes http/results.json and the picture docs/images/server.svg`

const { values: options } = parseOptions({
  options: {
    only: { type: 'string' },
    rounds: { type: 'number', default: 15 },
    slice: { type: 'number', default: 300 },
    record: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})

// Before anything is started.
const chosen = choose(routes, options.only)

const RESULTS = new URL('results.json', import.meta.url)
const PICTURE = new URL('../../docs/images/server.svg', import.meta.url)

/** Requests to each server before the first round of a route, in which the JavaScript engine optimizes it. */
const WARM_UP = 10_000

/** The servers that do the same work, by their programs in `http/`. */
const comparable = ['bare', 'fastify', 'koa']

if (options.help) console.log(HELP)
else await main(options.rounds, options.slice)

async function main(rounds, slice) {
  assertBuilt()
  const directory = temporaryDirectory()
  const server = await start(directory)
  const others = comparable.map((name) => ({ name, child: childOf(`${name}.mjs`) }))
  const load = childOf('load.mjs')
  try {
    const sdkKey = await fill(await caller(server.url))
    const rows = []
    for (const route of chosen) {
      process.stderr.write(`${route.name}: checking answers`)
      const { requests, answer } = await route.prepare(server.url, sdkKey)
      const servers = { ours: { port: Number(new URL(server.url).port), pid: server.pid } }
      for (const { name, child } of others) {
        const { port } = await child.ask({ answer })
        await checkStatus(port, answer)
        servers[name] = { port, pid: child.pid }
      }
      process.stderr.write(', measuring\n')
      rows.push({ route, ...(await measure(load, servers, { requests, rounds, slice })) })
    }
    const contexts = Array.from({ length: 100 }, (_, index) => contextOf(index).context)
    print(rows, await measureFingerprint(server.url, sdkKey, contexts))
    if (options.record) record(rows)
  } finally {
    for (const child of [...others.map((other) => other.child), load]) child.stop()
    await server.stop()
  }
}

/** Throws unless a server responds with the answer, or with a 304 if there is none. */
async function checkStatus(port, answer) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}/v1/variables`, { method: 'POST', headers, body: '{}' })
  const text = await response.text()
  if (response.status === (answer ? 200 : 304) && text === (answer ? JSON.stringify(answer) : '')) return
  throw new Error(`a server on port ${port} responded with ${response.status}: ${text}`)
}

/** Loads the servers in turns. Returns the medians over the rounds of the ratios to the bare server. */
async function measure(load, servers, { requests, rounds, slice }) {
  await load.ask({ requests })
  for (const server of Object.values(servers)) {
    for (let count = 0; count < WARM_UP; ) count += (await load.ask({ ...server, milliseconds: slice })).count
  }
  const slices = Object.fromEntries(Object.keys(servers).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, server] of Object.entries(servers)) {
      slices[name].push(await load.ask({ ...server, milliseconds: slice }))
    }
  }
  const ratioOf = (name, figure) => median(slices[name].map((one, round) => one[figure] / slices.bare[round][figure]))
  const ratios = Object.keys(servers).filter((name) => name !== 'bare')
  return {
    rate: ratios.map((name) => ratioOf(name, 'rate')),
    work: ratios.map((name) => 1 / ratioOf(name, 'cpu')),
    p99: ratios.map((name) => ratioOf(name, 'p99')),
    cpu: median(slices.ours.map(({ cpu }) => cpu)),
    bytes: slices.ours[0].bytes
  }
}

/** Writes the ratios over those of an earlier run, and draws them. Routes that were not measured keep theirs. */
function record(rows) {
  const routes = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')).routes : {}
  const round = (ratio) => Number(ratio.toFixed(3))
  const named = (ratios) =>
    Object.fromEntries(ratios.map((ratio, index) => [['ours', 'Fastify', 'Koa'][index], round(ratio)]))
  for (const { route, rate, work, p99 } of rows) {
    routes[route.name] = { rate: named(rate), work: named(work), p99: named(p99) }
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`
  const all = { date: new Date().toISOString().slice(0, 10), machine, loadAverage: round(loadavg()[0]), routes }
  writeFileSync(RESULTS, `${JSON.stringify(all, undefined, 2)}\n`)
  writeFileSync(PICTURE, drawServers(all))
}

function print(rows, fingerprint) {
  const three = (texts) => texts.map((text) => text.padStart(8)).join('')
  const names = three(['ours', 'Fastify', 'Koa'])
  console.log(
    `\n            throughput/bare         work/bare               p99/bare                CPU of    bytes of`
  )
  console.log(`route     ${names}${names}${names}  ours, µs  an answer`)
  for (const { route, rate, work, p99, cpu, bytes } of rows) {
    const ratios = [
      rate.map((one) => one.toFixed(2)),
      work.map((one) => one.toFixed(2)),
      p99.map((one) => one.toFixed(1))
    ]
    console.log(
      `${route.name.padEnd(10)}${ratios.map(three).join('')}  ${cpu.toFixed(0).padStart(8)}  ${String(bytes).padStart(9)}`
    )
  }
  const cpuOf = (name) => rows.find(({ route }) => route.name === name)?.cpu
  const [full, unchanged] = [cpuOf('bulk'), cpuOf('bulk304')]
  if (full) {
    const share = ((fingerprint / full) * 100).toFixed(1)
    console.log(
      `\nthe fingerprint in the ETag of bulk takes ${fingerprint.toFixed(2)} µs, ${share}% of the CPU time of a 200`
    )
  }
  if (full && unchanged) console.log(`a bulk 304 takes 1/${(full / unchanged).toFixed(1)} of the CPU time of a 200`)
}
