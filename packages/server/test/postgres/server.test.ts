import { call, send, serve, type TestServer } from '@burgee/testing/harness'

import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../support/processes/executable.ts'

let url: string
let server: TestServer
let key: string

const project = 'shop'
const user = { user_id: 'ada', country: 'CA' }

async function evaluate(at = server): Promise<unknown> {
  const { status, body } = await call(at, 'evaluateVariable', { params: { key: 'new-checkout' }, body: user, key })
  return status === 200 ? body.value : status
}

function setStatus(status: 'active' | 'inactive'): Promise<{ status: number }> {
  const params = { project, feature: 'new-checkout' }
  return call(server, 'updateFeatureConfiguration', { params, query: { environment: 'production' }, body: { status } })
}

beforeAll(async () => {
  url = await temporaryDatabase()
  server = await serve(url, {}, Date.now())
  expect((await call(server, 'createProject', { body: { key: project, name: 'Shop' } })).status).toBe(201)
  const settings = { edgeDB: { enabled: true } }
  expect((await call(server, 'updateProject', { params: { key: project }, body: { settings } })).status).toBe(200)
  const body = {
    key: 'new-checkout',
    name: 'New checkout',
    type: 'release',
    configurations: {
      production: {
        status: 'active',
        targets: [
          {
            name: 'Everyone',
            audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
            distribution: [{ _variation: 'variation-on', percentage: 1 }]
          }
        ]
      }
    }
  }
  expect((await call(server, 'createFeature', { params: { project }, body })).status).toBe(201)
  const { body: environment } = await call(server, 'getEnvironment', { params: { project, key: 'production' } })
  key = environment.sdkKeys.server[0].key
})

test('evaluates a flag, and changes it at once', async () => {
  expect(await evaluate()).toBe(true)
  expect((await setStatus('inactive')).status).toBe(200)
  expect(await evaluate()).toBe(404)
  expect((await setStatus('active')).status).toBe(200)
  expect(await evaluate()).toBe(true)
})

test('lists, searches and sorts what it stores', async () => {
  for (const [name, tags] of [
    ['Ärger', ['one']],
    ['basket', ['two']],
    ['Checkout', []]
  ] as const) {
    const body = {
      key: `audience-${name.length}`,
      name,
      tags,
      filters: { operator: 'and', filters: [{ type: 'all' }] }
    }
    expect((await call(server, 'createAudience', { params: { project }, body })).status).toBe(201)
  }
  const names = async (query: Readonly<Record<string, string | number>>) => {
    const { body, headers } = await call(server, 'listAudiences', { params: { project }, query })
    return [headers.count, ...body.map(({ name }: { name: string }) => name)]
  }
  expect(await names({ search: 'äRG' })).toEqual(['1', 'Ärger'])
  expect(await names({ sortBy: 'name', sortOrder: 'desc', perPage: 2 })).toEqual(['3', 'Ärger', 'basket'])
  expect(await names({ sortBy: 'name', page: 5, perPage: 2 })).toEqual(['3'])
})

test('a refused change is no outage, whatever its message contains', async () => {
  const named = (name: string) => ({ params: { project, feature: name }, body: { name: 'Any' } })
  for (const name of ['connection', 'timeout exceeded', 'Client x is not queryable', 'Connection terminated']) {
    expect((await call(server, 'updateFeature', named(name))).status).toBe(404)
  }
  expect((await send(server, { path: '/readyz' })).status).toBe(200)
})

test('refuses a time with a fraction of a millisecond', async () => {
  const query = { startDate: 1, endDate: 1.5 }
  const { status, body } = await call(server, 'getProjectTotalEvaluations', { params: { project }, query })
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('whole number of milliseconds')])
})

test('keeps edge data, events, sign-ins and the audit log over a restart', async () => {
  const edge = { user_id: 'ada', customData: { plan: 'pro' } }
  expect((await call(server, 'updateEdgeUser', { params: { user_id: 'ada' }, body: edge, key })).status).toBe(200)
  const events = [{ type: 'purchase', value: 3 }]
  expect((await call(server, 'track', { body: { user, events }, key })).status).toBe(201)
  await server.close()
  server = await serve(url, {}, Date.now())
  expect(await evaluate()).toBe(true)
  const { body: verification } = await call(server, 'verifyAudit', {})
  expect(verification).toMatchObject({ isIntact: true })
  const { body: counts } = await call(server, 'getProjectTotalEvaluations', { params: { project } })
  const values = counts.result.evaluations.map(({ value }: { value: number }) => value)
  expect(values.reduce((sum: number, value: number) => sum + value, 0)).toBeGreaterThan(0)
  const stored = JSON.stringify(await runOnServer('select entry from burgee_event_entries', url))
  expect(stored).toContain('purchase')
  expect((await call(server, 'listAccessLog', {})).body.length).toBeGreaterThan(0)
})

test('runs commands of the command line beside the server', async () => {
  const environment = { BURGEE_STORE: url }
  const added = await runInProcess(['clients', 'add', 'robot', '--role', 'viewer'], environment)
  expect(added.stderr + added.stdout).toContain('client secret')
  const { body } = await call(server, 'listApiClients', {})
  expect(body.map(({ name }: { name: string }) => name)).toContain('robot')
  const verified = await runInProcess(['audit', 'verify'], environment)
  expect(verified.stdout).toContain('intact')
  expect((await runInProcess(['encryption', 'status'], environment)).stdout).toContain('not encrypted')
  const empty = { BURGEE_STORE: await temporaryDatabase(url.replace(/[^/]+$/, 'template1')) }
  expect((await runInProcess(['clients', 'list'], empty)).stderr).toContain('contains no store')
})

test('evaluates from memory while the database is unavailable, reports it, and recovers without a restart', async () => {
  const name = new URL(url).pathname.slice(1)
  await runOnServer(`alter database ${name} allow_connections false`)
  await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  try {
    expect(await evaluate()).toBe(true)
    expect((await setStatus('inactive')).status).toBe(503)
    expect((await call(server, 'track', { body: { user, events: [{ type: 'view' }] }, key })).status).toBe(503)
    await expect.poll(async () => (await send(server, { path: '/readyz' })).status, { timeout: 10_000 }).toBe(503)
    expect((await send(server, { path: '/livez' })).status).toBe(200)
    expect(await evaluate()).toBe(true)
  } finally {
    await runOnServer(`alter database ${name} allow_connections true`)
  }
  await expect.poll(async () => (await setStatus('inactive')).status, { timeout: 10_000 }).toBe(200)
  expect(await evaluate()).toBe(404)
})
