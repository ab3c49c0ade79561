import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { type OwnCluster, startOwnCluster } from '@burgee/testing/postgres/startCluster'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { freePort } from '@burgee/testing/system/freePort'
import { temporaryDirectory, textsIn } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { openEventStream, waitUntil } from '../../support/events/eventStream.ts'
import { createCounter, serveNumber } from '../support/counterFlag.ts'
import { openSilentProxy, type SilentProxy } from '../support/silentProxy.ts'

let cluster: OwnCluster
let one: TestServer
let keys: { readonly server: string; readonly client: string }

beforeAll(async () => {
  cluster = await startOwnCluster()
  addCleanup(cluster.stop)
  one = await node(await temporaryDirectory())
  keys = await createCounter(one)
})

/** Starts a server on the database. */
async function node(cacheDirectory: string, metricsPort = 0): Promise<TestServer> {
  const server = await serve(cluster.url, { cacheDirectory, metricsPort }, Date.now())
  server.clock.now = Date.now
  return server
}

function evaluate(at: TestServer, key = keys.server): Promise<ApiResponse> {
  return call(at, 'evaluateVariable', { params: { key: 'counter' }, body: { user_id: 'ada' }, key })
}

/** Waits until the copies in a directory contain a text. */
async function waitForCopy(cacheDirectory: string, text: string): Promise<void> {
  await waitUntil(async () => (await textsIn(cacheDirectory)).includes(text))
}

/** Sums the evaluations that the store has. */
async function countEvaluations(): Promise<number> {
  const params = { project: 'shop', feature: 'counter' }
  const { body } = await call(one, 'getFeatureTotalEvaluations', { params })
  const values = body.result.evaluations.flatMap(({ values }: { values: Record<string, number> }) =>
    Object.values(values)
  )
  return values.reduce((sum: number, value: number) => sum + value, 0)
}

test('a server that starts without its database evaluates with its copies, and becomes complete when it is back', async () => {
  const cacheDirectory = await temporaryDirectory()
  const before = await node(cacheDirectory)
  await serveNumber(one, 7)
  await waitUntil(async () => (await evaluate(before)).body.value === 7)
  await waitForCopy(cacheDirectory, '"value":7')
  await before.close()
  const text = await textsIn(cacheDirectory)
  expect(text).not.toContain(keys.server)
  for (const name of await readdir(cacheDirectory, { recursive: true })) {
    expect((await stat(join(cacheDirectory, name))).mode & 0o077).toBe(0)
  }
  await waitUntil(async () => (await countEvaluations()) > 0)
  const counted = await countEvaluations()

  await cluster.crash()
  const metricsPort = await freePort()
  const two = await node(cacheDirectory, metricsPort)
  const scrape = async () => String((await send({ port: metricsPort }, { path: '/metrics' })).body)
  expect(await scrape()).toContain('burgee_store_writable 0')
  expect((await evaluate(one)).body.value).toBe(7)
  for (let count = 0; count < 3; count++) expect((await evaluate(two)).body.value).toBe(7)
  // The database may have a key that the copies lack.
  const unknown = await evaluate(two, 'server-unknown')
  expect([unknown.status, Number(unknown.headers['retry-after']) > 0]).toEqual([503, true])
  expect((await send(two, { path: '/livez' })).status).toBe(200)
  const [ready, readyForReads] = [
    await send(two, { path: '/readyz' }),
    await send(two, { path: '/readyz?exclude=writes' })
  ]
  expect([ready.status, ready.body.status, readyForReads.status, readyForReads.body.status]).toEqual([
    503,
    'unavailable',
    200,
    'degraded'
  ])
  expect(readyForReads.body.configAgeSeconds).toBeGreaterThanOrEqual(0)
  const change = await send(two, { method: 'POST', path: '/v1/projects', body: '{}' })
  const track = await call(two, 'track', {
    body: { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] },
    key: keys.server
  })
  for (const { status, headers } of [change, track]) {
    expect(status).toBe(503)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  const stream = await openEventStream(two, `/event-stream?sdkKey=${keys.server}`)
  await waitUntil(() => stream.messages().length === 1)

  await cluster.restart()
  await waitUntil(async () => (await send(two, { path: '/readyz' })).status === 200)
  await waitUntil(() => stream.isOver())
  await waitUntil(async () => (await send(one, { path: '/readyz' })).status === 200)
  await serveNumber(one, 8)
  await waitUntil(async () => (await evaluate(two)).body.value === 8)
  // Those of the outage, at both servers, and those since.
  await waitUntil(async () => (await countEvaluations()) > counted + 4)
  const metrics = await scrape()
  expect(metrics).toContain('burgee_store_writable 1')
  expect(metrics).toContain('burgee_config_version_timestamp_seconds{project="shop"')
  await two.close()
  await expect(scrape()).rejects.toThrow('ECONNREFUSED')
})

test.each([
  {
    how: 'hangs',
    begin: (proxy: SilentProxy) => proxy.silence(),
    says: /no connection could be opened in time|timeout/
  },
  {
    how: 'refuses connections',
    begin: (proxy: SilentProxy) => proxy.refuse(),
    says: /Connection terminated|ECONNRESET/
  }
])(
  'a server whose database $how starts with its copies, logs the reason, and becomes complete',
  async ({ begin, says }) => {
    const cacheDirectory = await temporaryDirectory()
    const proxy = await openSilentProxy(await temporaryDatabase())
    const open = async () => {
      const server = await serve(proxy.url, { cacheDirectory }, Date.now())
      server.clock.now = Date.now
      return server
    }
    const before = await open()
    const { server: key } = await createCounter(before)
    await serveNumber(before, 7)
    await waitForCopy(cacheDirectory, '"value":7')
    await before.close()

    begin(proxy)
    const server = await open()
    expect((await evaluate(server, key)).body.value).toBe(7)
    const errors = server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(errors).toMatchObject([
      { msg: 'the store is not available', err: { message: expect.stringMatching(says), stack: expect.any(String) } }
    ])
    proxy.heal()
    await waitUntil(async () => (await send(server, { path: '/readyz' })).status === 200)
  }
)

test('a server stops although its database hangs while the server becomes complete', async () => {
  const cacheDirectory = await temporaryDirectory()
  const proxy = await openSilentProxy(await temporaryDatabase())
  const before = await serve(proxy.url, { cacheDirectory }, Date.now())
  before.clock.now = Date.now
  await createCounter(before)
  await waitForCopy(cacheDirectory, '"counter"')
  await before.close()
  proxy.refuse()
  const server = await serve(proxy.url, { cacheDirectory }, Date.now())
  proxy.heal()
  proxy.silenceAfter('server_version_num')
  await waitUntil(proxy.isSilent)
  await server.close()
}, 40_000)

test('a server that starts with its copies logs a setting that is wrong at level error', async () => {
  const cacheDirectory = await temporaryDirectory()
  const url = await temporaryDatabase()
  const before = await serve(url, { cacheDirectory }, Date.now())
  before.clock.now = Date.now
  await createCounter(before)
  await waitForCopy(cacheDirectory, '"counter"')
  await before.close()
  const server = await serve(`${url}?sslmode=verify-full`, { cacheDirectory }, Date.now())
  const errors = server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  expect(errors).toMatchObject([{ err: { message: expect.stringContaining('does not support SSL connections') } }])
})

test('a server without its database and without copies does not start', async () => {
  const cacheDirectory = await temporaryDirectory()
  await cluster.crash()
  await expect(node(cacheDirectory)).rejects.toThrow('cannot be opened as a store')
  await cluster.restart()
})
