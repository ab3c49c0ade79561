import { addAccounts, openBrowser, pkceParameters, textOf, VERIFIER } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../src/storage/open/openStore.ts'

const PASSWORD = 'a quiet morning on the lake'
const REDIRECT_URI = 'http://127.0.0.1/callback'

let directory: string
let server: TestServer

beforeAll(async () => {
  directory = await storeWith({})
  await addAccounts(directory, { people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }] })
  server = await serve(directory, { dynamicRegistration: true })
})

let address = 2

/** Registers a client, from its own address by default. */
function register(body: unknown, localAddress = `127.0.1.${address++}`, at = server): Promise<ApiResponse> {
  return send(at, {
    method: 'POST',
    path: '/oauth/register',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    localAddress
  })
}

const sound = { client_name: 'Assistant', redirect_uris: [REDIRECT_URI] }

describe('a client that registers itself', () => {
  it('gets its metadata, and users can sign in to it', async () => {
    const { body: described } = await send(server, { path: '/.well-known/oauth-authorization-server' })
    expect(described.registration_endpoint).toBe(`${server.url}/oauth/register`)
    const asked = {
      ...sound,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_uri: 'https://example.com',
      scope: 'feature:read'
    }
    const { status, body, headers } = await register(asked)
    expect(status).toBe(201)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^client_[0-9a-f]{24}$/),
      client_id_issued_at: NOW / 1000,
      client_name: 'Assistant',
      application_type: 'native',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code']
    })

    const browser = openBrowser(server)
    const redirect_uri = 'http://127.0.0.1:49152/callback'
    const page = await browser.get(
      `/oauth/authorize?${new URLSearchParams({
        client_id: body.client_id,
        response_type: 'code',
        redirect_uri,
        ...pkceParameters
      })}`
    )
    const consent = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
    expect(textOf(consent.body)).toContain('This application registered itself')
    const { location } = await browser.submit(consent, 'consent')
    const code = location?.searchParams.get('code') ?? ''
    const granted = await send(server, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: body.client_id,
        code,
        redirect_uri,
        code_verifier: VERIFIER
      }).toString()
    })
    expect(decodeJwt(granted.body.access_token)).toMatchObject({ azp: body.client_id })
    // Its changes are logged as those of an assistant.
    const key = granted.body.access_token
    await call(server, 'createProject', { key, body: { key: 'by-assistant', name: 'By an assistant' } })
    const { body: entries } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(entries[0]).toMatchObject({ actor: 'assistant', clientId: body.client_id })
  })

  it('is marked in the list of clients, and its registration is in the audit log', async () => {
    const { client_id } = (await register({ redirect_uris: ['https://app.example.com:8443/callback'] })).body
    const { body } = await call(server, 'getApiClient', { params: { client: client_id } })
    expect(body).toMatchObject({
      name: 'app.example.com:8443',
      isPublic: true,
      isDynamic: true,
      isAssistant: true,
      roles: []
    })
    const { body: entries } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(entries[0]).toMatchObject({ actor: 'server', changes: [{ type: 'createdApiClient' }] })
  })

  it('leaves the network of the caller out of the audit log, even when it is deleted', async () => {
    const { body } = await register(sound, '127.0.77.5')
    const { status } = await call(server, 'deleteApiClient', { params: { client: body.client_id } })
    expect(status).toBe(200)
    const { body: entries } = await call(server, 'listAuditEntries')
    const changes = entries.slice(0, 2).map((entry: { readonly changes: readonly unknown[] }) => entry.changes[0])
    expect(changes).toMatchObject([
      { type: 'deletedApiClient', previousContents: { clientId: body.client_id } },
      { type: 'createdApiClient', newContents: { clientId: body.client_id } }
    ])
    expect(JSON.stringify(changes)).not.toContain('127.0.77.5')
  })

  it('has a readable name, by default its host', async () => {
    const named = async (client_name: string) => (await register({ ...sound, client_name })).body.client_name
    expect(await named(' \u200bBur\u2060gee\u202e\n Web ')).toBe('Burgee Web')
    expect(await named('\u200b\u2060\u3164')).toBe('127.0.0.1')
  })

  const wrong: [string, unknown, number, string][] = [
    ['no address', { client_name: 'x' }, 400, 'invalid_client_metadata'],
    ['no address in the list', { redirect_uris: [] }, 400, 'invalid_client_metadata'],
    ['an address of another kind', { redirect_uris: [1] }, 400, 'invalid_client_metadata'],
    ['http on another computer', { redirect_uris: ['http://app.example.com/callback'] }, 400, 'invalid_redirect_uri'],
    ['a scheme of its own', { redirect_uris: ['com.example.app:/callback'] }, 400, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 400, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://app.example.com/#x'] }, 400, 'invalid_redirect_uri'],
    ['one good and one bad address', { redirect_uris: [REDIRECT_URI, 'http://x.y/'] }, 400, 'invalid_redirect_uri'],
    ['a secret', { ...sound, token_endpoint_auth_method: 'client_secret_basic' }, 400, 'invalid_client_metadata'],
    ['a grant without people', { ...sound, grant_types: ['client_credentials'] }, 400, 'invalid_client_metadata'],
    ['a token at once', { ...sound, response_types: ['token'] }, 400, 'invalid_client_metadata'],
    ['a name that is too long', { ...sound, client_name: 'x'.repeat(101) }, 400, 'invalid_client_metadata'],
    ['a list', [], 400, 'invalid_client_metadata'],
    [
      'more than 4096 bytes',
      { redirect_uris: ['a', 'b', 'c'].map((letter) => `https://example.com/${letter.repeat(1500)}`) },
      400,
      'invalid_client_metadata'
    ],
    ['many members that mean nothing', { ...sound, notes: 'x'.repeat(4096) }, 400, 'invalid_client_metadata'],
    ['no JSON', '{', 400, 'invalid_request']
  ]
  it.each(wrong)('is refused with %s', async (_, asked, status, error) => {
    const { body, ...answer } = await register(asked)
    expect(body).toEqual({ error, error_description: expect.any(String) })
    expect(answer.status).toBe(status)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('cannot choose its id', async () => {
    const given = { client_id: 'burgee-admin', isDynamic: false, isAssistant: false, roles: null, permissions: [] }
    const { body } = await register({ ...sound, ...given })
    expect(body.client_id).toMatch(/^client_/)
    const shown = await call(server, 'getApiClient', { params: { client: body.client_id } })
    expect(shown.body).toMatchObject({ isDynamic: true, isAssistant: true, roles: [] })
  })

  it('is limited to ten in a minute for each address', async () => {
    const answers: ApiResponse[] = []
    for (let count = 0; count < 11; count++) answers.push(await register(sound, '127.0.2.1'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429])
    const { headers, body } = answers.at(-1) ?? { headers: {}, body: undefined }
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body.error).toBe('temporarily_unavailable')
    expect((await register(sound, '127.0.2.2')).status).toBe(201)
  })
})

it('registrations of one network do not prevent those of others', async () => {
  const full = await storeWith({})
  await addAccounts(full, {})
  const store = await openStore(toStoreUrl(full))
  await store.transaction(async (transaction) => {
    for (let number = 0; number < 1000; number++) {
      const createdAt = new Date(NOW - 60_000 + number).toISOString()
      await transaction.collection('clients').insert({
        _id: number.toString(16).padStart(24, '0'),
        createdAt,
        updatedAt: createdAt,
        clientId: `client_${number}`,
        name: 'Unused',
        redirectUris: [REDIRECT_URI],
        roles: [],
        isAssistant: true,
        isDynamic: true,
        network: number === 0 ? '192.0.2.1' : '203.0.113.9',
        _organization: 'org_test'
      })
    }
  })
  await store.close()
  const at = await serve(full, { dynamicRegistration: true })
  expect((await register(sound, '127.0.5.1', at)).status).toBe(201)
  const found = async (client: string) => (await call(at, 'getApiClient', { params: { client } })).status
  // The oldest one of the network with the most makes room.
  expect([await found('client_0'), await found('client_1'), await found('client_2')]).toEqual([200, 404, 200])
})

it('a registered client is deleted after a week without any consent', async () => {
  await server.close()
  expect((await listDynamic()).length).toBeGreaterThan(10)
  await (await serve(directory, {}, NOW + 7 * 86_400_000)).close()
  const after = await listDynamic()
  expect(after.map(({ name }) => name)).toEqual(['Assistant'])
})

async function listDynamic() {
  const store = await openStore(toStoreUrl(directory))
  const { items } = await store.collection('clients').list({ where: { isDynamic: true } })
  await store.close()
  return items
}

it('registration is possible only if the setting allows it', async () => {
  const closed = await serve({})
  expect((await register(sound, '127.0.0.1', closed)).status).toBe(404)
  const { body } = await send(closed, { path: '/.well-known/oauth-authorization-server' })
  expect(body).not.toHaveProperty('registration_endpoint')
})

it('a client that registers itself is refused once there are 1,000 with consents', async () => {
  const full = await storeWith({})
  const at = new Date(NOW).toISOString()
  const store = await openStore(toStoreUrl(full))
  await store.transaction(async (transaction) => {
    const clients = transaction.collection('clients')
    for (let count = 0; count < 1000; count++) {
      const clientId = `client_${count}`
      const fields = {
        _id: count.toString(16).padStart(24, '0'),
        createdAt: at,
        updatedAt: at,
        _organization: 'burgee'
      }
      await clients.insert({
        ...fields,
        clientId,
        name: clientId,
        roles: [],
        isAssistant: true,
        isDynamic: true,
        redirectUris: []
      })
    }
  })
  await store.transaction(async (transaction) => {
    for (let count = 0; count < 1000; count++) {
      const clientId = `client_${count}`
      const fields = { _id: count.toString(16).padStart(24, '0'), createdAt: at, updatedAt: at }
      const grant = { model: 'Grant', digest: clientId, payload: { clientId } }
      await transaction.collection('authorizations').insert({ ...fields, ...grant })
    }
  })
  await store.close()
  const { status, body, headers } = await register(sound, undefined, await serve(full, { dynamicRegistration: true }))
  expect([status, body]).toEqual([
    403,
    { error: 'access_denied', error_description: expect.stringContaining('the limit of 1000 registered clients') }
  ])
  expect(headers['retry-after']).toBeUndefined()
})
