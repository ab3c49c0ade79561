import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startListening, stopListening } from '../../src/api/http/listen.ts'
import { parseOptions } from '../../src/cli/options.ts'
import { startServer } from '../../src/server.ts'

const REQUEST_TIMEOUT_MS = 500

/** A connection that collects what it receives until it ends. */
function open(port: number): { readonly socket: Socket; readonly received: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (part) => {
    text += part
  })
  // The server closes while the client may still be writing.
  socket.on('error', () => undefined)
  return { socket, received: once(socket, 'close').then(() => text) }
}

/** Sends one byte after another until the connection closes. */
async function drip(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write('a')
    await setTimeout(50)
  }
}

function head(path: string, headers: Record<string, string> = {}): string {
  const all = { host: 'x', 'content-type': 'application/json', 'content-length': '60000', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

test.each([
  ['the token endpoint', '/oauth/token'],
  ['the fast path', '/v1/variables'],
  ['an evaluation outside of the fast path', '/v1/variables?'],
  ['OFREP', '/ofrep/v1/evaluate/flags'],
  ['events', '/v1/events/batch']
])('a request to %s whose body never ends is closed with 408, also while bytes arrive', async (_, path) => {
  const options = parseOptions(['--demo', '--store', 'memory:', '--port', '0', '--log-level', 'silent'], {
    BURGEE_ADMIN_CLIENT_ID: 'ops',
    BURGEE_ADMIN_CLIENT_SECRET: 'the-secret-of-unfinished-requests'
  })
  const server = await startServer(options, { requestTimeoutMs: REQUEST_TIMEOUT_MS })
  onTestFinished(() => server.close())
  const port = Number(new URL(server.url).port)
  const start = `${head(path, { authorization: server.demo?.serverKey ?? '' })}{"user_id": "`
  const [silent, dripping] = [open(port), open(port)]
  silent.socket.write(start)
  dripping.socket.write(start)
  const [one, other] = await Promise.all([silent.received, dripping.received, drip(dripping.socket)])
  expect(one).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(other).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a client that stops sending gets 408 with the timeouts of production, too', async () => {
  const options = parseOptions(['--demo', '--store', 'memory:', '--port', '0', '--log-level', 'silent'], {
    BURGEE_ADMIN_CLIENT_ID: 'ops',
    BURGEE_ADMIN_CLIENT_SECRET: 'the-secret-of-unfinished-requests'
  })
  const server = await startServer(options)
  onTestFinished(() => server.close())
  const { socket, received } = open(Number(new URL(server.url).port))
  socket.write(`${head('/v1/variables', { authorization: server.demo?.serverKey ?? '' })}{"user_id": "`)
  expect(await received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a request that takes longer to answer than to send is answered, and the unfinished one behind it is closed', async () => {
  const answers: ServerResponse[] = []
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    if (request.url === '/slow') answers.push(response)
  }
  const server = await startListening(listener, {
    at: { host: '127.0.0.1', port: 0 },
    stallTimeoutMs: 60_000,
    requestTimeoutMs: REQUEST_TIMEOUT_MS
  })
  onTestFinished(() => stopListening(server, 0))
  const { socket, received } = open((server.address() as AddressInfo).port)
  socket.write(`GET /slow HTTP/1.1\r\nhost: x\r\n\r\n${head('/unfinished')}`)
  // Longer than the timeout and the interval of its checks.
  await setTimeout(REQUEST_TIMEOUT_MS + 1_500)
  expect(answers).toHaveLength(1)
  answers[0]?.end('at last')
  expect((await received).split(/(?=HTTP\/1\.1)/).map((response) => response.slice(0, 12))).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 408'
  ])
})
