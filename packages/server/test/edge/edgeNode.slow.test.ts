import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, call, options, send, serve, serveShared, type TestServer } from '@burgee/testing/harness'
import { allUsers, keyOf, NOW } from '@burgee/testing/plan'
import { freePort } from '@burgee/testing/system/freePort'
import { temporaryDirectory, textsIn } from '@burgee/testing/temporaryDirectory'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Options } from '../../src/cli/options.ts'
import type { Logger } from '../../src/lib/logger.ts'
import { startServer } from '../../src/server.ts'
import { openEventStream, toggle, waitUntil } from '../support/events/eventStream.ts'

const plan = {
  settings: { edgeDB: { enabled: true } },
  environments: { production: {}, staging: {} },
  features: [
    { key: 'plain' },
    { key: 'client-only', visibleTo: ['client'] },
    {
      key: 'colour',
      variables: { colour: 'String' },
      variations: { red: { colour: 'red' } },
      targets: [{ filters: [allUsers] }]
    }
  ]
} as const

interface Edge extends Pick<TestServer, 'url' | 'port' | 'close'> {
  readonly cacheDirectory: string
}

let upstream: TestServer

beforeEach(async () => {
  upstream = await serve(plan, { port: await freePort() })
  upstream.clock.now = Date.now
})

/** What an edge node can be started with besides its settings. */
interface EdgeSettings extends Partial<Options> {
  readonly log?: Logger
}

async function startEdge({ log, ...settings }: EdgeSettings = {}): Promise<Edge> {
  const cacheDirectory = settings.cacheDirectory ?? (await temporaryDirectory())
  const server = await startServer(
    { ...options, edge: true, upstream: upstream.url, edgeKeys: [keyOf('server')], ...settings, cacheDirectory },
    log ? { log } : {}
  )
  addCleanup(server.close)
  return { url: server.url, port: Number(new URL(server.url).port), close: server.close, cacheDirectory }
}

/** Calls an operation at an edge node. */
function callEdge(
  edge: Edge,
  id: Parameters<typeof call>[1],
  input?: Parameters<typeof call>[2]
): Promise<ApiResponse> {
  return call(edge as unknown as TestServer, id, input)
}

/** Returns the names of the copies in a cache. */
async function copiesIn(cacheDirectory: string): Promise<readonly string[]> {
  return (await readdir(join(cacheDirectory, 'edge'))).filter((name) => name.endsWith('.config'))
}

const user = { user_id: 'ada' }

function evaluate(edge: Edge, input: Parameters<typeof call>[2] = {}): Promise<ApiResponse> {
  return callEdge(edge, 'evaluateVariable', { params: { key: 'plain' }, body: user, ...input })
}

function clientConfig(at: Pick<TestServer, 'port'>, key = keyOf('client'), query = {}): Promise<ApiResponse> {
  const dates = { createdDate: '1', lastSeenDate: '1', deviceModel: 'test', isAnonymous: 'false', sdkKey: key }
  const sdk = { sdkType: 'client', platform: 'JavaScript', platformVersion: '1', sdkVersion: '1' }
  return call(at as TestServer, 'getClientConfig', { query: { ...user, ...sdk, ...dates, ...query }, key: null })
}

/** Starts the upstream again, on the same store and port. */
async function restartUpstream(): Promise<void> {
  upstream = await serveShared(upstream.directory, { port: upstream.port })
  upstream.clock.now = Date.now
}

/** Sums the evaluations of a variable that the upstream has. */
async function countEvaluations(key = 'plain'): Promise<number> {
  const { body, status } = await call(upstream, 'getFeatureTotalEvaluations', {
    params: { project: 'shop', feature: key }
  })
  expect(status).toBe(200)
  const values = body.result.evaluations.flatMap(({ values }: { values: Record<string, number> }) =>
    Object.values(values)
  )
  return values.reduce((sum: number, value: number) => sum + value, 0)
}

/** Reads the value of a metric without labels. */
async function readMetric(edge: Edge, name: string): Promise<string | undefined> {
  const { body } = await send(edge, { path: '/metrics' })
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]
}

describe('an edge node', () => {
  test('answers as its upstream does', async () => {
    const edge = await startEdge()
    const requests = [
      (at: TestServer) => call(at, 'evaluateVariable', { params: { key: 'plain' }, body: user }),
      (at: TestServer) => call(at, 'evaluateVariables', { body: user }),
      (at: TestServer) => call(at, 'evaluateFeatures', { body: user }),
      (at: TestServer) =>
        call(at, 'ofrepEvaluateFlag', { params: { key: 'colour' }, body: { context: { targetingKey: 'ada' } } })
    ]
    for (const request of requests) {
      const [there, here] = [await request(upstream), await request(edge as unknown as TestServer)]
      expect(here.status).toBe(200)
      expect(here.body).toEqual(there.body)
    }
    const { body, status } = await clientConfig(edge)
    expect(status).toBe(200)
    expect(Object.keys(body.variables).sort()).toEqual(['client-only', 'colour', 'plain'])
    const download = (at: TestServer) => call(at, 'getServerConfig', { params: { key: keyOf('server') }, key: null })
    const [there, here] = [await download(upstream), await download(edge as unknown as TestServer)]
    expect(here.headers.etag).toBe(there.headers.etag)
    expect({ ...here.body, sse: undefined }).toEqual({ ...there.body, sse: undefined })
    expect(here.body.sse.hostname).toBe(edge.url)
  })

  test('refuses keys of other environments, unknown keys, and requests that need the store', async () => {
    const edge = await startEdge()
    expect((await evaluate(edge, { key: keyOf('server', 'staging') })).status).toBe(401)
    expect((await evaluate(edge, { key: 'server-unknown' })).status).toBe(401)
    expect((await clientConfig(edge, keyOf('client'), { enableEdgeDB: 'true' })).status).toBe(503)
    const listed = await send(edge, { path: '/v1/projects' })
    expect(listed.status).toBe(404)
    expect(listed.body.message).toContain('upstream')
  })

  test('serves several environments, each for a server key', async () => {
    const edge = await startEdge({ edgeKeys: [keyOf('server'), keyOf('server', 'staging')] })
    expect((await evaluate(edge)).status).toBe(200)
    expect((await evaluate(edge, { key: keyOf('server', 'staging') })).status).toBe(200)
  })

  test('passes on changes, and closes streams of revoked keys', async () => {
    const edge = await startEdge()
    const stream = await openEventStream(edge, `/event-stream?sdkKey=${keyOf('server')}`)
    const other = await openEventStream(edge, `/event-stream?sdkKey=${keyOf('client')}`)
    await waitUntil(() => stream.messages().length === 1)
    await toggle(upstream, 'inactive')
    await waitUntil(() => stream.messages().length === 2)
    expect((await evaluate(edge)).status).toBe(404)
    expect((await clientConfig(edge)).status).toBe(200)
    const params = { project: 'shop', environment: 'production' }
    expect((await call(upstream, 'generateSdkKeys', { params, body: { client: true } })).status).toBe(201)
    const invalidated = await call(upstream, 'invalidateSdkKey', { params: { ...params, key: keyOf('client') } })
    expect(invalidated.status).toBe(200)
    await waitUntil(() => other.isOver())
    expect((await clientConfig(edge)).status).toBe(401)
    expect((await evaluate(edge)).status).toBe(404)
  })

  test('stops serving an environment whose key in BURGEE_EDGE_KEYS is revoked, and keeps no copy of it', async () => {
    const edge = await startEdge()
    const directory = join(edge.cacheDirectory, 'edge')
    await waitUntil(async () => (await textsIn(directory)).includes('"features"'))
    const params = { project: 'shop', environment: 'production' }
    expect((await call(upstream, 'generateSdkKeys', { params, body: { server: true } })).status).toBe(201)
    await call(upstream, 'invalidateSdkKey', { params: { ...params, key: keyOf('server') } })
    await waitUntil(async () => (await evaluate(edge)).status === 401)
    expect((await clientConfig(edge)).status).toBe(401)
    await waitUntil(async () => !(await textsIn(directory)).includes('"features"'))
    expect((await send(edge, { path: '/readyz' })).status).toBe(503)
  })

  test('is ready without its upstream when a refused key is the only one without a copy', async () => {
    const params = { project: 'shop', environment: 'production' }
    const added = await call(upstream, 'generateSdkKeys', { params, body: { server: true } })
    const key: string = added.body.sdkKeys.server.at(-1).key
    const edgeKeys = [keyOf('server'), key]
    const first = await startEdge({ edgeKeys })
    const { cacheDirectory } = first
    await call(upstream, 'invalidateSdkKey', { params: { ...params, key: keyOf('server') } })
    await waitUntil(async () => (await evaluate(first)).status === 401)
    await first.close()
    await upstream.close()
    const edge = await startEdge({ edgeKeys, cacheDirectory })
    expect((await send(edge, { path: '/readyz' })).status).toBe(200)
    expect((await evaluate(edge, { key })).status).toBe(200)
    expect((await evaluate(edge)).status).toBe(401)
  })

  test('serves an environment whose key was refused in an earlier run, and no longer is', async () => {
    const params = { project: 'shop', environment: 'production', key: keyOf('server') }
    const restrict = async (allowedNetworks: readonly string[] | null) => {
      const { status } = await call(upstream, 'updateSdkKey', { params, body: { allowedNetworks } })
      expect(status).toBe(200)
    }
    await restrict(['192.0.2.0/24'])
    const first = await startEdge()
    await waitUntil(async () => (await evaluate(first)).status === 401)
    await first.close()
    await restrict(null)
    const edge = await startEdge({ cacheDirectory: first.cacheDirectory })
    await waitUntil(async () => (await evaluate(edge)).status === 200)
    expect((await send(edge, { path: '/readyz' })).status).toBe(200)
  })

  test('starts without its upstream from its copies, and follows it when it is back', async () => {
    const first = await startEdge()
    await waitUntil(async () => (await copiesIn(first.cacheDirectory)).length > 0)
    await first.close()
    await upstream.close()
    const { cacheDirectory } = first
    const edge = await startEdge({ cacheDirectory })
    expect((await evaluate(edge)).body.value).toBe(true)
    expect((await evaluate(edge, { key: 'server-unknown' })).status).toBe(401)
    const ready = await send(edge, { path: '/readyz' })
    expect([ready.status, typeof ready.body.configAgeSeconds]).toEqual([200, 'number'])
    expect((await send(edge, { path: '/livez' })).status).toBe(200)
    await restartUpstream()
    await toggle(upstream, 'inactive')
    await waitUntil(async () => (await evaluate(edge)).status === 404)
  })

  test('uses its copies when the address of its upstream is written differently', async () => {
    const { cacheDirectory, close } = await startEdge({ upstream: `${upstream.url}/` })
    await waitUntil(async () => (await copiesIn(cacheDirectory)).length === 1)
    await close()
    await upstream.close()
    for (const written of [upstream.url, `${upstream.url}//`, upstream.url.replace('http:', 'HTTP:')]) {
      const edge = await startEdge({ cacheDirectory, upstream: written })
      expect((await evaluate(edge)).body.value).toBe(true)
      await edge.close()
    }
  })

  test('keeps the copies of another upstream or key until it has downloaded its own', async () => {
    const first = await startEdge()
    const { cacheDirectory } = first
    await waitUntil(async () => (await copiesIn(cacheDirectory)).length === 1)
    await first.close()
    await upstream.close()
    const [kept] = await copiesIn(cacheDirectory)
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
    const edgeKeys = [keyOf('server', 'staging')]
    const other = await startEdge({ cacheDirectory, edgeKeys, log })
    expect((await evaluate(other)).status).toBe(503)
    expect(warnings.filter((text) => text.includes('another upstream or key'))).toHaveLength(1)
    expect(await copiesIn(cacheDirectory)).toEqual([kept])
    await other.close()
    const again = await startEdge({ cacheDirectory })
    expect((await evaluate(again)).body.value).toBe(true)
    await again.close()
    await restartUpstream()
    await startEdge({ cacheDirectory, edgeKeys })
    await waitUntil(async () => !(await copiesIn(cacheDirectory)).includes(kept ?? ''))
    expect(await copiesIn(cacheDirectory)).toHaveLength(1)
  })

  test('is not ready without copies and upstream, and becomes ready by itself', async () => {
    await upstream.close()
    const edge = await startEdge()
    const ready = await send(edge, { path: '/readyz' })
    expect([ready.status, ready.body.status]).toEqual([503, 'unavailable'])
    expect((await send(edge, { path: '/livez' })).status).toBe(200)
    await restartUpstream()
    await waitUntil(async () => (await send(edge, { path: '/readyz' })).status === 200)
    expect((await evaluate(edge)).status).toBe(200)
  })

  test('is ready again by itself when its queue can be written again', async () => {
    const edge = await startEdge()
    await waitUntil(async () => (await send(edge, { path: '/readyz' })).status === 200)
    const queue = join(edge.cacheDirectory, 'edge', 'events')
    await rename(queue, `${queue} elsewhere`)
    const input = { body: { user: { user_id: 'ada' }, events: [{ type: 'bought' }] } }
    expect((await callEdge(edge, 'track', input)).status).toBe(503)
    expect((await send(edge, { path: '/readyz' })).body.message).toBe('events cannot be stored')
    await rename(`${queue} elsewhere`, queue)
    await waitUntil(async () => (await send(edge, { path: '/readyz' })).status === 200)
    expect((await callEdge(edge, 'track', input)).status).toBe(201)
  })

  test('ignores a damaged copy', async () => {
    const first = await startEdge()
    const directory = join(first.cacheDirectory, 'edge')
    await waitUntil(async () => (await readdir(directory)).some((name) => name.endsWith('.config')))
    await first.close()
    await upstream.close()
    const [name = ''] = (await readdir(directory)).filter((file) => file.endsWith('.config'))
    const text = await readFile(join(directory, name), 'utf8')
    await writeFile(join(directory, name), text.replace('"plain"', '"plane"'))
    const edge = await startEdge({ cacheDirectory: first.cacheDirectory })
    expect((await evaluate(edge)).status).toBe(503)
    expect((await send(edge, { path: '/readyz' })).status).toBe(503)
  })

  test('asks callers to try again while it cannot know whether their key is valid', async () => {
    const { etag } = (await call(upstream, 'getServerConfig', { params: { key: keyOf('server') }, key: null })).headers
    await upstream.close()
    const edge = await startEdge()
    const [params, context] = [{ key: keyOf('server') }, { context: { targetingKey: 'ada' } }]
    const events = { batch: [{ user, events: [{ type: 'purchase' }] }] }
    const responses = {
      evaluation: await evaluate(edge),
      'evaluation with a client key': await evaluate(edge, { key: keyOf('client') }),
      'config document': await callEdge(edge, 'getServerConfig', { params, key: null }),
      'config document that names a version': await callEdge(edge, 'getServerConfig', {
        params,
        headers: { 'if-none-match': String(etag) },
        key: null
      }),
      'client config': await clientConfig(edge),
      'tracked events': await callEdge(edge, 'track', { body: { user, events: [{ type: 'purchase' }] } }),
      'batches of events': await callEdge(edge, 'sendEventBatches', { body: events }),
      'flag of OFREP': await callEdge(edge, 'ofrepEvaluateFlag', { params: { key: 'colour' }, body: context }),
      'flags of OFREP': await callEdge(edge, 'ofrepEvaluateFlags', { body: context }),
      stream: await callEdge(edge, 'streamEvents', { query: { sdkKey: keyOf('server') }, key: null }),
      'stream with a token': await callEdge(edge, 'streamEvents', { query: { token: 'of-an-earlier-run' }, key: null })
    }
    for (const [name, { status, headers, body }] of Object.entries(responses)) {
      expect([name, status, Number(headers['retry-after']) > 0], JSON.stringify(body)).toEqual([name, 503, true])
    }
    await restartUpstream()
    await waitUntil(async () => (await evaluate(edge)).status === 200)
    expect((await evaluate(edge, { key: 'server-unknown' })).status).toBe(401)
    const unknown = await callEdge(edge, 'getServerConfig', { params: { key: 'server-unknown' }, key: null })
    expect(unknown.status).toBe(403)
  })

  test('refuses unknown keys although the upstream refuses one of its keys', async () => {
    const edge = await startEdge({ edgeKeys: [keyOf('server'), 'server-invalidated'] })
    expect((await evaluate(edge)).status).toBe(200)
    expect((await evaluate(edge, { key: 'server-unknown' })).status).toBe(401)
    // What the upstream has said about a key holds while it is unavailable.
    await upstream.close()
    await waitUntil(async () => Number(await readMetric(edge, 'burgee_edge_failing_keys')) === 2)
    expect((await evaluate(edge, { key: 'server-invalidated' })).status).toBe(401)
  })

  test('keeps its copies readable by its owner only, and without server keys', async () => {
    const edge = await startEdge()
    const directory = join(edge.cacheDirectory, 'edge')
    await waitUntil(async () => (await readdir(directory)).some((name) => name.endsWith('.config')))
    await callEdge(edge, 'track', { body: { user, events: [{ type: 'purchase' }] } })
    for (const name of await readdir(directory, { recursive: true })) {
      const found = await stat(join(directory, name))
      expect([name, found.mode & 0o077]).toEqual([name, 0])
    }
    const text = await textsIn(directory)
    expect(text).toContain('plain')
    expect(text).not.toContain(keyOf('server'))
    expect(text).not.toContain(keyOf('mobile'))
  })

  test('has the version that a request names, or responds with 503', async () => {
    // The edge node reads the upstream through a gate, which holds streams back.
    const gate = await openGate(() => upstream.port)
    const edge = await startEdge({ upstream: gate.url })
    const etag = async () => {
      const { headers } = await call(upstream, 'getServerConfig', { params: { key: keyOf('server') }, key: null })
      return String(headers.etag)
    }
    const bulk = (flagConfigEtag: string) =>
      callEdge(edge, 'ofrepEvaluateFlags', { query: { flagConfigEtag }, body: { context: { targetingKey: 'ada' } } })
    await toggle(upstream, 'inactive')
    const { body, status } = await bulk(await etag())
    expect(status).toBe(200)
    expect(body.flags.find(({ key }: { key: string }) => key === 'plain')?.value).toBeUndefined()
    await toggle(upstream, 'active')
    const named = await etag()
    gate.close()
    expect((await bulk(named)).status).toBe(503)
    expect((await evaluate(edge)).status).toBe(404)
  })

  test('has the newest version for a conditional download, and without its upstream the one that it has', async () => {
    // Server SDKs do not name the version that the stream of another edge node has announced.
    const gate = await openGate(() => upstream.port)
    const edge = await startEdge({ upstream: gate.url })
    const download = (at: Pick<TestServer, 'port'>, headers = {}) =>
      call(at as TestServer, 'getServerConfig', { params: { key: keyOf('server') }, headers, key: null })
    let { headers: known } = await download(edge)
    for (const status of ['inactive', 'active', 'inactive'] as const) {
      await toggle(upstream, status)
      const newest = await download(edge, { 'if-none-match': String(known.etag) })
      expect([newest.status, newest.headers.etag]).toEqual([200, (await download(upstream)).headers.etag])
      known = newest.headers
      expect((await download(edge, { 'if-none-match': String(known.etag) })).status).toBe(304)
    }
    await toggle(upstream, 'active')
    const condition = { 'if-modified-since': String(known['last-modified']) }
    expect((await download(edge, condition)).status).toBe(200)
    gate.close()
    const { headers } = await download(edge)
    expect((await download(edge, { 'if-none-match': String(headers.etag) })).status).toBe(304)
  })

  test('forwards events and counts of evaluations', async () => {
    const edge = await startEdge()
    for (let count = 0; count < 3; count++) expect((await evaluate(edge)).status).toBe(200)
    const events = [{ type: 'aggVariableDefaulted', target: 'plain', value: 4, clientDate: NOW }]
    const sent = await callEdge(edge, 'sendEventBatches', { body: { batch: [{ user, events }] } })
    expect(sent.body).toMatchObject({ accepted: 1, refused: 0 })
    await waitUntil(async () => (await countEvaluations()) === 7)
  })

  test('stores events while its upstream is unavailable, and forwards each of them once', async () => {
    const edge = await startEdge()
    await upstream.close()
    const body = { batch: [{ user, events: [{ type: 'aggVariableDefaulted', target: 'plain', value: 1 }] }] }
    const headers = { 'idempotency-key': 'same' }
    for (let count = 0; count < 5; count++)
      expect((await callEdge(edge, 'sendEventBatches', { body })).status).toBe(201)
    // An SDK that got no response repeats its payload.
    for (let count = 0; count < 2; count++) {
      expect((await callEdge(edge, 'sendEventBatches', { body, headers })).status).toBe(201)
    }
    expect(Number(await readMetric(edge, 'burgee_edge_queue_bytes'))).toBeGreaterThan(0)
    await restartUpstream()
    await waitUntil(async () => (await countEvaluations()) === 6)
    await waitUntil(async () => (await readMetric(edge, 'burgee_edge_queue_bytes')) === '0')
    expect(await countEvaluations()).toBe(6)
  })

  test('refuses events with 503 when its queue is full', async () => {
    const edge = await startEdge({ edgeQueueMib: 1 })
    await upstream.close()
    const metaData = { text: 'x'.repeat(30_000) }
    const body = { user, events: Array.from({ length: 20 }, () => ({ type: 'purchase', metaData })) }
    const track = () => callEdge(edge, 'track', { body })
    expect((await track()).status).toBe(201)
    const refused = await track()
    expect(refused.status).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await evaluate(edge)).status).toBe(200)
  })
})

/** A proxy whose streams never send anything. */
async function openGate(port: () => number): Promise<{ readonly url: string; readonly close: () => void }> {
  let isOpen = true
  const server = createServer((request, response) => {
    if (!isOpen) return request.socket.destroy()
    if (request.url?.startsWith('/event-stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      return
    }
    const { method, url: path, headers } = request
    const forwarded = httpRequest({ host: '127.0.0.1', port: port(), method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    isOpen = false
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
