import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Operation, operations } from '@burgee/contract'
import type { AccessLogEntry } from '@burgee/contract/schemas'
import { isSecretName } from '@burgee/kit/text'
import { addClients, CLIENT_SECRET, tokenFor } from '@burgee/testing/apiClients'
import { addAccounts, authorize, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { addCleanup } from '@burgee/testing/cleanup'
import {
  type ApiResponse,
  type Call,
  call,
  options,
  send,
  serve,
  storeOnDisk,
  storeWith,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { DAY, keyOf, NOW } from '@burgee/testing/plan'
import { storedAccessText } from '@burgee/testing/storedData'
import { expect, it, test, vi } from 'vitest'
import { z } from 'zod'
import { createAccessRecorder } from '../../src/access/accessLog/accessRecorder.ts'
import { SECRET_MEMBERS } from '../../src/api/http/routes.ts'
import type { Logger } from '../../src/lib/logger.ts'
import type { AccessLog, StoredAccessEntry } from '../../src/storage/accessLog/accessLog.ts'
import type { Store } from '../../src/storage/store.ts'
import { toolClient } from '../support/toolClient.ts'

const PASSWORD = 'a quiet morning on the lake'
const production = { project: 'shop', key: 'production' }

async function entries(server: TestServer, query: Call['query'] = {}): Promise<AccessLogEntry[]> {
  const { status, body } = await call(server, 'listAccessLog', { query: { perPage: 1000, ...query } })
  expect(status).toBe(200)
  return body
}

function requestToken(server: TestServer, given: Readonly<Record<string, string>>, localAddress = '127.0.0.1') {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', ...given }),
    localAddress
  })
}

async function signIn(server: TestServer, email: string, password: string): Promise<ApiResponse> {
  const browser = openBrowser(server)
  const page = await browser.submit(await authorize(browser), 'login', { email, password })
  if (page.status !== 200) return page
  return exchangeCode(server, await browser.submit(page, 'consent', {}))
}

async function servePeople(): Promise<TestServer> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD },
      { email: 'disabled@example.com', password: PASSWORD, isDisabled: true }
    ]
  })
  return serve(directory)
}

it('records sign-ins and their failures with account, address, client and reason, and none of the input', async () => {
  const server = await servePeople()
  await signIn(server, 'ada@example.com', 'not-her-password')
  await signIn(server, 'disabled@example.com', PASSWORD)
  await signIn(server, 'typed-by-a-stranger@example.com', 'typed-secret')
  const { body } = await signIn(server, 'ada@example.com', PASSWORD)
  expect(body.access_token).toEqual(expect.any(String))
  const [found] = (await call(server, 'listUsers', { query: { search: 'ada@example.com' } })).body
  const address = expect.stringMatching(/^127\.1\./)
  const shared = { address, kind: 'signIn', operation: 'signIn', method: 'password', clientId: 'app' }
  expect(await entries(server, { kind: 'signIn', sortOrder: 'asc' })).toMatchObject([
    { ...shared, outcome: 'refused', reason: 'wrong_password', idp_user: found.user_id },
    { ...shared, outcome: 'refused', reason: 'disabled_account' },
    { ...shared, outcome: 'refused', reason: 'unknown_account' },
    { ...shared, outcome: 'success', idp_user: found.user_id, actor: 'person', date: new Date(NOW).toISOString() }
  ])
  expect(await entries(server, { kind: 'token', clientId: 'app' })).toMatchObject([
    { outcome: 'success', method: 'authorization_code', idp_user: found.user_id }
  ])
  const stored = await storedAccessText(server.directory)
  for (const secret of ['typed', 'not-her', PASSWORD, body.access_token]) expect(stored).not.toContain(secret)
})

it('records issued and refused tokens, and access tokens that the API refuses', async () => {
  const server = await serve({})
  await tokenOf(server)
  await requestToken(server, { client_id: options.adminClientId, client_secret: 'a-wrong-secret' }, '127.0.0.2')
  await requestToken(server, { client_id: 'a-secret-as-an-id', client_secret: 'a-wrong-secret' }, '127.0.0.2')
  await call(server, 'listProjects', { key: 'Bearer a-token-of-nobody' })
  const admin = { operation: 'token', method: 'client_credentials', clientId: 'test-admin' }
  expect(await entries(server, { kind: 'token', sortOrder: 'asc' })).toMatchObject([
    { ...admin, outcome: 'success', idp_user: 'test-admin@clients', address: '127.0.0.1' },
    { ...admin, outcome: 'refused', reason: 'invalid_client', address: '127.0.0.2' },
    { outcome: 'refused', reason: 'invalid_client', address: '127.0.0.2' }
  ])
  expect(await entries(server, { kind: 'tokenUse' })).toMatchObject([
    { outcome: 'refused', reason: 'invalid_token', operation: 'listProjects' }
  ])
  expect(await storedAccessText(server.directory)).not.toMatch(/a-secret-as|a-wrong|a-token-of/)
})

it('records who was shown SDK keys and secrets, and who was refused', async () => {
  const directory = await storeWith({})
  await addClients(directory, { reader: ['project:read', 'environment:read'], stranger: ['feature:read'] })
  const server = await serve(directory)
  const shown = await call(server, 'getEnvironment', { params: production })
  const key = await tokenFor(server, 'stranger')
  expect((await call(server, 'getEnvironment', { params: production, key })).status).toBe(403)
  await call(server, 'createApiClient', { body: { name: 'Bot', clientId: 'bot', roles: [] } })
  await call(server, 'listProjects')
  const found = await entries(server, { kind: 'secretShown', sortOrder: 'asc' })
  expect(found).toMatchObject([
    { outcome: 'success', operation: 'getEnvironment', idp_user: 'test-admin@clients', target: production },
    { outcome: 'refused', reason: 'insufficient_permission', idp_user: 'stranger@clients', clientId: 'stranger' },
    { outcome: 'success', operation: 'createApiClient', actor: 'client', source: 'api' }
  ])
  const stored = await storedAccessText(server.directory)
  expect(stored).not.toContain(shown.body.sdkKeys.server[0].key)
  expect(stored).not.toContain(CLIENT_SECRET)
})

it('records reads of environments only if they have SDK keys', async () => {
  const server = await serve({})
  const list = async (query: NonNullable<Call['query']>) =>
    (await call(server, 'listEnvironments', { params: { project: 'shop' }, query })).body
  const get = async (query: NonNullable<Call['query']>) =>
    (await call(server, 'getEnvironment', { params: production, query })).body
  const without = { includeSdkKeys: false }
  expect((await list(without)).map(({ key }: { key: string }) => key)).toContain('production')
  expect(await get(without)).toMatchObject({ key: 'production' })
  expect(JSON.stringify([await list(without), await get(without)])).not.toContain('sdkKeys')
  expect(await entries(server, { kind: 'secretShown' })).toEqual([])
  for (const query of [{}, { includeSdkKeys: true }]) {
    expect((await list(query))[0]).toHaveProperty('sdkKeys')
    expect(await get(query)).toHaveProperty('sdkKeys')
  }
  expect(await entries(server, { kind: 'secretShown' })).toHaveLength(4)
})

it('records exports of what is stored about a user, without the id', async () => {
  const server = await serve({})
  const params = { project: 'shop', user_id: 'user-8d1f4c' }
  await call(server, 'exportUserData', { params })
  await call(server, 'exportUserData', { params, key: null })
  expect(await entries(server, { kind: 'export', sortOrder: 'asc' })).toMatchObject([
    { operation: 'exportUserData', outcome: 'success', idp_user: 'test-admin@clients', target: { project: 'shop' } },
    { operation: 'exportUserData', outcome: 'refused' }
  ])
  expect(await storedAccessText(server.directory)).not.toContain('user-8d1f4c')
})

it('records reads and exports of the logs, also refused ones', async () => {
  const server = await serve({ features: [{ key: 'checkout' }] })
  await call(server, 'listAuditEntries')
  await call(server, 'getFeatureAudit', { params: { project: 'shop', feature: 'checkout' } })
  await call(server, 'verifyAudit')
  await call(server, 'exportAudit')
  await call(server, 'exportAccessLog')
  await call(server, 'exportAudit', { key: null })
  const operationsOf = async (kind: string) => {
    return (await entries(server, { kind, sortOrder: 'asc' })).map(
      ({ operation, outcome }) => `${operation} ${outcome}`
    )
  }
  expect(await operationsOf('export')).toEqual([
    'exportAudit success',
    'exportAccessLog success',
    'exportAudit refused'
  ])
  expect(await operationsOf('auditRead')).toEqual([
    'listAuditEntries success',
    'getFeatureAudit success',
    'verifyAudit success',
    'listAccessLog success'
  ])
})

it('filters by user, client, kind, outcome, network and time, and pages', async () => {
  const server = await serve({})
  await tokenOf(server)
  for (const hour of [1, 2, 3, 24, 48]) {
    server.clock.now = () => NOW + hour * 60_000
    await requestToken(server, { client_id: `nobody-${hour}`, client_secret: 'wrong' }, '127.0.1.9')
  }
  const refused = { kind: 'token', outcome: 'refused' }
  expect(await entries(server, refused)).toHaveLength(5)
  expect(await entries(server, { ...refused, address: '127.0.1.0/24' })).toHaveLength(5)
  expect(await entries(server, { ...refused, address: '127.0.1.9' })).toHaveLength(5)
  expect(await entries(server, { ...refused, address: '127.0.2.0/24' })).toEqual([])
  expect(await entries(server, { idp_user: 'test-admin@clients', kind: 'token' })).toHaveLength(1)
  const from = { startDate: new Date(NOW + 120_000).toISOString(), endDate: new Date(NOW + 180_000).toISOString() }
  expect(await entries(server, { ...refused, ...from })).toHaveLength(2)
  const all = await entries(server, refused)
  const paged: AccessLogEntry[] = []
  for (const page of [1, 2, 3]) {
    const { body, headers } = await call(server, 'listAccessLog', { query: { ...refused, page, perPage: 2 } })
    expect(headers.count).toBe('5')
    paged.push(...body)
  }
  expect(paged).toEqual(all)
  expect(all.map(({ date }) => date)).toEqual([...all.map(({ date }) => date)].sort().reverse())
})

it.each(['idp_user', 'clientId'])('refuses an empty filter %s', async (name) => {
  const { status, body } = await call(await serve({}), 'listAccessLog', { query: { [name]: '' } })
  expect([status, body.message]).toEqual([400, [`${name} should not be empty, got ""`]])
})

it('refuses a filter that is not an address, also among other invalid parameters', async () => {
  const server = await serve({})
  for (const address of ['somewhere', '300.1.1.1', '1.1', '192.0.2.0/33', '2001:db8::/129', '']) {
    const problem = `address should be an address or a network, such as 192.0.2.10 or 192.0.2.0/24, got "${address}"`
    for (const operation of ['listAccessLog', 'exportAccessLog'] as const) {
      const alone = await call(server, operation, { query: { address } })
      expect([alone.status, alone.body.message]).toEqual([400, [problem]])
      const combined = await call(server, operation, { query: { address, outcome: 'lost', startDate: 'today' } })
      expect([combined.status, combined.body.message]).toEqual([400, expect.arrayContaining([problem])])
      expect(combined.body.message).toHaveLength(3)
    }
  }
})

it('survives a restart and a torn last line, deletes expired days, and exports the rest', async () => {
  const server = await serve(await storeOnDisk({}))
  await tokenOf(server)
  await server.close()
  const folder = join(server.directory, 'access')
  const [file = ''] = await readdir(folder)
  await writeFile(join(folder, file), `${await readFile(join(folder, file), 'utf8')}{"torn`)
  const [expired, kept] = [`${dayBefore(8)}.jsonl`, `${dayBefore(1)}.jsonl`]
  for (const name of [expired, kept]) await writeFile(join(folder, name), '')
  const again = await serve(server.directory, { adminClientId: '', adminClientSecret: '', accessRetentionDays: 7 })
  const token = await requestToken(again, {
    client_id: options.adminClientId,
    client_secret: options.adminClientSecret
  })
  const { body } = await send(again, {
    path: '/v1/organizations/current/access-log/export?kind=token',
    headers: { authorization: token.body.access_token }
  })
  const lines = String(body).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['token', 'token'])
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([kept, file]), 20_000)
})

function dayBefore(days: number): string {
  return new Date(NOW - days * DAY).toISOString().slice(0, 10)
}

it('counts a flood of refused requests per network instead of writing each', async () => {
  const server = await serve({})
  await tokenOf(server)
  for (let index = 0; index < 40; index++) await call(server, 'listProjects', { key: `Bearer wrong-${index}` })
  expect(await entries(server, { kind: 'tokenUse' })).toHaveLength(10)
  await server.close()
  const counts = (await storedAccessText(server.directory))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(counts.filter(({ count }) => count)).toMatchObject([
    { kind: 'tokenUse', outcome: 'refused', operation: 'listProjects', address: '127.0.0.1', count: 30 }
  ])
})

it('records refused SDK keys with type, project and environment, and never the key', async () => {
  const server = await serve({})
  const mistyped = `${keyOf('server')}x`
  const damaged = `mobile-burgee_${'a'.repeat(32)}000000`
  const context = { body: { context: { targetingKey: 'ada' } }, params: { key: 'checkout' } }
  await call(server, 'ofrepEvaluateFlag', { ...context, key: mistyped })
  await call(server, 'ofrepEvaluateFlag', { ...context, key: damaged })
  await call(server, 'evaluateVariables', { body: { user_id: 'ada' }, key: keyOf('client') })
  await call(server, 'getServerConfig', { params: { key: 'typed-by-a-stranger' }, key: null })
  await call(server, 'evaluateVariables', { body: { user_id: 'ada' }, key: null })
  await call(server, 'evaluateVariables', { body: { user_id: 'ada' } })
  const shared = { kind: 'sdkKey', outcome: 'refused', address: '127.0.0.1' }
  const evaluation = { ...shared, operation: 'ofrepEvaluateFlag' }
  const place = { project: 'shop', environment: 'production', keyType: 'client' }
  const found = await entries(server, { kind: 'sdkKey', sortOrder: 'asc' })
  expect(found).toMatchObject([
    { ...evaluation, reason: 'unknown_key', target: { keyType: 'server' } },
    { ...evaluation, reason: 'damaged_key', target: { keyType: 'mobile' } },
    { ...shared, reason: 'wrong_key_type', operation: 'evaluateVariables', target: place },
    { ...shared, reason: 'unknown_key', operation: 'getServerConfig' }
  ])
  expect(found[3]).not.toHaveProperty('target')
  expect(await storedAccessText(server.directory)).not.toMatch(/typed-by-a|aaaa/)
  expect(await storedAccessText(server.directory)).not.toContain(keyOf('server').slice(-8))
})

it('records a key that was invalidated, including for a stream', async () => {
  const server = await serve({})
  const params = { project: 'shop', environment: 'production' }
  await call(server, 'generateSdkKeys', { params, body: { client: true } })
  const body = { context: { targetingKey: 'ada' } }
  const { eventStreams } = (await call(server, 'ofrepEvaluateFlags', { body, key: keyOf('client') })).body
  await call(server, 'invalidateSdkKey', { params: { ...params, key: keyOf('client') } })
  const { requestUri } = eventStreams[0].endpoint
  expect((await send(server, { path: requestUri })).status).toBe(401)
  expect((await call(server, 'ofrepEvaluateFlags', { body, key: keyOf('client') })).status).toBe(401)
  expect(await entries(server, { kind: 'sdkKey', sortOrder: 'asc' })).toMatchObject([
    { reason: 'unknown_key', operation: 'streamEvents' },
    { reason: 'unknown_key', operation: 'ofrepEvaluateFlags', target: { keyType: 'client' } }
  ])
})

it('limits the entries of refused SDK keys, counts each, and leaves room for other refusals', async () => {
  const server = await serve({}, { trustedProxies: 1 })
  await tokenOf(server)
  const refuse = (network: number) =>
    call(server, 'getServerConfig', {
      params: { key: `server-unknown-${network}` },
      key: null,
      headers: { 'x-forwarded-for': `2001:db8:0:${network.toString(16)}::1` }
    })
  for (let request = 0; request < 240; request++) await refuse(request % 120)
  expect(await entries(server, { kind: 'sdkKey' })).toHaveLength(20)
  await requestToken(server, { client_id: 'nobody', client_secret: 'wrong' })
  expect(await entries(server, { kind: 'token', outcome: 'refused' })).toMatchObject([{ address: '127.0.0.1' }])
  await server.close()
  const lines = (await storedAccessText(server.directory)).trimEnd().split('\n')
  const stored = lines.map((line): AccessLogEntry => JSON.parse(line)).filter(({ kind }) => kind === 'sdkKey')
  expect(stored.length).toBeLessThanOrEqual(20 + 50 + 1)
  expect(stored.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(240)
})

it('is readable with organization:write:settings only', async () => {
  const directory = await storeWith({})
  await addClients(directory, { viewer: ['organization:read:settings'] })
  const server = await serve(directory)
  const key = await tokenFor(server, 'viewer')
  for (const id of ['listAccessLog', 'exportAccessLog'] as const)
    expect((await call(server, id, { key })).status).toBe(403)
})

it('adds the address to audit entries, behind a proxy and for tools, and shows it to administrators only', async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addClients(directory, { viewer: ['project:read', 'feature:read', 'organization:read:settings'] })
  const server = await serve(directory, { trustedProxies: 1 })
  const params = { project: 'shop', feature: 'checkout' }
  await call(server, 'updateFeature', {
    params,
    body: { name: 'Checkout!' },
    headers: { 'x-forwarded-for': '2001:db8::7' }
  })
  expect((await call(server, 'getFeatureAudit', { params })).body[0].address).toBe('2001:db8::7')
  expect((await call(server, 'listAuditEntries')).body[0].address).toBe('2001:db8::7')
  const key = await tokenFor(server, 'viewer')
  expect((await call(server, 'getFeatureAudit', { params, key })).body[0]).not.toHaveProperty('address')
  expect((await call(server, 'listAuditEntries', { key })).body[0]).not.toHaveProperty('address')
  expect((await call(server, 'verifyAudit')).body.isIntact).toBe(true)
})

test('every operation that returns secrets is recorded, and no other', () => {
  expect(SECRET_MEMBERS.filter((name) => !isSecretName(name))).toEqual([])
  for (const { id, response, accessLog } of Object.values<Operation>(operations)) {
    const schema = response && JSON.stringify(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }))
    const isSecret = SECRET_MEMBERS.some((name) => schema?.includes(`"${name}":`))
    expect([id, accessLog === 'secretShown']).toEqual([id, isSecret])
  }
})

it('exports entries to a collector as OTLP logs, and continues after an outage', async () => {
  const received: string[] = []
  let status = 503
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (status === 200) received.push(`${request.url} ${Buffer.concat(chunks)}`)
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  addCleanup(() => collector.close())
  const { port } = collector.address() as AddressInfo
  const server = await serve({}, { accessLogOtlpEndpoint: `http://127.0.0.1:${port}/` })
  await requestToken(server, { client_id: options.adminClientId, client_secret: 'wrong' })
  await vi.waitFor(() => expect(server.logs.join('')).toContain('cannot be exported'), { timeout: 60_000 })
  status = 200
  await server.close()
  const [path = '', body = ''] = (received[0] ?? '').split(/ (.*)/s)
  expect(path).toBe('/v1/logs')
  const { resourceLogs } = JSON.parse(body)
  const [record] = resourceLogs[0].scopeLogs[0].logRecords
  expect(record).toMatchObject({ severityText: 'WARN', body: { stringValue: 'token refused' } })
  expect(record.attributes).toContainEqual({ key: 'burgee.address', value: { stringValue: '127.0.0.1' } })
})

it('records the address of the caller of a tool', async () => {
  const server = await serve({ features: [{ key: 'checkout' }] }, { mcp: true, mcpConfirm: 'never', trustedProxies: 1 })
  const tools = await toolClient(server, await tokenOf(server), { 'x-forwarded-for': '192.0.2.77' })
  await tools.call('select_project', { projectKey: 'shop' })
  const { isError } = await tools.call('update_feature', { key: 'checkout', name: 'Checkout!' })
  expect(isError ?? false).toBe(false)
  const [entry] = (await call(server, 'listAuditEntries')).body
  expect(entry).toMatchObject({ address: '192.0.2.77', source: 'mcp' })
  expect(await entries(server, { kind: 'secretShown', address: '192.0.2.77' })).not.toEqual([])
})

test('an SDK key in the path of a request is in no file of the log and in no entry', async () => {
  const server = await serve({})
  const key = keyOf('server')
  const params = { project: 'shop', environment: 'production', key }
  const changed = await call(server, 'updateSdkKey', { params, body: { allowedNetworks: ['127.0.0.1'] } })
  expect([changed.status, changed.body.message]).toEqual([200, undefined])
  expect((await call(server, 'updateSdkKey', { params, body: { allowedNetworks: ['x'] } })).status).toBe(400)
  const logged = await entries(server, { kind: 'secretShown' })
  const [entry] = logged.filter(({ operation }) => operation === 'updateSdkKey')
  expect(entry?.target).toEqual({ project: 'shop', environment: 'production' })
  expect(JSON.stringify(await entries(server))).not.toContain(key)
  await server.close()
  const stored = await storedAccessText(server.directory)
  expect(stored).toContain('updateSdkKey')
  expect(stored).not.toContain(key)
})

test('the recorder never fails a request: without the organization of a client, the entry has that of the server', async () => {
  const [logged, appended]: [string[], StoredAccessEntry[]] = [[], []]
  const unavailable = { get: () => Promise.reject(new Error('the database is not available')) }
  const recorder = createAccessRecorder({
    accessLog: { append: async (entries) => void appended.push(...entries) } as AccessLog,
    store: { collection: () => unavailable } as unknown as Store,
    ids: { id: () => '65f0c0ffee0123456789abcd' },
    now: () => NOW,
    log: { error: (_: object, message: string) => void logged.push(message) } as Logger,
    organization: 'server'
  })
  await recorder.record({ kind: 'token', outcome: 'failed', operation: 'none', clientId: 'bot' }, '127.0.0.1')
  await recorder.close()
  expect([appended, logged]).toMatchObject([
    [{ _organization: 'server', clientId: 'bot' }],
    ['the organization of a client in the access log could not be read']
  ])
})
