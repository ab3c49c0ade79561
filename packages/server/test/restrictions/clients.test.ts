import { type Operation, type Operations, operations } from '@burgee/contract'
import { addClients, CLIENT_SECRET, tokenFor } from '@burgee/testing/apiClients'
import {
  type ApiResponse,
  type Call,
  call,
  send,
  serve,
  storeWith,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { DAY, NOW } from '@burgee/testing/plan'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { managementOperations, ownOperations, requestOf } from '../support/managementRequests.ts'

const HOUR = DAY / 24
const [near, far] = ['192.0.2.7', '198.51.100.1']
const at = (moment: number) => new Date(moment).toISOString()
const refusal = (clientId: string) => {
  return `client "${clientId}" is not accepted from the address ${far}: its allowedNetworks do not contain it`
}

let server: TestServer
let token: string

beforeAll(async () => {
  const directory = await storeWith({})
  const reading = ['project:read', 'organization:read:settings'] as const
  await addClients(directory, {
    limited: ['project:read', 'organization:write:settings'],
    expiring: ['project:read'],
    restricted: reading,
    viewer: reading
  })
  server = await serve(directory, { trustedProxies: 1, mcp: true })
  token = await tokenFor(server, 'limited')
  await update('limited', { allowedNetworks: ['192.0.2.0/24', '127.0.0.1'] })
})

afterEach(() => {
  server.clock.now = () => NOW
})

function update(client: string, body: object, given: Call = {}): Promise<ApiResponse> {
  return call(server, 'updateApiClient', { params: { client }, body, ...given })
}

function requestToken(clientId: string, address: string, secret = CLIENT_SECRET): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })
  })
}

describe('allowedNetworks of a client', () => {
  it('apply at the token endpoint, to holders of the secret', async () => {
    expect((await requestToken('limited', near)).status).toBe(200)
    const { status, body } = await requestToken('limited', far)
    expect([status, body]).toEqual([403, { error: 'access_denied', error_description: refusal('limited') }])
  })

  it.each([
    ['192.0.2.7:1234', 200],
    ['[::ffff:192.0.2.7]:1234', 200],
    ['203.0.113.9:1234', 403],
    // The connection comes from 127.0.0.1, which is allowed.
    ['[2001:db8::1]:80', 403],
    ['unknown', 403],
    ['127.0.0.1x', 403]
  ])('read the entry %s of a proxy, and refuse an entry without an address', async (entry, expected) => {
    expect((await requestToken('limited', entry)).status).toBe(expected)
  })

  it('are shown to the client and to administrators only, including in the audit log', async () => {
    const body = { expiresAt: at(NOW + DAY), allowedNetworks: ['127.0.0.1'] }
    expect((await update('restricted', body)).body).toMatchObject(body)
    const [own, viewer] = [await tokenFor(server, 'restricted'), await tokenFor(server, 'viewer')]
    const get = async (key?: string) => {
      const given = { params: { client: 'restricted' }, ...(key === undefined ? {} : { key }) }
      const one = await call(server, 'getApiClient', given)
      expect([one.status, one.body.clientId]).toEqual([200, 'restricted'])
      const { body: all } = await call(server, 'listApiClients', key === undefined ? {} : { key })
      expect(all.find(({ clientId }: { clientId: string }) => clientId === 'restricted')).toEqual(one.body)
      return one.body
    }
    expect(await get()).toMatchObject(body)
    expect(await get(own)).toMatchObject(body)
    const shown = await get(viewer)
    expect(shown).not.toHaveProperty('expiresAt')
    expect(shown).not.toHaveProperty('allowedNetworks')
    const entries = async (key?: string) => {
      const { body: list } = await call(server, 'listAuditEntries', key === undefined ? {} : { key })
      return JSON.stringify(
        list.filter(({ changes }: { changes: { type: string }[] }) => changes[0]?.type === 'modifiedApiClient')
      )
    }
    expect(await entries()).toContain('allowedNetworks')
    expect(await entries(viewer)).toContain('modifiedApiClient')
    expect(await entries(viewer)).not.toContain('allowedNetworks')
    expect(await entries(viewer)).not.toContain('expiresAt')
  })

  it('are not revealed to callers without the secret', async () => {
    const [known, unknown] = [
      await requestToken('limited', far, 'wrong-secret-0123456789'),
      await requestToken('nobody', far, 'wrong-secret-0123456789')
    ]
    expect([known.status, known.body]).toEqual([401, unknown.body])
    expect(known.body.error).toBe('invalid_client')
  })

  const all = [...managementOperations, ...ownOperations].map(({ id }) => id)
  test.each(all)('apply to %s', async (id) => {
    const record: Operation = operations[id]
    const headers = { 'x-forwarded-for': far }
    const { status, body } = await call(server, id as keyof Operations, {
      ...requestOf({ ...record, id } as Parameters<typeof requestOf>[0]),
      key: token,
      headers
    })
    // The manifest has errors in the form of OpenFeature's tools.
    expect([status, body.message ?? body.error.message]).toEqual([403, refusal('limited')])
  })

  it('accept requests from the networks', async () => {
    const given = { key: token, headers: { 'x-forwarded-for': `::ffff:${near}` } }
    expect((await call(server, 'listProjects', given)).status).toBe(200)
  })

  it('apply to the tools for assistants', async () => {
    const request = (address: string) =>
      send(server, {
        method: 'POST',
        path: '/mcp',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-forwarded-for': address
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
        })
      })
    expect((await request(near)).status).toBe(200)
    const { status, body } = await request(far)
    expect([status, body.error.message]).toEqual([403, refusal('limited')])
    const { body: found } = await call(server, 'listAccessLog', { query: { kind: 'tokenUse', address: far } })
    expect(found).toContainEqual(expect.objectContaining({ operation: 'mcp', reason: 'network_not_allowed' }))
  })

  it('apply to public clients before a code or refresh token is used up', async () => {
    const redirectUris = ['https://app.example.com/callback']
    const body = { name: 'Phone', clientId: 'phone', isPublic: true, redirectUris, allowedNetworks: ['192.0.2.0/24'] }
    expect((await call(server, 'createApiClient', { body })).status).toBe(201)
    const refresh = (address: string) =>
      send(server, {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ grant_type: 'refresh_token', client_id: 'phone', refresh_token: 'x' })
      })
    expect((await refresh(near)).body.error).toBe('invalid_grant')
    const { status, body: answer } = await refresh(far)
    expect([status, answer]).toEqual([403, { error: 'access_denied', error_description: refusal('phone') }])
  })

  it('are recorded in the access log when they refuse a token or its use', async () => {
    const address = '203.0.113.5'
    await requestToken('limited', address)
    await call(server, 'listProjects', { key: token, headers: { 'x-forwarded-for': address } })
    const { body } = await call(server, 'listAccessLog', { query: { address, sortOrder: 'asc' } })
    const shared = { outcome: 'refused', reason: 'network_not_allowed', clientId: 'limited', address }
    expect(body).toMatchObject([
      { ...shared, kind: 'token', operation: 'token' },
      { ...shared, kind: 'tokenUse', operation: 'listProjects', idp_user: 'limited@clients' }
    ])
  })

  it('cannot be changed by the client itself, so that no client locks itself out', async () => {
    const { status, body } = await update('limited', { allowedNetworks: [far] }, { key: token })
    expect([status, body.message]).toEqual([405, 'client "limited" cannot change itself; use other credentials'])
  })

  it('are removed by null', async () => {
    await call(server, 'createApiClient', {
      body: { name: 'Office', clientId: 'office', roles: [], allowedNetworks: ['10.0.0.0/8'] }
    })
    expect((await update('office', { name: 'Home' })).body.allowedNetworks).toEqual(['10.0.0.0/8'])
    expect((await update('office', { allowedNetworks: null })).body).not.toHaveProperty('allowedNetworks')
  })

  it('are removed from the configured administrator client when the server starts', async () => {
    const directory = await storeWith({})
    await addClients(directory, { admin: [] })
    const configured = { adminClientId: 'admin', adminClientSecret: CLIENT_SECRET, trustedProxies: 1 }
    const first = await serve(directory, { adminClientId: 'other', adminClientSecret: CLIENT_SECRET })
    const key = await tokenFor(first, 'other')
    const body = { allowedNetworks: ['10.0.0.1'], expiresAt: at(NOW + HOUR) }
    expect((await call(first, 'updateApiClient', { params: { client: 'admin' }, body, key })).status).toBe(200)
    await first.close()
    const again = await serve(directory, configured, NOW + DAY)
    expect(await tokenFor(again, 'admin')).toEqual(expect.any(String))
  })
})

describe('expiresAt of a client', () => {
  it('ends its tokens, and refuses new ones', async () => {
    const key = await tokenFor(server, 'expiring')
    expect((await update('expiring', { expiresAt: at(NOW + HOUR) })).body.expiresAt).toBe(at(NOW + HOUR))
    expect((await call(server, 'listProjects', { key })).status).toBe(200)
    server.clock.now = () => NOW + HOUR
    const reason = `client "expiring" expired at ${at(NOW + HOUR)}`
    const used = await call(server, 'listProjects', { key })
    expect([used.status, used.body.message]).toEqual([401, `the token is not valid: ${reason}`])
    const refused = await requestToken('expiring', near)
    expect([refused.status, refused.body]).toEqual([401, { error: 'invalid_client', error_description: reason }])
    const wrong = await requestToken('expiring', near, 'wrong-secret-0123456789')
    expect(JSON.stringify(wrong.body)).not.toContain('expired')
    expect((await update('expiring', { expiresAt: null })).body).not.toHaveProperty('expiresAt')
    expect((await call(server, 'listProjects', { key })).status).toBe(200)
  })

  it('ends sign-ins to a public client', async () => {
    const redirectUris = ['https://app.example.com/callback']
    const body = { name: 'App', clientId: 'app', isPublic: true, redirectUris, expiresAt: at(NOW + HOUR) }
    expect((await call(server, 'createApiClient', { body })).status).toBe(201)
    const visit = () => send(server, { path: '/oauth/authorize?client_id=app', headers: { accept: 'text/html' } })
    expect((await visit()).body).not.toContain('expired')
    server.clock.now = () => NOW + HOUR
    const page = await visit()
    expect([page.status, page.body]).toEqual([400, expect.stringContaining('expired at')])
    const { status, body: answer } = await send(server, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token', client_id: 'app', refresh_token: 'x' })
    })
    expect([status, answer.error]).toEqual([401, 'invalid_client'])
  })
})

test.each<[object, RegExp]>([
  [{ expiresAt: at(NOW) }, /^expiresAt should be in the future/],
  [{ expiresAt: 1 }, /^expiresAt should be/],
  [{ allowedNetworks: [] }, /^allowedNetworks /],
  [
    { allowedNetworks: ['127.0.0.1', 'office'] },
    /^allowedNetworks\.1 should be an address or a network .+, got "office"/
  ],
  [{ allowedOrigins: ['https://shop.example'] }, /allowedOrigins/]
])('a client with %j is refused', async (restrictions, says) => {
  const made = await call(server, 'createApiClient', { body: { name: 'Bot', roles: [], ...restrictions } })
  const changed = await update('expiring', restrictions)
  for (const { status, body } of [made, changed]) {
    expect(status).toBe(400)
    expect(body.message.join()).toMatch(says)
  }
  expect((await call(server, 'listProjects', { key: await tokenOf(server) })).status).toBe(200)
})
