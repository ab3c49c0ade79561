import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { caller, isBuilt, start } from './server.mjs'

const HELP = `Opens many streams on one server, changes a feature again and again, and prints what a stream costs and how
long each message took. Build first: npm run build, at the root.

  npm run streams                       1,000 streams and 50 changes, about half a minute
  npm run streams -- --clients 5000     more streams; a computer allows so many open files as ulimit -n says
  npm run streams -- --changes 200      more changes`

const { values: given } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    changes: { type: 'string', default: '50' },
    help: { type: 'boolean' }
  }
})

/** The goals: kilobytes for a stream, and milliseconds from the answer to the change until 99 of 100 clients know. */
const GOALS = { kilobytes: 50, p99: 50 }

/** Streams that are opened and closed before memory is measured, so that it holds no code that was compiled for the first. */
const WARM_UP = 200

/** From one change to the next, in milliseconds; enough for the server to be at rest, and to have its burst back. */
const PAUSE = 300

if (given.help) console.log(HELP)
else await main(Number(given.clients), Number(given.changes))

async function main(clients, changes) {
  if (!isBuilt()) {
    console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
    process.exit(1)
  }
  const directory = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  // The clients are this process: with a processor of its own, the server does not wait for them.
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

/** Makes one change, and waits until everybody knows; answers when each of them did. */
async function change(ask, streams, round) {
  const told = streams.map((stream) => stream.next())
  const asked = performance.now()
  await ask('PATCH', 'v1', 'features/subject/configurations?environment=production', {
    status: round % 2 === 0 ? 'inactive' : 'active'
  })
  const answered = performance.now()
  const missing = pause(10_000).then(() => undefined)
  const messages = await Promise.all(told.map((message) => Promise.race([message, missing])))
  const arrived = messages.filter(Boolean)
  const versions = new Set(arrived.map(({ id }) => id))
  if (versions.size > 1) throw new Error(`clients were told of different versions: ${[...versions].join(', ')}`)
  return {
    lost: messages.length - arrived.length,
    sinceAnswer: arrived.map(({ at }) => at - answered),
    sinceAsked: arrived.map(({ at }) => at - asked)
  }
}

function print({ clients, rounds, perClient }) {
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0)
  const sinceAnswer = rounds.flatMap((round) => round.sinceAnswer)
  const sinceAsked = rounds.flatMap((round) => round.sinceAsked)
  const kilobytes = perClient / 1024
  const p99 = quantile(sinceAnswer, 0.99)
  console.log(`${clients} streams, ${rounds.length} changes, ${sinceAnswer.length} messages, ${lost} lost`)
  console.log(
    `memory of the server for a stream: ${kilobytes.toFixed(1)} kB (goal ≤ ${GOALS.kilobytes} ${mark(kilobytes <= GOALS.kilobytes)})`
  )
  console.log(
    `ms from the answer to the change:  ${row(sinceAnswer)} (goal p99 ≤ ${GOALS.p99} ${mark(p99 <= GOALS.p99)})`
  )
  console.log(`ms from the request for it:        ${row(sinceAsked)}`)
  // One change in which the computer did something else is seen above; it says nothing about the others.
  const each = rounds.map((round) => quantile(round.sinceAnswer, 0.99))
  console.log(`p99 of each change, from its answer: ${row(each)}`)
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

/** Opens so many streams, and waits until each has its first message. */
async function openAll(port, sdkKey, count) {
  const streams = []
  for (let begun = 0; begun < count; begun += 100) {
    const some = Array.from({ length: Math.min(100, count - begun) }, () => open(port, sdkKey))
    await Promise.all(some.map((stream) => stream.next()))
    streams.push(...some)
  }
  return streams
}

/** A client that does no more than it must, so that the time it takes is the server's. */
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
    console.error(`a stream broke: ${error.message}`)
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

/** Resident bytes of a process. */
function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** A project with 50 features, and the key of its environment. */
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
