import { existsSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { childOf } from '../http/child.mjs'
import { fill, routes } from '../http/routes.mjs'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'

const HELP = `Measures the turns of the event loop of the server and of bare node:http, under evaluations of 20 variables on 24
connections with one request in flight each, and on 200 connections with pipelined requests. Then opens new connections while
the 200 are busy, and prints how long each waits for the response to its first request. Build first: npm run build, at the root.

  npm run turns                        about two minutes
  npm run turns -- --rounds 3          3 rounds instead of 5
  npm run turns -- --slice 500         milliseconds of load in each round, instead of 1,000
  npm run turns -- --pipelined 50      requests that each of the 200 connections sends at once, instead of 400
  npm run turns -- --new 100           new connections, instead of 500`

const { values: options } = parseOptions({
  options: {
    rounds: { type: 'number', default: 5 },
    slice: { type: 'number', default: 1_000 },
    pipelined: { type: 'number', default: 400 },
    new: { type: 'number', default: 500 },
    help: { type: 'boolean' }
  }
})

const BUSY_CONNECTIONS = 200

/** The maximum wait of a new connection, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 5_000

if (options.help) console.log(HELP)
else await main(options)

async function main({ rounds, slice, pipelined, new: count }) {
  assertBuilt()
  const loadBefore = loadavg()[0]
  const directory = temporaryDirectory()
  process.env.TURNS_DIRECTORY = directory
  process.env.NODE_OPTIONS = `--import ${new URL('monitor.mjs', import.meta.url)}`
  const server = await start(temporaryDirectory())
  const bare = childOf('bare.mjs')
  delete process.env.NODE_OPTIONS
  const [load, pipeline] = [childOf('load.mjs'), childOf('../turns/pipelined.mjs')]
  try {
    const sdkKey = await fill(await caller(server.url))
    const { requests, answer } = await routes.find(({ name }) => name === 'variables').prepare(server.url, sdkKey)
    const servers = {
      ours: { port: Number(new URL(server.url).port), pid: server.pid },
      'node:http': { port: (await bare.ask({ answer })).port, pid: bare.pid }
    }
    await load.ask({ requests })
    const rows = Object.fromEntries(
      Object.keys(servers).map((name) => [name, { steady: [], pipelined: [], waits: [] }])
    )
    for (let round = -1; round < rounds; round++) {
      process.stderr.write(round < 0 ? 'warming up\n' : `round ${round + 1} of ${rounds}\n`)
      for (const [name, at] of Object.entries(servers)) {
        await readTurns(directory, at.pid)
        const { count: answered } = await load.ask({ ...at, milliseconds: slice })
        const steady = { ...(await readTurns(directory, at.pid)), answered }
        const size = await sizeOf(at.port, requests[0])
        await pipeline.ask({ ...at, request: requests[0], size, connections: BUSY_CONNECTIONS, pipelined })
        const waits = await openConnections(at.port, count)
        await setTimeout(slice)
        const { count: total } = await pipeline.ask({})
        const busy = { ...(await readTurns(directory, at.pid)), answered: total }
        // Requests of connections that were closed may still be in progress.
        await sizeOf(at.port, requests[0])
        // The JavaScript engine optimizes the code in the first round.
        if (round < 0) continue
        rows[name].steady.push(steady)
        rows[name].pipelined.push(busy)
        rows[name].waits.push(waits)
      }
    }
    print(rows, { pipelined, count })
    console.log(`\nload average ${loadBefore.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
  } finally {
    for (const child of [bare, load, pipeline]) child.stop()
    await server.stop()
  }
}

/** Returns the figures of a server since they were last read. */
async function readTurns(directory, pid) {
  const file = `${directory}/${pid}.json`
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await setTimeout(5)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Returns the bytes of a response on a connection that stays open. */
function sizeOf(port, request) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', reject)
    socket.on('connect', () => socket.write(request))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.latin1Slice()
      const end = text.indexOf('\r\n\r\n') + 4
      const [, length] = /content-length: (\d+)/i.exec(text.slice(0, end)) ?? []
      if (end < 4 || text.length < end + Number(length)) return
      if (!text.startsWith('HTTP/1.1 200 ')) reject(new Error(`the server responded with ${text}`))
      socket.destroy()
      resolve(text.length)
    })
  })
}

/**
 * Opens connections at once, each with one request. Returns the milliseconds until their responses, in ascending order:
 * infinity for those that wait for too long.
 */
async function openConnections(port, count) {
  const body = '{"user_id":"new"}'
  const head = `POST /v1/variables HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n`
  const request = `${head}content-length: ${body.length}\r\n\r\n${body}`
  const waits = Array.from({ length: count }, () => {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.on('error', reject)
      socket.on('connect', () => socket.write(request))
      const end = (wait) => {
        clearTimeout(timer)
        resolve(wait)
        socket.destroy()
      }
      const timer = globalThis.setTimeout(end, RESPONSE_TIMEOUT_MS, Number.POSITIVE_INFINITY)
      socket.once('data', () => end(performance.now() - startedAt))
    })
  })
  return (await Promise.all(waits)).sort((a, b) => a - b)
}

function print(rows, { pipelined, count }) {
  const ms = (number) => {
    if (number === Number.POSITIVE_INFINITY) return `> ${RESPONSE_TIMEOUT_MS}`.padStart(9)
    return (number < 10 ? number.toFixed(1) : number.toFixed(0)).padStart(9)
  }
  console.log('\nturns of the event loop, ms (medians of the rounds; longest of all)')
  console.log('load                      server          p50      p99  longest  turns/s  requests/turn     busy')
  for (const [title, kind] of [
    ['24 connections', 'steady'],
    [`200 × ${pipelined} pipelined`, 'pipelined']
  ]) {
    for (const [name, all] of Object.entries(rows)) {
      const of = (figure) => median(all[kind].map(figure))
      const cells = [of(({ p50 }) => p50), of(({ p99 }) => p99), Math.max(...all[kind].map(({ longest }) => longest))]
      const rate = of(({ count, seconds }) => count / seconds)
      const perTurn = of(({ count, answered }) => answered / count)
      console.log(
        `${title.padEnd(24)}  ${name.padEnd(10)}${cells.map(ms).join('')}${ms(rate)}${perTurn.toFixed(1).padStart(15)}${`${Math.round(100 * of(({ busy }) => busy))}%`.padStart(9)}`
      )
    }
  }
  console.log(
    `\nwait of ${count} new connections for their first response meanwhile, ms (medians of the rounds; longest of all)`
  )
  console.log('server          p50      p99  longest')
  for (const [name, { waits }] of Object.entries(rows)) {
    const at = (share) => median(waits.map((sorted) => sorted[Math.floor(sorted.length * share)]))
    console.log(
      `${name.padEnd(10)}${[at(0.5), at(0.99), Math.max(...waits.map((all) => all.at(-1)))].map(ms).join('')}`
    )
  }
}
