import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { call, serve, type TestServer } from '@burgee/testing/harness'
import { keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { type Client, ClientProviderEvents, OpenFeature, type Provider } from '@openfeature/web-sdk'
import { EventSource } from 'eventsource'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toggle, waitUntil } from '../support/events/eventStream.ts'

/** The published OpenFeature web client, whose connection to the server is cut now and then. */

const plan: Plan = { features: [{ key: 'plain' }, { key: 'other' }] }
const HOUR = 3_600_000

/** The requests of the client, with their results. */
interface Asked {
  readonly what: 'flags' | 'stream'
  readonly status: number
}

let server: TestServer
let line: Line
let asked: Asked[]
let changes: (readonly string[])[]
/** The delays that the client chose before its next requests. */
let waits: number[]
let domains = 0
/** Whether the client sends a version other than its last one, so that the server requests a fetch. */
let forgets = false

beforeEach(async () => {
  server = await serve(plan, {}, NOW, { streamTimings: { retryMs: 50 } })
  line = await lineTo(() => server.port)
  asked = []
  changes = []
  forgets = false
  waits = []
  vi.stubGlobal('EventSource', WatchedEventSource)
  shortenWaits()
})

afterEach(async () => {
  await OpenFeature.clearProviders()
  line.close()
  vi.unstubAllGlobals()
})

afterAll(() => OpenFeature.close())

class WatchedEventSource extends EventSource {
  constructor(url: string) {
    super(url, {
      fetch: async (input, init) => {
        const { signal, ...rest } = init
        const headers =
          forgets && 'Last-Event-ID' in rest.headers ? { ...rest.headers, 'Last-Event-ID': 'x' } : rest.headers
        const answer = await fetch(input, { ...rest, headers, ...(signal ? { signal: signal as AbortSignal } : {}) })
        asked.push({ what: 'stream', status: answer.status })
        return answer
      }
    })
  }
}

/** A connection to a server that can be cut and restored. */
interface Line {
  readonly url: string
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => void
}

async function lineTo(port: () => number): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy: Server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(port(), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  const mend = () => {
    isCut = false
  }
  const close = () => {
    cut()
    proxy.close()
  }
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cut, mend, close }
}

/** Starts a client without polling, and waits until it has flags and a stream. */
async function start(options: Partial<ConstructorParameters<typeof OFREPWebProvider>[0]> = {}): Promise<Client> {
  const domain = `live ${domains++}`
  const provider = new OFREPWebProvider({
    baseUrl: line.url,
    headers: [['authorization', `Bearer ${keyOf('client')}`]],
    cacheMode: 'disabled',
    fetchImplementation: async (input: string | URL | Request, init?: RequestInit) => {
      const answer = await fetch(input, init)
      asked.push({ what: 'flags', status: answer.status })
      return answer
    },
    ...options
  })
  const client = OpenFeature.getClient(domain)
  client.addHandler(ClientProviderEvents.ConfigurationChanged, (event) => void changes.push(event?.flagsChanged ?? []))
  // Its hooks may be undefined, which exactOptionalPropertyTypes distinguishes from missing.
  await OpenFeature.setProviderAndWait(domain, provider as Provider, { targetingKey: 'ada' })
  return client
}

function streamsOpened(): number {
  return asked.filter(({ what, status }) => what === 'stream' && status === 200).length
}

function answersSince(before: number): string[] {
  return asked.slice(before).map(({ what, status }) => `${what} ${status}`)
}

/** Fails if the client makes any request within a time that exceeds its first two retries, which are shortened. */
async function expectQuiet(): Promise<void> {
  const before = [...asked]
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(asked).toEqual(before)
}

it('the web provider receives a change without polling, and names the flag', async () => {
  const client = await start()
  await waitUntil(() => streamsOpened() === 1)
  expect(client.getBooleanValue('plain', false)).toBe(true)
  await toggle(server, 'inactive')
  await waitUntil(() => changes.length === 1)
  expect(changes).toEqual([['plain']])
  expect(client.getBooleanDetails('plain', false)).toMatchObject({ value: false, reason: 'DISABLED' })
  await toggle(server, 'active')
  await waitUntil(() => client.getBooleanValue('plain', false))
  expect(asked.map(({ what }) => what)).toEqual(['flags', 'stream', 'flags', 'flags'])
})

it('the web provider uses an absolute stream URL if a public URL is set', async () => {
  // The URL of the line is needed before the server starts.
  let port = 0
  const near = await lineTo(() => port)
  const named = await serve(plan, { publicUrl: near.url })
  port = named.port
  const client = await start({ baseUrl: named.url })
  await waitUntil(() => streamsOpened() === 1)
  await toggle(named, 'inactive')
  await waitUntil(() => changes.length === 1)
  expect(client.getBooleanDetails('plain', true).reason).toBe('DISABLED')
  near.close()
})

it('the web provider reconnects after a cut, with the changes in between', async () => {
  const client = await start()
  await waitUntil(() => streamsOpened() === 1)
  // The stream is cut with and without an earlier message.
  for (const status of ['inactive', 'active'] as const) {
    const opened = streamsOpened()
    line.cut()
    await toggle(server, status)
    line.mend()
    await waitUntil(() => client.getBooleanDetails('plain', false).value === (status === 'active'))
    expect(streamsOpened()).toBe(opened + 1)
  }
  expect(changes).toEqual([['plain'], ['plain']])
  await toggle(server, 'inactive')
  await waitUntil(() => changes.length === 3)
  await expectQuiet()
})

it.each([
  ['nothing', false, []],
  ['to fetch again', true, ['flags 304']]
])(
  'the web provider is STALE after a cut until it has a context again, even when it receives %s',
  async (_, isForgetful, fetches) => {
    const client = await start()
    await waitUntil(() => streamsOpened() === 1)
    await toggle(server, 'inactive')
    await waitUntil(() => changes.length === 1)
    const before = asked.length
    forgets = isForgetful
    line.cut()
    await waitUntil(() => client.providerStatus === 'STALE')
    line.mend()
    await waitUntil(() => asked.length === before + 1 + fetches.length)
    await expectQuiet()
    expect(answersSince(before)).toEqual(['stream 200', ...fetches])
    expect([client.providerStatus, changes.length]).toEqual(['STALE', 1])
    await toggle(server, 'active')
    await waitUntil(() => changes.length === 2)
    expect([client.providerStatus, client.getBooleanValue('plain', false)]).toEqual(['STALE', true])
    await OpenFeature.setContext(client.metadata.domain ?? '', { targetingKey: 'ada', again: true })
    expect(client.providerStatus).toBe('READY')
  }
)

it('the web provider reconnects after a message with an expired token', async () => {
  await start()
  await waitUntil(() => streamsOpened() === 1)
  await toggle(server, 'inactive')
  await waitUntil(() => changes.length === 1)
  const before = asked.length
  line.cut()
  server.clock.now = () => NOW + 5 * HOUR
  line.mend()
  await waitUntil(() => streamsOpened() === 2)
  expect(answersSince(before)).toEqual(['stream 200'])
  await toggle(server, 'active')
  await waitUntil(() => changes.length === 2)
  await expectQuiet()
})

it.each([
  ['no message', 5],
  ['more than a day', 50]
])('the web provider gets a new token by itself after %s, once', async (what, hours) => {
  const client = await start()
  await waitUntil(() => streamsOpened() === 1)
  if (what !== 'no message') {
    await toggle(server, 'inactive')
    await waitUntil(() => changes.length === 1)
    await toggle(server, 'active')
    await waitUntil(() => changes.length === 2)
  }
  const before = asked.length
  const changesBefore = changes.length
  line.cut()
  server.clock.now = () => NOW + hours * HOUR
  line.mend()
  await waitUntil(() => streamsOpened() === 2)
  expect(answersSince(before)).toEqual(['stream 401', 'flags 200', 'stream 200'])
  // The application is not notified about tokens.
  expect(changes).toHaveLength(changesBefore)
  // The token of the test has expired as well.
  server.clock.now = () => NOW
  await toggle(server, 'inactive')
  await waitUntil(() => changes.length === changesBefore + 1)
  expect(client.getBooleanDetails('plain', true).reason).toBe('DISABLED')
  await expectQuiet()
})

it('the web provider starts from a persisted copy that is weeks old, and streams', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key)
  })
  // Persisted copies depend on the domain of the provider as well.
  const options = { cacheMode: 'local-cache-first', cacheKeyGenerator: () => 'the copy' } as const
  await start(options)
  await waitUntil(() => streamsOpened() === 1)
  await OpenFeature.clearProviders()
  expect(kept.size).toBe(1)

  server.clock.now = () => NOW + 20 * 24 * HOUR
  asked = []
  changes = []
  await start(options)
  await waitUntil(() => streamsOpened() === 1)
  await waitUntil(() => asked.some(({ what, status }) => what === 'flags' && status === 200))
  const before = changes.length
  await toggle(server, 'inactive')
  await waitUntil(() => changes.length > before)
  await expectQuiet()
})

it('the web provider gets no stream address when the limit of streams is reached, and makes no further requests', async () => {
  const full = await serve(plan, { maxStreams: 0 })
  const other = await lineTo(() => full.port)
  const client = await start({ baseUrl: other.url })
  expect(client.getBooleanValue('plain', false)).toBe(true)
  await expectQuiet()
  expect(asked.map(({ what }) => what)).toEqual(['flags'])
  other.close()
})

it('the web provider requests less and less often once its key is invalidated', async () => {
  const params = { project: 'shop', environment: 'production' }
  const client = await start()
  await waitUntil(() => streamsOpened() === 1)
  await call(server, 'generateSdkKeys', { params, body: { client: true } })
  const { status } = await call(server, 'invalidateSdkKey', { params: { ...params, key: keyOf('client') } })
  expect(status).toBe(200)
  await waitUntil(() => waits.length >= 3)
  expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000])
  expect(asked.filter(({ what, status }) => what === 'stream' && status === 401)).toHaveLength(1)
  // It keeps its values.
  expect(client.getBooleanValue('plain', false)).toBe(true)
})

/**
 * Records the delays that the client chooses before its next requests, and waits a tenth of them. Its timeouts, for a
 * request and for a stream that is cut, are ten seconds and more; they are unchanged.
 */
function shortenWaits(): void {
  const { setTimeout: set } = globalThis
  const shortened = (work: () => void, delay = 0) => {
    const isRepetition = delay >= 1_000 && delay < 10_000 && new Error().stack?.includes('ofrep-web-provider')
    if (isRepetition) waits.push(delay)
    return set(work, isRepetition ? delay / 10 : delay)
  }
  vi.stubGlobal('setTimeout', Object.assign(shortened, set))
}
