import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, call, send, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { startOwnCluster } from '@burgee/testing/postgres/startCluster'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/events/eventStream.ts'
import { createCounter, serveNumber } from '../support/counterFlag.ts'
import { openSilentProxy, type SilentProxy } from '../support/silentProxy.ts'

// A database that hangs, or a network that drops packets, closes no connection: nothing fails by itself.

let proxy: SilentProxy
let server: TestServer
let key: string

beforeAll(async () => {
  proxy = await openSilentProxy(await temporaryDatabase())
  server = await serve(proxy.url, {}, Date.now())
  server.clock.now = Date.now
  key = (await createCounter(server)).server
})

function evaluate(query = {}): Promise<ApiResponse> {
  return call(server, 'evaluateVariable', { params: { key: 'counter' }, query, body: { user_id: 'ada' }, key })
}

/** Renames the feature. */
function rename(name: string): Promise<ApiResponse> {
  return call(server, 'updateFeature', { params: { project: 'shop', feature: 'counter' }, body: { name } })
}

async function findName(): Promise<string> {
  return (await call(server, 'getFeature', { params: { project: 'shop', feature: 'counter' } })).body.name
}

function track(): Promise<ApiResponse> {
  return call(server, 'track', { body: { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }, key })
}

/** Reads from the database. */
async function listFeatures(): Promise<ApiResponse> {
  return send(server, { path: '/v2/projects/shop/features', headers: { authorization: await tokenOf(server) } })
}

/** Reads from the database, and is a POST. */
async function explain(): Promise<ApiResponse> {
  const params = { project: 'shop', environment: 'production' }
  return call(server, 'explain', { params, body: { user_id: 'ada', feature: 'counter' } })
}

async function recover(): Promise<void> {
  proxy.heal()
  await waitUntil(async () => (await track()).status === 201)
  await waitUntil(async () => (await send(server, { path: '/readyz' })).status === 200)
}

test('a server whose database does not answer responds to all requests, and recovers by itself', async () => {
  await serveNumber(server, 3)
  const name = await findName()
  proxy.silence()
  // Many more than there are connections.
  const writes = Array.from({ length: 30 }, (_, count) => rename(`Lost ${count}`))
  const events = Array.from({ length: 30 }, track)
  const reads = Array.from({ length: 30 }, listFeatures)
  expect((await evaluate()).body.value).toBe(3)
  for (const response of await Promise.all([...writes, ...events, ...reads])) {
    expect([response.status, Number(response.headers['retry-after']) > 0]).toEqual([503, true])
  }
  const messages = (await Promise.all([rename('Lost'), listFeatures(), explain()])).map(({ body }) => body.message)
  expect(messages).toEqual([
    'the store failed; no part of the change was stored. Try again later',
    'the store is not available. Try again later',
    'the store is not available. Try again later'
  ])
  const ready = await send(server, { path: '/readyz' })
  expect([ready.status, (await send(server, { path: '/livez' })).status]).toEqual([503, 200])
  expect((await rename('Lost')).status).toBe(503)
  expect((await evaluate()).body.value).toBe(3)

  await recover()
  expect(await findName()).toBe(name)
  expect((await rename('Counted')).status).toBe(200)
  expect((await track()).status).toBe(201)
  await serveNumber(server, 4)
  expect((await evaluate()).body.value).toBe(4)
}, 60_000)

test('a change whose commit is not answered may have been stored, and the response says so', async () => {
  proxy.silenceAfter('commit\0')
  const { status, body } = await rename('Perhaps')
  expect([status, body.message]).toEqual([503, expect.stringContaining('may have been stored')])
  await recover()
  expect(await findName()).toBe('Perhaps')
}, 60_000)

test('events whose commit is not answered may have been stored, and the response says so', async () => {
  expect((await track()).status).toBe(201)
  proxy.silenceAfter('commit\0')
  const { status, body } = await track()
  expect([status, body.message]).toEqual([503, expect.stringContaining('may have been stored')])
  await recover()
}, 60_000)

test('a server whose database does not answer stops', async () => {
  const dead = await openSilentProxy(await temporaryDatabase())
  const other = await serve(dead.url, {}, Date.now())
  dead.silence()
  await other.close()
}, 60_000)

test('a server whose database becomes read-only is not ready, although nobody writes', async () => {
  const cluster = await startOwnCluster()
  addCleanup(cluster.stop)
  const other = await serve(cluster.url, {}, Date.now())
  const status = async () => (await send(other, { path: '/readyz' })).status
  expect(await status()).toBe(200)
  await runOnServer('alter system set default_transaction_read_only = on', cluster.url)
  await runOnServer('select pg_reload_conf()', cluster.url)
  await waitUntil(async () => (await status()) === 503)
}, 60_000)
