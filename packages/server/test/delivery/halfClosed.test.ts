import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, onTestFinished, test } from 'vitest'
import { forwardRequests } from '../../src/api/http/forwarding/forwardRequests.ts'
import { receiveForwarded } from '../../src/api/http/forwarding/receiveForwarded.ts'
import { startListening, stopListening } from '../../src/api/http/listen.ts'
import { parseOptions } from '../../src/cli/options.ts'
import { startServer } from '../../src/server.ts'

// Some clients end their side of the connection after the request, and wait for the response.

async function listen(callback: RequestListener, at: { host: string; port: number } | { path: string }) {
  const server = await startListening(callback, { at, stallTimeoutMs: 30_000 })
  onTestFinished(() => stopListening(server, 0))
  return server
}

const LOCAL = { host: '127.0.0.1', port: 0 }

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** Starts a worker's listener in front of a main process's. */
async function listenThroughWorker(callback: RequestListener): Promise<Server> {
  const path = join(await temporaryDirectory(), 'main.sock')
  await listen(
    receiveForwarded(callback, () => true),
    { path }
  )
  return listen(forwardRequests({ socketPath: path, settle: async () => {}, isStopping: () => false }), LOCAL)
}

/** Sends requests and the end of the connection at once, and returns all that is received. */
function sendAndEnd(port: number, ...requests: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.end(requests.join(''))
  return text(socket)
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`

test('clients that end their side of the connection get the responses of the API and of evaluations', async () => {
  const flags = ['--demo', '--store', 'memory:', '--port', '0', '--log-level', 'silent']
  const secret = 'the-secret-of-the-tests'
  const server = await startServer(
    parseOptions(flags, { BURGEE_ADMIN_CLIENT_ID: 'ops', BURGEE_ADMIN_CLIENT_SECRET: secret })
  )
  onTestFinished(() => server.close())
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'ops', client_secret: secret })
  const granted = Object(await (await fetch(`${server.url}/oauth/token`, { method: 'POST', body })).json())
  const port = Number(new URL(server.url).port)
  const user = '{"user_id":"ada"}'
  const head = `POST /v1/variables HTTP/1.1\r\nhost: x\r\nauthorization: ${server.demo?.serverKey}\r\n`
  const evaluation = `${head}content-type: application/json\r\ncontent-length: ${user.length}\r\n\r\n${user}`
  const projects = get('/v1/projects', `authorization: Bearer ${granted.access_token}\r\n`)
  const received = await Promise.all(
    Array.from({ length: 5 }, () => [
      sendAndEnd(port, evaluation),
      sendAndEnd(port, projects),
      sendAndEnd(port, evaluation, projects, evaluation)
    ]).flat()
  )
  const statuses = received.map((all) => all.match(/HTTP\/1\.1 \d+/g)?.join())
  const ok = 'HTTP/1.1 200'
  expect(statuses).toEqual(Array.from({ length: 5 }, () => [ok, ok, `${ok},${ok},${ok}`]).flat())
})

test.each([
  ['one process', (callback: RequestListener) => listen(callback, LOCAL)],
  ['workers', listenThroughWorker]
])('a slow response reaches a client that has ended its side: %s', async (_, open) => {
  const server = await open(async (request, response) => {
    let size = 0
    for await (const chunk of request) size += chunk.length
    while (!request.socket.readableEnded) await setImmediate()
    response.end(`${size} bytes`)
  })
  const body = 'x'.repeat(500_000)
  const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  expect(await sendAndEnd(portOf(server), post)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*500000 bytes/)
  expect(await sendAndEnd(portOf(server), get('/'))).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*0 bytes/)
})

test.each([
  ['one process', (callback: RequestListener) => listen(callback, LOCAL)],
  ['workers', listenThroughWorker]
])('a stream ends when its client ends the connection: %s', async (_, open) => {
  let onClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const server = await open((_request, response) => {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8')
    response.flushHeaders()
    response.once('close', onClosed)
  })
  const socket = connect({ port: portOf(server), host: '127.0.0.1' })
  socket.write(get('/event-stream'))
  await once(socket, 'data')
  socket.destroy()
  await closed
})
