import { randomBytes } from 'node:crypto'
import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { withName } from '@burgee/testing/postgres/testDatabase'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { Database } from '../../../src/storage/postgres/connection/database.ts'
import { createCounter } from '../support/counterFlag.ts'
import { limitedDatabase } from '../support/limitedRole.ts'

// A database that leaves a server hardly any connections.

async function node(url: string, overrides: Parameters<typeof serve>[1] = {}): Promise<TestServer> {
  const server = await serve(url, overrides, Date.now())
  server.clock.now = Date.now
  return server
}

function createAudience(at: TestServer, key = randomBytes(4).toString('hex')): Promise<ApiResponse> {
  const body = { key, name: key, filters: { operator: 'and', filters: [{ type: 'all' }] } }
  return call(at, 'createAudience', { params: { project: 'shop' }, body })
}

function track(at: TestServer, key: string): Promise<ApiResponse> {
  const events = [{ type: 'purchase' }, { type: 'aggVariableEvaluated', target: 'counter', value: 1 }]
  return call(at, 'track', { body: { user: { user_id: 'ada' }, events }, key })
}

function storeUser(at: TestServer, key: string): Promise<ApiResponse> {
  const user_id = randomBytes(4).toString('hex')
  return call(at, 'updateEdgeUser', { params: { user_id }, body: { user_id, customData: { plan: 'pro' } }, key })
}

/** Creates a project that stores user data. Returns a key of its environment for production. */
async function prepare(at: TestServer): Promise<string> {
  const { server: key } = await createCounter(at)
  const body = { settings: { edgeDB: { enabled: true } } }
  expect((await call(at, 'updateProject', { params: { key: 'shop' }, body })).status).toBe(200)
  return key
}

function createEnvironment(at: TestServer): Promise<ApiResponse> {
  const key = randomBytes(4).toString('hex')
  return call(at, 'createEnvironment', { params: { project: 'shop' }, body: { key, name: key, type: 'production' } })
}

/** Writes of all kinds at once. Returns the statuses that occurred. */
async function write(at: TestServer, key: string): Promise<readonly number[]> {
  const writes = Array.from({ length: 20 }, () => [createAudience(at), track(at, key), storeUser(at, key)])
  return [...new Set((await Promise.all(writes.flat())).map(({ status }) => status))].sort()
}

const readiness = async (at: TestServer) => (await send(at, { path: '/readyz' })).status

const soon = { interval: 20, timeout: 20_000 }

test('a server with a single connection is ready, and stores changes, events and user data', async () => {
  const database = await limitedDatabase(3)
  const server = await node(database.url)
  const key = await prepare(server)
  await database.limit(1, { endsAll: true })
  await expect.poll(() => write(server, key), soon).toEqual([200, 201])
  for (let round = 0; round < 3; round++) {
    expect(await write(server, key)).toEqual([200, 201])
    expect(await readiness(server)).toBe(200)
  }
  expect((await createEnvironment(server)).status).toBe(201)
  expect(await database.connections()).toHaveLength(1)
}, 60_000)

test('servers with a single connection each use the changes of each other', async () => {
  const database = await limitedDatabase(6)
  const servers = [await node(database.url), await node(database.url)] as const
  const key = await prepare(servers[0])
  await database.limit(2, { endsAll: true })
  for (const at of servers) await expect.poll(() => write(at, key), soon).toEqual([200, 201])
  for (let round = 0; round < 3; round++) {
    expect(await Promise.all(servers.map((at) => write(at, key)))).toEqual([
      [200, 201],
      [200, 201]
    ])
  }
  expect(await Promise.all(servers.map(readiness))).toEqual([200, 200])
}, 60_000)

test('a change that waits for a lock of another server does not keep requests from the single connection', async () => {
  const database = await limitedDatabase(3)
  const server = await node(database.url)
  const key = await prepare(server)
  await database.limit(1, { endsAll: true })
  await expect.poll(() => write(server, key), soon).toEqual([200, 201])
  const foreign = new Client({
    connectionString: withName(inject('databaseUrl'), new URL(database.url).pathname.slice(1))
  })
  await foreign.connect()
  addCleanup(() => foreign.end())
  await foreign.query("begin; select * from burgee_locks where name = 'flags' for update")
  const changing = createAudience(server)
  for (let round = 0; round < 5; round++) {
    expect((await call(server, 'listAudiences', { params: { project: 'shop' } })).status).toBe(200)
    expect((await track(server, key)).status).toBe(201)
  }
  await foreign.query('rollback')
  expect((await changing).status).toBe(201)
}, 60_000)

test('changes wait for a database that refuses all connections, get 503 in time, and succeed when it accepts one', async () => {
  const database = await limitedDatabase(-1)
  const server = await node(database.url)
  const key = await prepare(server)
  await database.limit(0, { endsAll: true })
  const refused = await Promise.all(Array.from({ length: 40 }, () => createAudience(server)))
  for (const { status, headers } of refused) expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true])
  await expect.poll(() => readiness(server), soon).toBe(503)
  const waiting = createAudience(server)
  await database.limit(1)
  expect((await waiting).status).toBe(201)
  await expect.poll(() => readiness(server), soon).toBe(200)
  expect(await write(server, key)).toEqual([200, 201])
}, 60_000)

test('a server gives up the connections that it does not need, except the last one', async () => {
  const { url, connections } = await limitedDatabase(-1)
  const database = await Database.create(url, { maxConnections: 5, onNotice: () => {} })
  await Promise.all(Array.from({ length: 20 }, () => database.read('select pg_sleep(0.01)')))
  expect(await connections()).toHaveLength(5)
  await expect.poll(async () => (await connections()).length, soon).toBe(1)
  await database.close()
}, 60_000)
