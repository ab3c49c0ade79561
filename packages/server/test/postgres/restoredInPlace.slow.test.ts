import { randomBytes } from 'node:crypto'
import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, call, send, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../support/events/eventStream.ts'
import { createCounter, serveNumber } from './support/counterFlag.ts'

let url: string
let keys: { readonly server: string }

beforeEach(async () => {
  url = await temporaryDatabase()
})

/** A server that reads changes of other servers on request only. */
const isolated = { storePollMs: 3_600_000, storeNotifications: 'off' } as const

async function node(overrides: Parameters<typeof serve>[1] = { storePollMs: 100 }): Promise<TestServer> {
  const server = await serve(url, overrides, Date.now())
  server.clock.now = Date.now
  return server
}

function nameOf(database: string): string {
  return new URL(database).pathname.slice(1)
}

/** Copies the database while servers run, as a dump does. Returns the name of the copy. */
async function backUp(): Promise<string> {
  const copy = `burgee_test_${randomBytes(6).toString('hex')}`
  const name = nameOf(url)
  await runOnServer(`alter database ${name} with allow_connections false`)
  await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await runOnServer(`create database ${copy} template ${name}`)
  await runOnServer(`alter database ${name} with allow_connections true`)
  addCleanup(() => runOnServer(`drop database if exists ${copy} with (force)`))
  return copy
}

/** Replaces the database under the running servers. */
async function restore(copy: string): Promise<void> {
  await runOnServer(`drop database ${nameOf(url)} with (force)`)
  await runOnServer(`create database ${nameOf(url)} template ${copy}`)
}

async function evaluate(at: TestServer): Promise<unknown> {
  const { body } = await call(at, 'evaluateVariable', {
    params: { key: 'counter' },
    body: { user_id: 'ada' },
    key: keys.server
  })
  return body.value
}

/** Makes the feature serve a number, as soon as the server has connected again. */
function change(at: TestServer, value: number): Promise<void> {
  return waitUntil(() =>
    serveNumber(at, value).then(
      () => true,
      () => false
    )
  )
}

function rename(at: TestServer, name: string): Promise<ApiResponse> {
  return call(at, 'updateFeature', { params: { project: 'shop', feature: 'counter' }, body: { name } })
}

async function expectStopped(server: TestServer): Promise<void> {
  await waitUntil(() =>
    send(server, { path: '/livez' }).then(
      () => false,
      () => true
    )
  )
  expect(server.logs.filter((line) => line.includes('was restored'))).not.toEqual([])
}

test('servers whose database was restored stop by themselves', async () => {
  const [one, other] = [await node(), await node()]
  keys = await createCounter(one)
  const copy = await backUp()
  await change(one, 1)
  await waitUntil(async () => (await evaluate(other)) === 1)
  await restore(copy)
  await Promise.all([expectStopped(one), expectStopped(other)])
  expect(await evaluate(await node())).toBe(0)
})

test('servers whose database was emptied stop by themselves', async () => {
  const [one, other] = [await node(), await node(isolated)]
  keys = await createCounter(one)
  const headers = { authorization: await tokenOf(other) }
  await runOnServer(`drop database ${nameOf(url)} with (force)`)
  await runOnServer(`create database ${nameOf(url)} encoding 'UTF8' template template0`)
  expect((await send(other, { path: '/v2/projects/shop/features', headers })).status).toBe(503)
  await expectStopped(one)
  // Without a check for changes, the health check notices it.
  await waitUntil(async () => (await send(other, { path: '/readyz' })).status === 503)
})

test('a server is not ready while its database is being restored', async () => {
  const server = await node()
  keys = await createCounter(server)
  const status = async () => (await send(server, { path: '/readyz' })).status
  const [{ locks }] = (await runOnServer('select json_agg(l) as locks from burgee_locks l', url)) as [
    { locks: unknown }
  ]
  await runOnServer('delete from burgee_locks', url)
  await waitUntil(async () => (await status()) === 503)
  await runOnServer('insert into burgee_locks select * from json_populate_recordset(null::burgee_locks, $1)', url, [
    JSON.stringify(locks)
  ])
  await waitUntil(async () => (await status()) === 200)
  expect((await rename(server, 'Restored')).status).toBe(200)
})

test('no server acknowledges a change that it does not use', async () => {
  const server = await node(isolated)
  keys = await createCounter(server)
  const copy = await backUp()
  for (const value of [1, 2, 3]) await change(server, value)
  await restore(copy)
  const refused = await rename(server, 'After the restore')
  expect(refused.status).toBe(503)
  expect(refused.body.message).toContain('no part of the change was stored')
  await expectStopped(server)
  const { body: feature } = await call(await node(), 'getFeature', { params: { project: 'shop', feature: 'counter' } })
  expect(feature.name).toBe('Counter')
})

test.each([
  { more: 2, what: 'has as many changes' },
  { more: 4, what: 'has more changes' }
])('a server stops when the restored database $what', async ({ more }) => {
  const server = await node(isolated)
  keys = await createCounter(server)
  const copy = await backUp()
  for (const value of [1, 2]) await change(server, value)
  await restore(copy)
  const later = await node()
  for (let value = 1; value <= more; value++) await serveNumber(later, value + 10)
  expect((await rename(server, 'After the restore')).status).toBe(503)
  await expectStopped(server)
  expect(await evaluate(later)).toBe(more + 10)
})

test('a server continues after a restore that lost no change, and after old changes were deleted', async () => {
  const server = await node({ storePollMs: 50 })
  keys = await createCounter(server)
  await restore(await backUp())
  await change(server, 1)
  expect(await evaluate(server)).toBe(1)
  await runOnServer('delete from burgee_changes', url)
  const other = await node({ storePollMs: 50 })
  await serveNumber(other, 2)
  await waitUntil(async () => (await evaluate(server)) === 2)
  await serveNumber(server, 3)
  await waitUntil(async () => (await evaluate(other)) === 3)
})
