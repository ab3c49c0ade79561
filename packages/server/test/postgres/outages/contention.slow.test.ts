import { randomBytes } from 'node:crypto'
import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { waitUntil } from '../../support/events/eventStream.ts'
import { createCounter } from '../support/counterFlag.ts'
import { limitedDatabase } from '../support/limitedRole.ts'

// A database that is available, but gives a server less than it wants.

async function node(url: string, overrides: Parameters<typeof serve>[1] = {}): Promise<TestServer> {
  const server = await serve(url, overrides, Date.now())
  server.clock.now = Date.now
  return server
}

function createAudience(at: TestServer, key: string): Promise<ApiResponse> {
  const body = { key, name: key, filters: { operator: 'and', filters: [{ type: 'all' }] } }
  return call(at, 'createAudience', { params: { project: 'shop' }, body })
}

function track(at: TestServer, key: string): Promise<ApiResponse> {
  return call(at, 'track', { body: { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }, key })
}

/** Creates many audiences and events at once. Returns the statuses that occurred. */
async function write(at: TestServer, key: string): Promise<readonly number[]> {
  const prefix = randomBytes(4).toString('hex')
  const numbers = Array.from({ length: 40 }, (_, number) => number)
  const responses = await Promise.all(
    numbers.flatMap((number) => [createAudience(at, `${prefix}-${number}`), track(at, key)])
  )
  return [...new Set(responses.map(({ status }) => status))]
}

/** The lines of a log about requests that failed. */
function errorsOf({ logs }: TestServer): Record<string, unknown>[] {
  return logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
}

test('writes wait for the open connections when the database refuses further ones', async () => {
  const { url } = await limitedDatabase(3)
  const name = new URL(url).pathname.slice(1)
  const server = await node(url, { storeNotifications: 'off' })
  const { server: key } = await createCounter(server)
  for (let round = 0; round < 3; round++) {
    const writing = write(server, key)
    // The connection of the health check, whose place others can take.
    await runOnServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and query like '%as standby%'`
    )
    expect(await writing).toEqual([201])
    expect((await send(server, { path: '/readyz' })).status).toBe(200)
  }
  expect(errorsOf(server)).toEqual([])
  expect(server.logs.filter((line) => line.includes('refuses further connections'))).toHaveLength(1)
  await server.close()
}, 60_000)

test('writes do not depend on the default isolation level of the database', async () => {
  const url = await temporaryDatabase()
  await runOnServer(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'repeatable read'`
  )
  const [one, other] = [await node(url), await node(url)]
  const { server: key } = await createCounter(one)
  await waitUntil(async () => (await track(other, key)).status === 201)
  expect(await Promise.all([write(one, key), write(other, key)])).toEqual([[201], [201]])
}, 60_000)

test('a change that waits too long for a lock of others gets 503, and one line of the log says why', async () => {
  const url = await temporaryDatabase()
  const server = await node(url)
  const { server: key } = await createCounter(server)
  const foreign = new Client({ connectionString: url })
  await foreign.connect()
  addCleanup(() => foreign.end())
  await foreign.query('begin; select * from burgee_locks for update')
  const keys = Array.from({ length: 20 }, (_, number) => `waiting-${number}`)
  const responses = await Promise.all(keys.map((one) => createAudience(server, one)))
  for (const { status, headers, body } of responses) {
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true])
    expect(body.message).toContain('no part of the change was stored')
  }
  const errors = errorsOf(server)
  expect(errors).toHaveLength(keys.length)
  for (const { operation, status, reason } of errors) {
    expect([operation, status]).toEqual(['createAudience', 503])
    expect(reason).toContain('waited too long for a lock')
  }
  // The database is available.
  expect((await send(server, { path: '/readyz' })).status).toBe(200)
  expect((await track(server, key)).status).toBe(201)
  await foreign.query('rollback')
  for (const one of keys) expect((await createAudience(server, one)).status).toBe(201)
}, 90_000)
