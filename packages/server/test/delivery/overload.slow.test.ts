import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startListening, stopListening } from '../../src/api/http/listen.ts'
import { parseOptions } from '../../src/cli/options.ts'
import type { RunningServer, ServerDependencies } from '../../src/composition/runningServer.ts'
import { startServer } from '../../src/server.ts'

/** Ends a test that would otherwise wait forever. */
const PATIENCE = { timeout: 60_000 }

const SECRET = 'the-secret-of-the-overload-tests'

/** Starts a server with the demo project. */
async function startDemo(dependencies: ServerDependencies = {}): Promise<RunningServer> {
  const flags = ['--demo', '--store', 'memory:', '--port', '0', '--log-level', 'silent']
  const options = parseOptions(flags, { BURGEE_ADMIN_CLIENT_ID: 'ops', BURGEE_ADMIN_CLIENT_SECRET: SECRET })
  const server = await startServer(options, dependencies)
  onTestFinished(() => server.close())
  return server
}

/** The text of a request on a kept connection. */
function requestText(target: string, body?: unknown, headers: Record<string, string> = {}): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'x',
    ...headers,
    ...(text && { 'content-type': 'application/json', 'content-length': text.length })
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text}`
}

/** A connection that collects what it receives. */
function open({ url }: Pick<RunningServer, 'url'>): {
  readonly socket: Socket
  readonly responses: () => string[]
  ended: Promise<unknown>
} {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (part) => {
    text += part
  })
  const ended = new Promise((resolve) => socket.once('end', () => resolve('ended')).once('error', resolve))
  return { socket, responses: () => text.split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean), ended }
}

async function tokenOf({ url }: RunningServer): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'ops', client_secret: SECRET })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  return String(Object(await response.json()).access_token)
}

/** Lets every turn of the event loop take a few milliseconds until the test has finished. */
function keepBusy(): void {
  const untouched = new Int32Array(new SharedArrayBuffer(4))
  let isOver = false
  const turn = () => {
    Atomics.wait(untouched, 0, 0, 6)
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  onTestFinished(() => {
    isOver = true
  })
}

const LIVEZ = requestText('GET /livez')

function evaluation({ demo }: RunningServer): string {
  const headers = { authorization: demo?.serverKey ?? '' }
  return requestText('POST /v1/variables', { user_id: 'ada', country: 'CA' }, headers)
}

test('pipelined requests of a connection are executed one after another', async () => {
  const server = await startDemo()
  const headers = { authorization: `Bearer ${await tokenOf(server)}` }
  const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`)
  const path = '/v1/projects/demo/features/new-checkout'
  const { socket, responses } = open(server)
  socket.write(
    names
      .map((name) => requestText(`PATCH ${path}`, { name }, headers) + requestText(`GET ${path}`, undefined, headers))
      .join('')
  )
  await expect.poll(() => responses().length, PATIENCE).toBe(2 * names.length)
  const read = responses()
    .filter((_, index) => index % 2 === 1)
    .map((response) => /"name":"(Name \d+)"/.exec(response)?.[1])
  expect(read).toEqual(names)
})

test('a request on another connection does not wait for pipelined requests', async () => {
  const server = await startDemo()
  const request = evaluation(server)
  const busy = Array.from({ length: 10 }, () => open(server))
  const other = open(server)
  await Promise.all([...busy, other].map(({ socket }) => once(socket, 'connect')))
  const pipelined = 100
  for (const { socket } of busy) socket.write(request.repeat(pipelined))
  other.socket.write(LIVEZ)
  const answered = () => busy.reduce((sum, { responses }) => sum + responses().length, 0)
  await once(other.socket, 'data')
  expect(answered()).toBeLessThan((busy.length * pipelined) / 2)
  await expect.poll(answered, PATIENCE).toBe(busy.length * pipelined)
  for (const { responses } of busy) {
    for (const response of responses()) expect(response).toMatch(/^HTTP\/1\.1 200 /)
  }
})

test('new connections do not wait for the pipelined requests of others', async () => {
  let answeredToBusy = 0
  const server = await startListening(
    ({ url }, response) => {
      block(0.5)
      if (url === '/busy') answeredToBusy++
      response.end()
    },
    { at: { host: '127.0.0.1', port: 0 }, stallTimeoutMs: 30_000 }
  )
  onTestFinished(() => stopListening(server, 0))
  // The address of a server that listens on a port is an `AddressInfo`.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const busy = Array.from({ length: 20 }, () => open({ url }))
  for (const { socket } of busy) socket.write(requestText('GET /busy').repeat(100))
  await Promise.all(busy.map(({ socket }) => once(socket, 'data')))
  const before = answeredToBusy
  const added = Array.from({ length: 100 }, () => open({ url }))
  for (const { socket } of added) socket.write(requestText('GET /new'))
  await Promise.all(added.map(({ socket }) => once(socket, 'data')))
  // A turn of the event loop accepts one connection, and has time for four requests when none arrives.
  expect(answeredToBusy - before).toBeLessThan(2 * added.length)
})

test.each([
  { what: 'more than a thousand', connections: 20, pipelined: 1_500, atLeast: 20, atMost: 20 },
  { what: 'many, while 100,000 of all connections wait,', connections: 150, pipelined: 900, atLeast: 38, atMost: 45 }
])('connections that pipeline $what are closed, and others are answered', async (flood) => {
  let dropped = 0
  const server = await startListening(({ url }, response) => url === '/other' && response.end(), {
    at: { host: '127.0.0.1', port: 0 },
    stallTimeoutMs: 30_000,
    onConnectionDropped: () => dropped++
  })
  onTestFinished(() => stopListening(server, 0))
  // The address of a server that listens on a port is an `AddressInfo`.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kept = open({ url })
  const flooding = Array.from({ length: flood.connections }, () => open({ url }))
  let closed = 0
  for (const { socket } of flooding) {
    socket.on('close', () => closed++)
    socket.write(requestText('GET /busy').repeat(flood.pipelined))
  }
  await expect.poll(() => closed, PATIENCE).toBeGreaterThanOrEqual(flood.atLeast)
  kept.socket.write(requestText('GET /other').repeat(50))
  await expect.poll(() => kept.responses().length, PATIENCE).toBe(50)
  const added = open({ url })
  added.socket.write(requestText('GET /other').repeat(500))
  await expect.poll(() => added.responses().length, PATIENCE).toBe(500)
  expect(closed).toBeLessThanOrEqual(flood.atMost)
  expect(dropped).toBe(closed)
  for (const { socket } of flooding) socket.destroy()
})

/** Blocks the event loop for a number of milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('connections that pipeline more than one read of requests get all responses in order', async () => {
  const server = await startDemo()
  const connections = Array.from({ length: 10 }, () => open(server))
  // 65,536 bytes are read at once.
  const headers = { padding: 'x'.repeat(100) }
  const paths = Array.from({ length: 1_000 }, (_, index) => `/unknown/${index}`)
  const text = paths.map((path) => requestText(`GET ${path}`, undefined, headers)).join('')
  for (const { socket } of connections) socket.write(text)
  for (const { responses } of connections) {
    await expect.poll(() => responses().length, PATIENCE).toBe(paths.length)
    const answered = responses().map((response) => /no route for GET ([^;]+);/.exec(response)?.[1])
    expect(answered).toEqual(paths)
  }
})

test('connections opened before a stop are answered, however long it takes to accept them', async () => {
  const server = await startDemo()
  keepBusy()
  const connections = Array.from({ length: 200 }, () => open(server))
  for (const { socket } of connections) socket.write(LIVEZ)
  // The system has accepted all of them once the last one is connected; the server only a few.
  await once(connections.at(-1)?.socket as Socket, 'connect')
  await server.close()
  await Promise.all(connections.map(({ ended }) => ended))
  const statuses = connections.map(({ responses }) => responses()[0]?.slice(0, 12))
  expect(statuses).toEqual(connections.map(() => 'HTTP/1.1 200'))
})

test.each<[string, (server: RunningServer) => Promise<RequestToRead>]>([
  ['documents', async () => ({ path: '/openapi.json' })],
  ['downloads of configs', async ({ demo }) => ({ path: `/config/v1/server/${demo?.serverKey}.json` })],
  [
    'exports of the audit log',
    async (server) => {
      const headers = { authorization: `Bearer ${await tokenOf(server)}` }
      return { path: '/v1/organizations/current/audit/export', headers }
    }
  ]
])('a client that does not read %s is disconnected, and no other one', async (_, toRequest) => {
  const server = await startDemo({ streamTimings: { stallTimeoutMs: 2_000 } })
  const { path, headers = {} } = await toRequest(server)
  const response = await fetch(`${server.url}${path}`, { headers })
  expect(response.status).toBe(200)
  const request = requestText(`GET ${path}`, undefined, headers)
  const slow = open(server)
  const quick = open(server)
  slow.socket.pause().write(request.repeat(Math.ceil(MORE_THAN_BUFFERS / (await response.text()).length)))
  quick.socket.write(request.repeat(2))
  await expect.poll(() => quick.responses().length, PATIENCE).toBe(2)
  const isCut = () => {
    // A client that does not read notices the end of the connection when it writes.
    slow.socket.write('\r\n')
    return slow.socket.destroyed
  }
  await expect.poll(isCut, PATIENCE).toBe(true)
  expect(quick.socket.destroyed).toBe(false)
})

interface RequestToRead {
  readonly path: string
  readonly headers?: Record<string, string>
}

/** More bytes than the buffers of a connection hold. */
const MORE_THAN_BUFFERS = 15_000_000
