import { randomBytes } from 'node:crypto'
import { addAccounts, authorize, openBrowser } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, serveShared, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { connectScim, newUser } from '../scim/scimClient.ts'
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
  server = await serveShared(url, {}, Date.now())
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

test.each([
  ['without a public URL', {}, 1],
  ['with one', { publicUrl: 'https://flags.example.com' }, 0]
])('warns at the start without a public URL, which servers with one database share: %s', async (_, options, times) => {
  const { logs } = await serve(url, options, Date.now())
  expect(logs.filter((line) => line.includes('set BURGEE_PUBLIC_URL if other servers share'))).toHaveLength(times)
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

test('a change of an unknown feature named "connection" returns 404 and leaves the server ready', async () => {
  const named = (name: string) => ({ params: { project, feature: name }, body: { name: 'Any' } })
  for (const name of ['connection', 'timeout exceeded', 'Client x is not queryable', 'Connection terminated']) {
    expect((await call(server, 'updateFeature', named(name))).status).toBe(404)
  }
  expect((await send(server, { path: '/readyz' })).status).toBe(200)
})

test('evaluation results return 400 for a time with a fraction of a millisecond', async () => {
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
  server = await serveShared(url, {}, Date.now())
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

/** Sends a form to a server. */
function post(path: string, fields: Readonly<Record<string, string>>, at: TestServer): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send(at, { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() })
}

test('refuses ids and addresses with NUL or half a surrogate pair as other stores do', async () => {
  const account = { email: 'ada@example.com', name: 'Ada', password: 'a quiet morning on the lake' }
  const place = await temporaryDatabase()
  await addAccounts(place, { people: [account] })
  const at = await serve(place)
  const json = { 'content-type': 'application/json' }
  const body = (clientId: string) => {
    return `{"grant_type":"client_credentials","client_id":"a${clientId}b","client_secret":"x"}`
  }
  const scim = await connectScim(at)
  const browser = openBrowser(at)
  const page = await authorize(browser)
  const statuses = [
    await post('/oauth/token', { grant_type: 'client_credentials', client_id: 'a\0b', client_secret: 'x' }, at),
    await send(at, { method: 'POST', path: '/oauth/token', headers: json, body: body('\\u0000') }),
    await send(at, { method: 'POST', path: '/oauth/token', headers: json, body: body('\\ud800') }),
    await post('/oauth/revoke', { token: 'abc', client_id: 'a\0b' }, at),
    await send(at, { path: '/oauth/authorize?client_id=a%00b&response_type=code&redirect_uri=http://x' }),
    await browser.submit(page, 'login', { email: 'a\0b@example.com', password: account.password }),
    await scim.get('/Users/a%00b'),
    await scim.get('/Groups/a%00b'),
    await scim.remove('/Groups/a%00b')
  ].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 401, 401, 400, 422, 404, 404, 404])
})

test('stores data and choices of users with long ids', async () => {
  const user_id = randomBytes(4000).toString('base64url')
  for (const plan of ['pro', 'free']) {
    const body = { user_id, customData: { plan } }
    expect((await call(server, 'updateEdgeUser', { params: { user_id }, body, key })).status).toBe(200)
  }
})

test('stores the longest ids that provisioning accepts', async () => {
  const scim = await connectScim(server)
  // Index entries are compressed, which random texts resist.
  const longest = [...randomBytes(512)].map((byte, index) => String.fromCharCode(0x4e00 + 64 * byte + (index % 64)))
  const id = longest.join('')
  expect((await scim.post('/Users', newUser({ userName: id, externalId: id }))).status).toBe(201)
  expect(await scim.find(`externalId eq "${id}"`)).toHaveLength(1)
})

test('runs commands of the command line while the server runs', async () => {
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
    await expect.poll(async () => (await send(server, { path: '/readyz' })).status).toBe(503)
    expect((await send(server, { path: '/livez' })).status).toBe(200)
    expect(await evaluate()).toBe(true)
  } finally {
    await runOnServer(`alter database ${name} allow_connections true`)
  }
  // Without an event that succeeds: a load balancer sends none to a server that is not ready.
  await expect.poll(async () => (await send(server, { path: '/readyz' })).status, { timeout: 30_000 }).toBe(200)
  await expect.poll(async () => (await setStatus('inactive')).status).toBe(200)
  expect(await evaluate()).toBe(404)
})
