import { type AddressInfo, createServer, type Socket } from 'node:net'
import { call, serve } from '@burgee/testing/harness'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { createSafeFetch } from '../../src/lib/outbound/createSafeFetch.ts'
import type { OutboundRequest } from '../../src/lib/outbound/safeFetch.ts'

const allowedPrivateTargets = parseAllowedDestinations('127.0.0.1')!

const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends.splice(0)) end()
})

/** A receiver that controls its connections. */
interface Receiver {
  readonly url: string
  /** The received bytes of all connections. */
  readonly received: () => string
  /** The number of all connections, and of the open ones. */
  readonly connections: () => number
  readonly open: () => number
}

/** Starts a receiver. `treat` gets each connection at its first byte of a request, or at once. */
async function receiver(treat: (socket: Socket) => void, { isAtOnce = false } = {}): Promise<Receiver> {
  let received = ''
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('data', (chunk) => {
      received += chunk
    })
    if (isAtOnce) treat(socket)
    else socket.once('data', () => treat(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hook`
  return { url, received: () => received, connections: () => connections, open: () => open.size }
}

/** Writes a text and continues. */
function starting(text: string, go: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.write(text)
    go(socket)
  }
}

/** Writes a text repeatedly while the connection is open. */
function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.writable && socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Writes until the buffer is full. */
function flood(socket: Socket, text: string): void {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  const more = () => {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

function request(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', ...more }
}

const OK = 'HTTP/1.1 200 OK\r\n'
/** Longer than a busy machine pauses: the others do not wait for it, and would report it if it were over. */
const DEADLINE_MS = 2_500
const late = { type: 'failed', reason: 'no response within 2.5 s' }
const garbled = { type: 'failed', reason: expect.stringContaining('answered something that is not HTTP') }
const dropped = { type: 'failed', reason: '127.0.0.1 closed the connection without a response' }

const hostile: [string, (socket: Socket) => void, object][] = [
  ['hangs before it answers', () => {}, late],
  ['drips its head', (socket) => drip(socket, 'H', 20), garbled],
  ['drips headers', starting(OK, (socket) => drip(socket, 'a: b\r\n', 20)), late],
  ['drips a body', starting(`${OK}content-length: 99999\r\n\r\n`, (socket) => drip(socket, '.', 20)), { status: 200 }],
  [
    'drips chunks',
    starting(`${OK}transfer-encoding: chunked\r\n\r\n`, (socket) => drip(socket, '1\r\na\r\n', 20)),
    { status: 200 }
  ],
  [
    'answers the head of a body that never comes',
    (socket) => socket.write(`${OK}content-length: 5\r\n\r\n`),
    { status: 200 }
  ],
  [
    'floods with a body',
    starting(`${OK}\r\n`, (socket) => flood(socket, 'x')),
    { status: 200, excerpt: 'x'.repeat(1000) }
  ],
  [
    'floods with headers',
    starting(OK, (socket) => flood(socket, 'name: value\r\n')),
    { type: 'failed', reason: '127.0.0.1 answered with headers of more than 16 KiB' }
  ],
  ['floods with one header', starting(`${OK}a: `, (socket) => flood(socket, 'x')), { type: 'failed' }],
  ['floods with what is not HTTP', (socket) => flood(socket, '\0\u0001'), garbled],
  [
    'floods with chunks',
    starting(`${OK}transfer-encoding: chunked\r\n\r\n`, (socket) => flood(socket, '1\r\na\r\n')),
    { status: 200 }
  ],
  [
    'floods with the extension of a chunk',
    starting(`${OK}transfer-encoding: chunked\r\n\r\n1;`, (socket) => flood(socket, 'x')),
    { status: 200 }
  ],
  ['resets', (socket) => socket.resetAndDestroy(), dropped],
  [
    'resets in the body',
    (socket) =>
      socket.write(`${OK}content-length: 9\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 50)),
    { status: 200 }
  ],
  ['closes without a response', (socket) => socket.end(), dropped],
  ['closes in the headers', (socket) => socket.end(`${OK}a: b`), { type: 'failed' }],
  ['answers a status that there is not', (socket) => socket.end('HTTP/1.1 000 Nothing\r\n\r\n'), garbled],
  ['answers garbage', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), garbled],
  ['answers TLS', (socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x28])), garbled],
  [
    'answers with 100 headers',
    (socket) =>
      socket.end(`${OK}${Array.from({ length: 100 }, (_, i) => `x-${i}: y\r\n`).join('')}content-length: 2\r\n\r\nhi`),
    { status: 200, excerpt: 'hi' }
  ],
  ['drips interim answers', (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 20), { type: 'failed' }],
  [
    'floods with interim answers',
    (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'),
    { type: 'failed' }
  ],
  ['floods with 100', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), { type: 'failed' }],
  [
    'switches protocols',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    { type: 'failed' }
  ],
  ['answers two lengths', (socket) => socket.write(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), garbled],
  [
    'answers twice',
    (socket) => socket.end(`${OK}content-length: 2\r\n\r\nhiHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`),
    { status: 200, excerpt: 'hi' }
  ],
  [
    'answers an absurd status',
    (socket) => socket.end('HTTP/1.1 999 Whatever\r\ncontent-length: 0\r\n\r\n'),
    { status: 999 }
  ]
]

describe('a receiver that', () => {
  const send = createSafeFetch({
    serverVersion: '1.2.3',
    allowedPrivateTargets,
    now: Date.now,
    deadlineMs: DEADLINE_MS
  })

  // Concurrent, since many end at the deadline.
  test.concurrent.each(hostile)('%s ends in time, with its connection closed', async (_, treat, expected) => {
    const there = await receiver((socket) => void treat(socket))
    const outcome = await send(request(there.url))
    expect(outcome).toMatchObject(expected)
    expect(outcome.durationMs).toBeLessThan(20_000)
    expect(there.connections()).toBe(1)
    await vi.waitFor(() => expect(there.open()).toBe(0), 20_000)
  })

  test.each(hostile.filter(([name]) => name.startsWith('floods')))(
    '%s is cut off before the deadline',
    async (_, treat, expected) => {
      const patient = createSafeFetch({
        serverVersion: '1.2.3',
        allowedPrivateTargets,
        now: Date.now,
        deadlineMs: 60_000
      })
      const there = await receiver((socket) => void treat(socket))
      const outcome = await patient(request(there.url))
      expect(outcome).toMatchObject(expected)
      expect(outcome.durationMs).toBeLessThan(30_000)
    }
  )

  test('accepts the connection but no byte of the request ends in time', async () => {
    const there = await receiver((socket) => socket.pause(), { isAtOnce: true })
    expect(await send(request(there.url, { body: 'x'.repeat(20_000_000) }))).toMatchObject(late)
  })

  test('does not respond with TLS ends in time', async () => {
    const there = await receiver((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), { isAtOnce: true })
    const outcome = await send(request(there.url.replace('http:', 'https:')))
    expect(outcome).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining('127.0.0.1 did not respond with TLS')
    })
    await vi.waitFor(() => expect(there.open()).toBe(0), 20_000)
  })

  test('hangs in the TLS handshake ends in time', async () => {
    const there = await receiver(() => {})
    expect(await send(request(there.url.replace('http:', 'https:')))).toMatchObject(late)
    await vi.waitFor(() => expect(there.open()).toBe(0), 20_000)
  })

  test('does not exist fails', async () => {
    const outcome = await send(request('http://127.0.0.1:1/'))
    expect(outcome).toMatchObject({ type: 'failed', reason: '127.0.0.1 refused the connection' })
  })

  test('hangs is aborted when the server stops', async () => {
    const there = await receiver(() => {})
    const stop = new AbortController()
    const sent = createSafeFetch({ serverVersion: '1.2.3', allowedPrivateTargets, now: Date.now })(
      request(there.url),
      stop.signal
    )
    await vi.waitFor(() => expect(there.connections()).toBe(1), 20_000)
    stop.abort()
    expect(await sent).toMatchObject({ type: 'failed', reason: 'the server is stopping' })
    await vi.waitFor(() => expect(there.open()).toBe(0), 20_000)
    expect(await send(request(there.url), stop.signal)).toMatchObject({ reason: 'the server is stopping' })
    expect(there.connections()).toBe(1)
  })
})

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
  const inside = await receiver((socket) => socket.end(`${OK}content-length: 0\r\n\r\n`))
  const there = await receiver((socket) =>
    socket.end(`HTTP/1.1 ${status} Elsewhere\r\nlocation: ${inside.url}\r\ncontent-length: 0\r\n\r\n`)
  )
  const send = createSafeFetch({ serverVersion: '1.2.3', allowedPrivateTargets, now: Date.now })
  expect(await send(request(there.url))).toMatchObject({ type: 'answered', status })
  expect(inside.connections()).toBe(0)
})

describe('a request', () => {
  const send = createSafeFetch({
    serverVersion: '1.2.3',
    allowedPrivateTargets,
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    deadlineMs: 5000
  })
  const answering = (head: string, body = '') =>
    receiver((socket) => socket.end(`HTTP/1.1 ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`))

  test('is sent unchanged, on its own connection', async () => {
    const there = await answering('204 No Content')
    const url = `${there.url}?token=abc&x=%20`
    for (let times = 0; times < 2; times += 1) await send(request(url, { headers: { 'x-own': 'é' }, body: '{"ü":1}' }))
    expect(there.connections()).toBe(2)
    expect(there.received()).toMatch(/^POST \/hook\?token=abc&x=%20 HTTP\/1\.1\r\n/)
    expect(there.received()).toContain('x-own: ')
    expect(there.received()).toContain('ontent-length: 8\r\n')
    expect(there.received()).toMatch(/connection: close/i)
  })

  test('that cannot be sent fails without throwing', async () => {
    const there = await answering('204 No Content')
    const outcome = await send(request(there.url, { headers: { 'x-own': 'a\r\nevil: b' } }))
    expect(outcome).toMatchObject({ type: 'failed', reason: 'the request cannot be sent (ERR_INVALID_CHAR)' })
    expect(there.received()).toBe('')
  })

  test.each([
    ['30', 30_000],
    ['0', 0],
    ['99999999', 86_400_000],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    ['Thu, 01 Jan 2026 00:00:20 GMT\r\ndate: Thu, 01 Jan 2026 00:00:05 GMT', 15_000],
    ['Thu, 01 Jan 2025 00:00:20 GMT', 0],
    ['Thu, 01 Jan 2099 00:00:20 GMT', 86_400_000],
    ['-5', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['', undefined]
  ])('with the response Retry-After: %j waits %j ms', async (text, retryAfterMs) => {
    const there = await answering(`503 Busy\r\nretry-after: ${text}`)
    const outcome = await send(request(there.url))
    expect(outcome).toMatchObject({ type: 'answered', status: 503 })
    expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(retryAfterMs)
  })

  test.each([
    ['plain', 'plain'],
    ['\u001b[31mred\u0000\u202e\r\n\tü', '\ufffd[31mred\ufffd\ufffd\ufffd\n\tü'],
    ['😀'.repeat(1200), '😀'.repeat(1000)],
    ['Cannot POST /hook/T0123456789/s3cr3t-path?token=v3ry%20s3cr3t', 'Cannot POST /hook/****/****?token=****'],
    ['decoded: v3ry s3cr3t', 'decoded: ****'],
    ['authorization: Api-Token the-access-token', 'authorization: Api-Token ****']
  ])('with the response %j shows %j', async (body, excerpt) => {
    const there = await answering('400 Bad Request', body)
    const url = `${there.url}/T0123456789/s3cr3t-path?token=v3ry%20s3cr3t`
    const outcome = await send(request(url, { headers: { Authorization: 'Api-Token the-access-token' } }))
    expect(outcome).toMatchObject({ status: 400, excerpt })
  })
})

test('the API stays responsive while receivers misbehave', async () => {
  const server = await serve({ features: [] })
  const hosts = await Promise.all(hostile.map(([, treat]) => receiver((socket) => void treat(socket))))
  const hanging = await receiver(() => {})
  const send = createSafeFetch({ serverVersion: '1.2.3', allowedPrivateTargets, now: Date.now })
  const stop = new AbortController()
  let isHanging = true
  const worst = [...hosts, ...Array.from({ length: 20 }, () => hanging)].map(({ url }) =>
    send(request(url), stop.signal)
  )
  const ofHanging = worst.at(-1)!.then(() => {
    isHanging = false
  })
  await vi.waitFor(() => expect(hanging.open()).toBe(20), 20_000)
  for (let number = 0; number < 20; number += 1) {
    const key = `added-${number}`
    const written = call(server, 'createFeature', { params: { project: 'shop' }, body: { key, name: key } })
    const read = call(server, 'evaluateVariables', { body: { user_id: `user-${number}` } })
    expect([(await written).status, (await read).status]).toEqual([201, 200])
  }
  // None of the 20 requests timed out, so nothing waited for them.
  expect([isHanging, hanging.open()]).toEqual([true, 20])
  stop.abort()
  await Promise.all([...worst, ofHanging])
  await vi.waitFor(() => expect([hanging, ...hosts].map((one) => one.open()).join('')).toMatch(/^0+$/), 20_000)
})
