import { type ApiResponse, call, send, serve, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import { describe, expect, it, test, vi } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const DAY = 86_400_000
const beta = idOf('beta')

const plan: Plan = {
  settings: { edgeDB: { enabled: true }, optIn: { enabled: true, title: 'Try it' } },
  features: [
    { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
    { key: 'by-country', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'beta', isOptIn: true, targets: [{ filters: [{ type: 'optIn' }] }] }
  ]
}

type KeyType = 'server' | 'client' | 'mobile'

function save(server: TestServer, type: KeyType, user_id: string, members: object): Promise<ApiResponse> {
  return call(server, 'updateEdgeUser', { params: { user_id }, body: { user_id, ...members }, key: keyOf(type) })
}

function choose(server: TestServer, type: KeyType, user_id: string, choice: boolean): Promise<ApiResponse> {
  return call(server, 'updateOptIns', { params: { user_id }, body: { [beta]: choice }, key: keyOf(type) })
}

/** The variables that a user gets in an evaluation with a server key. */
async function forServers(server: TestServer, user_id: string): Promise<string[]> {
  const query = { enableEdgeDB: 'true' }
  return Object.keys((await call(server, 'evaluateVariables', { body: { user_id }, query })).body)
}

/** The variables that a user gets in the config of a client SDK. */
async function forClients(server: TestServer, user_id: string): Promise<string[]> {
  const now = String(NOW)
  const sdk = { platform: 'Web', platformVersion: '1', deviceModel: 'x', sdkVersion: '1', sdkType: 'client' }
  const query = { user_id, ...sdk, createdDate: now, lastSeenDate: now, isAnonymous: 'false', enableEdgeDB: 'true' }
  const { status, body } = await call(server, 'getClientConfig', {
    key: null,
    query: { ...query, sdkKey: keyOf('client') }
  })
  expect(status).toBe(200)
  return Object.keys(body.variables)
}

async function ofrepFlag(server: TestServer, type: KeyType, targetingKey: string): Promise<unknown> {
  const given = { params: { key: 'beta' }, body: { context: { targetingKey } }, key: keyOf(type) }
  return (await call(server, 'ofrepEvaluateFlag', given)).body.value
}

describe.each(['client', 'mobile'] as const)('what a %s key writes', (type) => {
  it('counts for evaluations of clients and not of servers', async () => {
    const server = await serve(plan)
    expect((await save(server, type, 'ada', { country: 'CA', customData: { plan: 'pro' } })).status).toBe(200)
    expect((await choose(server, type, 'ada', true)).status).toBe(200)
    expect(await forServers(server, 'ada')).toEqual([])
    expect(await forClients(server, 'ada')).toEqual(['by-plan', 'by-country', 'beta'])
    expect(await ofrepFlag(server, 'server', 'ada')).toBeUndefined()
    expect(await ofrepFlag(server, type, 'ada')).toBe(true)
  })

  it('counts for servers too if the project trusts it', async () => {
    const server = await serve(plan)
    await save(server, type, 'ada', { customData: { plan: 'pro' } })
    await choose(server, type, 'ada', true)
    const body = { settings: { trustClientWrites: true } }
    expect((await call(server, 'updateProject', { params: { key: 'shop' }, body })).status).toBe(200)
    expect(await forServers(server, 'ada')).toEqual(['by-plan', 'beta'])
    expect(await ofrepFlag(server, 'server', 'ada')).toBe(true)
  })

  it('changes nothing that a server wrote, for evaluations of servers', async () => {
    const server = await serve(plan)
    await save(server, 'server', 'ada', { country: 'CA', customData: { plan: 'pro' } })
    await choose(server, 'server', 'ada', true)
    await save(server, type, 'ada', { country: 'DE', customData: { plan: null } })
    await choose(server, type, 'ada', false)
    expect(await forServers(server, 'ada')).toEqual(['by-plan', 'by-country', 'beta'])
    expect(await forClients(server, 'ada')).toEqual([])
  })
})

test('what a server writes replaces what a client wrote before', async () => {
  const server = await serve(plan)
  await save(server, 'client', 'ada', { country: 'DE', customData: { plan: 'free', seats: 3 } })
  await choose(server, 'client', 'ada', false)
  await save(server, 'server', 'ada', { country: 'CA', customData: { plan: 'pro' } })
  await choose(server, 'server', 'ada', true)
  expect(await forServers(server, 'ada')).toEqual(['by-plan', 'by-country', 'beta'])
  expect(await forClients(server, 'ada')).toEqual(['by-plan', 'by-country', 'beta'])
})

test('data of earlier versions counts as written by clients', async () => {
  const first = await serve(plan)
  await first.close()
  const store = await openStore(toStoreUrl(first.directory))
  const fields = { _id: idOf('user old'), createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  const user = { ...fields, _project: idOf('shop'), user_id: 'old', customData: { plan: 'pro' } }
  await store.collection('edgeUsers').insert(user)
  await store.close()
  const server = await serve(first.directory)
  expect(await forServers(server, 'old')).toEqual([])
  expect(await forClients(server, 'old')).toEqual(['by-plan'])
})

describe('the opt-in page', () => {
  it('shows the choices that evaluations with the same key use', async () => {
    const server = await serve(plan)
    await choose(server, 'client', 'ada', true)
    const status = async (type: KeyType) => {
      const { body } = await call(server, 'getOptInConfig', { query: { user_id: 'ada' }, key: keyOf(type) })
      return body.features[0].status
    }
    expect([await status('client'), await status('server')]).toEqual([true, false])
    const enabled = (type: KeyType) => call(server, 'hasOptIn', { params: { user_id: 'ada' }, key: keyOf(type) })
    expect([(await enabled('client')).status, (await enabled('server')).status]).toEqual([200, 204])
  })
})

/** Expects a refusal with the name of a limit and both headers. */
function expectLimit({ status, headers, body }: ApiResponse, expected: number, message: RegExp): void {
  expect([status, body.message]).toEqual([expected, expect.stringMatching(message)])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Date.parse(String(headers['retry-later']))).toBeGreaterThan(NOW)
}

describe('the bytes per minute of a network', () => {
  const filler = { customData: { filler: 'x'.repeat(16_000) } }

  test.each([
    ['updateEdgeUser', (server: TestServer, type: KeyType, id: string) => save(server, type, id, filler)],
    [
      'updateOptIns',
      (server: TestServer, type: KeyType, id: string) => choose(server, type, `${id}${'x'.repeat(9000)}`, true)
    ]
  ] as const)('limit %s with public keys', async (_, write) => {
    const server = await serve(plan, { userDataRateLimit: 1 })
    const responses: ApiResponse[] = []
    for (let number = 0; number < 150; number++) responses.push(await write(server, 'client', `user-${number}`))
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(20)
    for (const response of refused) {
      expectLimit(
        response,
        429,
        /^too many bytes of user data from this network \(limit: 1048576 per minute\); retry in \d+ s$/
      )
    }
    expect((await write(server, 'mobile', 'other')).status).toBe(429)
    expect((await write(server, 'server', 'other')).status).toBe(200)
  })

  it('are counted for an IPv6 network of 64 bits', async () => {
    const server = await serve(plan, { userDataRateLimit: 1, trustedProxies: 1 })
    const statuses = new Map<string, number>()
    for (let number = 0; number < 70; number++) {
      const body = JSON.stringify({ user_id: 'ada', ...filler })
      const address = `2001:db8:1:2::${number.toString(16)}`
      statuses.set(address, (await patch(server, body, address)).status)
    }
    expect(new Set(statuses.values())).toEqual(new Set([200, 429]))
    expect((await patch(server, '{"user_id":"ada"}', '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await patch(server, '{"user_id":"ada"}', '2001:db8:1:3::1')).status).toBe(200)
  })

  function patch(server: TestServer, body: string, address: string): Promise<ApiResponse> {
    const headers = { authorization: keyOf('client'), 'content-type': 'application/json', 'x-forwarded-for': address }
    return send(server, { method: 'PATCH', path: '/v1/edgedb/ada', headers, body })
  }
})

/** Saves a user with a client key, from an address behind a proxy. */
function addFrom(server: TestServer, address: string, id: string): Promise<ApiResponse> {
  const headers = { authorization: keyOf('client'), 'content-type': 'application/json', 'x-forwarded-for': address }
  const body = JSON.stringify({ user_id: id })
  return send(server, { method: 'PATCH', path: `/v1/edgedb/${id}`, headers, body })
}

/** Returns what the warnings with a message name. */
function warningsOf({ logs }: TestServer, message: RegExp): readonly Readonly<Record<string, unknown>>[] {
  return logs
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level === 40 && message.test(msg))
    .map(({ collection, project, environment }) => JSON.parse(JSON.stringify({ collection, project, environment })))
}

describe('the number of stored users', () => {
  it('stays the same in a flood with a public key', async () => {
    const server = await serve(plan, { maxStoredUsers: 50 })
    const flood = Array.from({ length: runs({ quick: 300, full: 2000 }) }, (_, number) => async () => {
      const id = `flood-${number}`
      const write =
        number % 4 === 0 ? choose(server, 'mobile', id, true) : save(server, 'client', id, { country: 'CA' })
      return [await write]
    })
    const responses: ApiResponse[] = []
    for (let start = 0; start < flood.length; start += 20) {
      responses.push(...(await Promise.all(flood.slice(start, start + 20).map((write) => write()))).flat())
    }
    const refused = responses.filter(({ status }) => status !== 200)
    for (const response of refused.slice(0, 20)) {
      expectLimit(response, 429, /^too many stored users in this (project|environment) \(limit: 50 users/)
    }
    expect(warningsOf(server, /^too many stored users/).map(({ collection }) => collection)).toEqual(
      expect.arrayContaining(['edgeUsers', 'optIns'])
    )
    expect(warningsOf(server, /^too many stored users/)).toHaveLength(2)
    // Users that are stored already, and those of servers, are not affected.
    expect((await save(server, 'client', 'flood-1', { country: 'DE' })).status).toBe(200)
    expect((await save(server, 'server', 'new', { country: 'DE' })).status).toBe(200)
    expect((await choose(server, 'server', 'new', true)).status).toBe(200)
    await server.close()
    const store = await openStore(toStoreUrl(server.directory))
    // Writes in progress at the same time are counted once they are durable.
    for (const name of ['edgeUsers', 'optIns'] as const) {
      expect((await store.collection(name).list()).count).toBeLessThanOrEqual(1 + 50 + 20)
    }
    await store.close()
  }, 60_000)

  it('is shared out by network', async () => {
    const server = await serve(plan, { maxStoredUsers: 250, trustedProxies: 1 })
    const add = (address: string, id: string) => addFrom(server, address, id)
    const statuses: number[] = []
    for (let number = 0; number < 120; number++) statuses.push((await add('2001:db8:1:2::1', `flood-${number}`)).status)
    expect(statuses.filter((status) => status === 200).length).toBe(100)
    const reason = /^too many new users from this network in this project \(limit: 100 per hour\)$/
    expect(warningsOf(server, /^too many new users/)).toEqual([{ collection: 'edgeUsers', project: idOf('shop') }])
    expectLimit(await add('2001:db8:1:2:ffff::1', 'next'), 429, reason)
    // Users that are stored already, other networks and server keys are not affected.
    expect((await add('2001:db8:1:2::1', 'flood-1')).status).toBe(200)
    expect((await add('2001:db8:1:3::1', 'ada')).status).toBe(200)
    expect((await save(server, 'server', 'grace', {})).status).toBe(200)
    server.clock.now = () => NOW + 3_600_000
    expect((await add('2001:db8:1:2::1', 'next')).status).toBe(200)
    expect(warningsOf(server, /^too many new users/)).toHaveLength(1)
  })

  it('is counted again after a restart', async () => {
    const first = await serve(plan, { maxStoredUsers: 1 })
    await save(first, 'client', 'ada', {})
    await first.close()
    const server = await serve(first.directory, { maxStoredUsers: 1 })
    expect((await save(server, 'client', 'grace', {})).status).toBe(429)
  })
})

describe('the size of a stored user', () => {
  test.each(['client', 'server'] as const)('is limited with a %s key', async (type) => {
    const server = await serve(plan)
    const message = /^the stored data of the user would have \d+ characters of JSON \(limit: 20480 per user\)$/
    expectLimit(await save(server, type, 'ada', { name: 'x'.repeat(30_000) }), 413, message)
    expect((await save(server, type, 'ada', { name: 'Ada' })).status).toBe(200)
  })
})

describe('a user that is not seen', () => {
  it('expires, and one that is evaluated does not', async () => {
    const server = await serve(plan, { userDataRetentionDays: 10, maxStoredUsers: 2 })
    await save(server, 'client', 'absent', { customData: { plan: 'pro' } })
    await save(server, 'client', 'present', { customData: { plan: 'pro' } })
    await choose(server, 'client', 'absent', true)
    server.clock.now = () => NOW + 9 * DAY
    expect(await forClients(server, 'present')).toEqual(['by-plan'])
    const expired = () => server.logs.filter((line) => line.includes('not seen for 10 days was removed'))
    server.clock.now = () => NOW + 12 * DAY
    await vi.waitFor(() => expect(expired()).toHaveLength(2), { timeout: 60_000 })
    expect(await forClients(server, 'absent')).toEqual([])
    expect(await forClients(server, 'present')).toEqual(['by-plan'])
    expect((await save(server, 'client', 'new', {})).status).toBe(200)
  })
})
