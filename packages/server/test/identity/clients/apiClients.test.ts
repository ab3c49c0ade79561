import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { claimsOf, personToken, signingKeyOf } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openStore } from '../../../src/storage/open/openStore.ts'

const shop = idOf('shop')
const SECRET = /^burgee_secret_[\w-]{43}[0-9A-Za-z]{6}$/
const HOST = 'should have a host of letters, digits, dots and hyphens'

let server: TestServer
const keys: Record<string, string> = {}

beforeAll(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addMembers(directory, {
    mode: 'full',
    people: { owner: [{ role: 'organization_owner' }], admin: [{ role: 'organization_admin' }] },
    clients: { 'owner-bot': [{ role: 'organization_owner' }], 'admin-bot': [{ role: 'organization_admin' }] }
  })
  // May do anything but publish, for itself and for its users.
  await addClients(directory, { capped: ['organization:read:settings', 'organization:write:settings', 'project:read'] })
  server = await serve(directory)
  for (const name of ['owner', 'admin']) keys[name] = await personToken(server, userIdOf(name))
  for (const name of ['owner-bot', 'admin-bot', 'capped']) keys[name] = await tokenFor(server, name)
})

let count = 0

/** Creates a client. */
async function added(members: Readonly<Record<string, unknown>> = {}): Promise<ApiResponse['body']> {
  const body = { name: `Client ${++count}`, clientId: `client-${count}`, ...members }
  const { status, body: made } = await call(server, 'createApiClient', { body })
  expect([status, made.message]).toEqual([201, undefined])
  return made
}

/** Asks for an access token. */
function askToken(clientId: string, secret: string): Promise<ApiResponse> {
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  const headers = { 'content-type': 'application/json' }
  return send(server, { method: 'POST', path: '/oauth/token', headers, body: JSON.stringify(credentials) })
}

/** An access token of a user through a client. */
async function tokenThrough(clientId: string, subject: string): Promise<string> {
  const key = await signingKeyOf(server)
  return new SignJWT({ ...claimsOf(server, subject), azp: clientId, client_id: clientId })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid })
    .sign(key)
}

describe('creating a client', () => {
  it('returns the client, and once its secret, which grants tokens', async () => {
    const redirectUris = ['https://bot.example.com/callback']
    const roles = [{ role: 'member', project: 'shop' }]
    const permissions = ['project:read', 'feature:read']
    const body = { name: 'Bot', clientId: 'the-bot', isAssistant: true, redirectUris, roles, permissions }
    const { status, body: made } = await call(server, 'createApiClient', { body })
    expect(status).toBe(201)
    const { clientSecret, ...client } = made
    expect(clientSecret).toMatch(SECRET)
    expect(client).toEqual({
      ...body,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString(),
      isPublic: false,
      isDynamic: false,
      roles: [{ role: 'member', project: shop }],
      _createdBy: 'test-admin@clients'
    })
    for (const reference of [client._id, 'the-bot']) {
      expect((await call(server, 'getApiClient', { params: { client: reference } })).body).toEqual(client)
    }
    const { body: token } = await askToken('the-bot', clientSecret)
    const key = token.access_token
    expect((await call(server, 'listProjects', { key })).body).toHaveLength(1)
    expect((await call(server, 'getFeature', { key, params: { project: 'shop', feature: 'checkout' } })).status).toBe(
      200
    )
    // Its role allows this, but its permissions do not.
    const write = await call(server, 'createFeature', {
      key,
      params: { project: 'shop' },
      body: { key: 'x', name: 'X' }
    })
    expect(write.status).toBe(403)
  })

  it('generates an id if none is given, and a new secret each time', async () => {
    const [one, other] = [await added({ clientId: undefined }), await added({ clientId: undefined })]
    expect(one.clientId).toMatch(/^client_[0-9a-f]{24}$/)
    expect(one.clientId).not.toBe(other.clientId)
    expect(one.clientSecret).not.toBe(other.clientSecret)
  })

  it('grants full access if no roles are given', async () => {
    const { clientId, clientSecret, roles } = await added()
    expect(roles).toBeUndefined()
    const { body } = await askToken(clientId, clientSecret)
    const key = body.access_token
    expect((await call(server, 'createProject', { key, body: { key: 'by-bot', name: 'By bot' } })).status).toBe(201)
  })

  it('returns no secret and no roles for a public client', async () => {
    const made = await added({ isPublic: true, redirectUris: ['http://127.0.0.1:8080/callback'] })
    expect([made.isPublic, made.clientSecret, made.roles]).toEqual([true, undefined, []])
    expect((await askToken(made.clientId, '')).status).not.toBe(200)
  })

  it('returns 409 when the id is taken', async () => {
    await added({ clientId: 'taken' })
    const { status, body } = await call(server, 'createApiClient', { body: { name: 'Other', clientId: 'taken' } })
    expect([status, body.message, body.errorType]).toEqual([
      409,
      "Duplicate clientId 'taken'",
      'ERR_DUPE_CLIENT_CLIENT_ID'
    ])
  })

  it('returns 409 when the chosen id is the id of another client', async () => {
    const { _id } = await added()
    const { status, body } = await call(server, 'createApiClient', { body: { name: 'Decoy', clientId: _id } })
    expect([status, body.message]).toEqual([409, `clientId should not be the _id of another client, got "${_id}"`])
  })

  it('returns 404 when a role is for an unknown project', async () => {
    const roles = [{ role: 'member', project: 'nowhere' }]
    const { status, body } = await call(server, 'createApiClient', { body: { name: 'X', roles } })
    expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nowhere' not found")])
  })

  test.each<[Record<string, unknown>, RegExp]>([
    [{ name: '' }, /^name should not be empty/],
    [{ clientId: 'a b' }, /^clientId should be 1 to 100 letters/],
    [{ clientId: 'x'.repeat(101) }, /^clientId should be 1 to 100 letters/],
    [{ isPublic: true }, /^redirectUris should have at least one address/],
    [{ isPublic: true, redirectUris: [] }, /^redirectUris should have at least one address/],
    [{ roles: null }, /^roles should be an array/],
    [{ permissions: ['project:own'] }, /^permissions\.0 should be one of /],
    [{ _id: idOf('mine') }, /^property _id should not exist/],
    [{ isDynamic: false }, /^property isDynamic should not exist/],
    [{ secretVerifier: 'scrypt$' }, /^property secretVerifier should not exist/],
    [{ clientSecret: 'mine' }, /^property clientSecret should not exist/],
    [{ _organization: 'org_other' }, /^property _organization should not exist/],
    [{ _createdBy: 'burgee' }, /^property _createdBy should not exist/]
  ])('returns 400 to %j', async (members, mistake) => {
    const { status, body } = await call(server, 'createApiClient', { body: { name: 'Bot', ...members } })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(mistake)]])
  })
})

describe('a redirect URI', () => {
  test.each([
    'https://app.example.com/callback',
    'https://app.example.com:8443/callback?source=burgee',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:2194/callback',
    'http://[::1]:2194/callback',
    'http://localhost:2194/callback',
    'com.example.app:/callback'
  ])('can be %s', async (uri) => {
    expect((await added({ redirectUris: [uri] })).redirectUris).toEqual([uri])
  })

  test.each([
    ['', 'should be a URL'],
    ['/callback', 'should be a URL'],
    ['https://app.example.com/call back', 'should be a URL'],
    ['https://app.example.com/ü', 'should be a URL'],
    ['https://app.example.com/#here', 'should have no fragment'],
    ['https://app.example.com/#', 'should have no fragment'],
    ['https://*.example.com/callback', 'should be one address, without wildcards'],
    ["https://app.example.com;script-src'unsafe-inline'/callback", HOST],
    ['https://app,example.com/callback', HOST],
    ['https://app_1.example.com/callback', HOST],
    ["com.example.app://a;b'/callback", HOST],
    ['https://app.example.com/*', 'should be one address, without wildcards'],
    ['https://app.example.com\\@evil.example/', 'should have no backslash'],
    ['https://app.example.com@evil.example/', 'should have no user name or password'],
    ['http://app.example.com/callback', 'should be https, or http on'],
    ['http://localhost.evil.example/callback', 'should be https, or http on'],
    ['http://127.0.0.1.evil.example/', 'should be https, or http on'],
    ['http://0.0.0.0/', 'should be https, or http on'],
    ['javascript:alert(1)', 'should be https, or a scheme of its own'],
    ['data:text/html,hi', 'should be https, or a scheme of its own'],
    ['app:/callback', 'should be https, or a scheme of its own'],
    ['file:///etc/passwd', 'should be https, or a scheme of its own']
  ])('cannot be %j', async (uri, mistake) => {
    const { clientId } = await added()
    const redirectUris = ['https://app.example.com/callback', uri]
    const answers = [
      await call(server, 'createApiClient', { body: { name: 'Bot', redirectUris } }),
      await call(server, 'updateApiClient', { params: { client: clientId }, body: { redirectUris } })
    ]
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([400, [expect.stringContaining(`redirectUris.1 ${mistake}`)]])
    }
  })
})

describe('clients', () => {
  it('are listed in pages, sorted and searched, without their secrets', async () => {
    const { _id } = await added({ name: 'Quite Unusual', clientId: 'no-other-like-it' })
    const { body, headers } = await call(server, 'listApiClients', { query: { sortBy: 'name', perPage: 2 } })
    expect([body.length, Number(headers.count) > 5]).toEqual([2, true])
    for (const search of ['unusual', 'other-like']) {
      const found = await call(server, 'listApiClients', { query: { search } })
      expect(found.body.map((client: ApiResponse['body']) => client._id)).toEqual([_id])
    }
    const all = await call(server, 'listApiClients', { query: { perPage: 1000 } })
    expect(JSON.stringify(all.body)).not.toMatch(/scrypt|secret/i)
    expect((await call(server, 'listApiClients', { query: { page: 0 } })).status).toBe(400)
  })

  it('that are unknown return 404', async () => {
    const params = { client: 'nobody' }
    const answers = [
      await call(server, 'getApiClient', { params }),
      await call(server, 'updateApiClient', { params, body: { name: 'X' } }),
      await call(server, 'deleteApiClient', { params }),
      await call(server, 'rotateApiClientSecret', { params })
    ]
    for (const { status, body } of answers)
      expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nobody' not found")])
  })
})

describe('changing a client', () => {
  it('replaces the given members; null removes a limit', async () => {
    const { clientSecret: _, ...made } = await added({ roles: [{ role: 'viewer' }], permissions: ['project:read'] })
    const params = { client: made.clientId }
    const renamed = await call(server, 'updateApiClient', { params, body: { name: 'Renamed', isAssistant: true } })
    expect(renamed.body).toEqual({ ...made, name: 'Renamed', isAssistant: true })
    const { body } = await call(server, 'updateApiClient', { params, body: { roles: null, permissions: null } })
    const { roles: _roles, permissions: _permissions, ...others } = renamed.body
    expect(body).toEqual(others)
    expect((await call(server, 'updateApiClient', { params, body: {} })).body).toEqual(others)
    const limited = await call(server, 'updateApiClient', { params, body: { roles: [], permissions: [] } })
    expect(limited.body).toEqual({ ...others, roles: [], permissions: [] })
  })

  it('requires a redirect URI of a public client', async () => {
    const { clientId: client } = await added({ isPublic: true, redirectUris: ['com.example.app:/callback'] })
    const { status, body } = await call(server, 'updateApiClient', { params: { client }, body: { redirectUris: [] } })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(/^redirectUris should have at least one/)]])
  })

  test.each([
    { _id: idOf('mine') },
    { clientId: 'other' },
    { isPublic: true },
    { isDynamic: true },
    { secretVerifier: 'scrypt$' },
    { secretChangedAt: null },
    { clientSecret: 'mine' },
    { _organization: 'org_other' }
  ])('returns 400 to %j', async (body) => {
    const answer = await call(server, 'updateApiClient', { params: { client: 'capped' }, body })
    expect([answer.status, answer.body.message]).toEqual([400, [`property ${Object.keys(body)[0]} should not exist`]])
  })
})

describe('nobody creates a client with more permissions than their own', () => {
  const ownersOnly = 'a client without roles requires the role organization_owner: this includes the rights of owners'

  test.each([
    ['owner', { roles: [{ role: 'organization_owner' }] }, 201],
    ['owner', { roles: [] }, 201],
    ['owner', { roles: [{ role: 'viewer' }] }, 'granting viewer requires the permission project:read'],
    ['owner', {}, 'a client without roles requires the permission project:read'],
    [
      'owner',
      { permissions: ['organization:read:settings'] },
      'a client without roles requires the permission project:read'
    ],
    ['admin', {}, ownersOnly],
    ['admin-bot', {}, ownersOnly],
    ['admin', { roles: [{ role: 'organization_admin' }] }, 201],
    ['owner-bot', {}, 'a client without roles requires the permission project:read'],
    ['capped', {}, 'a client without roles requires the permission organization:read:members'],
    ['capped', { roles: [{ role: 'member' }] }, 'granting member requires the permission organization:read:members']
  ] as const)('%s creates a client with %j', async (name, members, expected) => {
    const { status, body } = await call(server, 'createApiClient', {
      key: keys[name] ?? '',
      body: { name: 'New', ...members }
    })
    expect([status, body.message]).toEqual(typeof expected === 'number' ? [expected, undefined] : [403, expected])
  })

  test.each([
    ['updateApiClient', { name: 'Renamed' }, 'changing'],
    ['updateApiClient', { redirectUris: ['https://evil.example/'] }, 'changing'],
    ['deleteApiClient', undefined, 'revoking'],
    ['rotateApiClientSecret', undefined, 'replacing the secret of']
  ] as const)('an owner cannot call %s %j for a client with more permissions', async (operation, body, what) => {
    // The owner's own token belongs to the administrator's client, which cannot change or revoke itself.
    const clients = operation === 'rotateApiClientSecret' ? ['admin-bot', 'test-admin'] : ['admin-bot']
    for (const client of clients) {
      const answer = await call(server, operation, {
        key: keys.owner ?? '',
        params: { client },
        ...(body ? { body } : {})
      })
      const message = `${what} this client requires the permission project:read`
      expect([answer.status, answer.body.message]).toEqual([403, message])
    }
    expect((await call(server, 'getApiClient', { params: { client: 'admin-bot' } })).body.name).toBe('admin-bot')
  })

  it('an owner cannot replace the secret of a client whose limit, once lifted, gives it more permissions', async () => {
    const permissions = ['organization:read:settings']
    const { clientId } = await added({ roles: [{ role: 'project_admin', project: 'shop' }], permissions })
    const params = { client: clientId }
    const { status, body } = await call(server, 'rotateApiClientSecret', { key: keys.owner ?? '', params })
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/^replacing the secret of this client requires the permission project:read/)
    ])
  })

  it('an owner cannot take the id of a deleted client that people signed in to', async () => {
    const redirectUris = ['https://app.example.com/callback']
    const key = keys.owner ?? ''
    const { clientId } = await added({ isPublic: true, redirectUris, roles: [] })
    expect((await call(server, 'deleteApiClient', { key, params: { client: clientId } })).status).toBe(200)
    const message = 'choosing the clientId of a client that people sign in to requires the permission project:read'
    const taken = { name: 'Dashboard', clientId, isPublic: true, redirectUris, roles: [] }
    const refused = await call(server, 'createApiClient', { key, body: taken })
    expect([refused.status, refused.body.message]).toEqual([403, message])
    const plain = await call(server, 'createApiClient', { key, body: { name: 'Bot', clientId, roles: [] } })
    expect(plain.status).toBe(201)
    const later = await call(server, 'updateApiClient', { key, params: { client: clientId }, body: { redirectUris } })
    expect([later.status, later.body.message]).toEqual([403, message])
    const { clientId: _, ...unnamed } = taken
    expect((await call(server, 'createApiClient', { key, body: unnamed })).status).toBe(201)
    // Nobody can create a client with a generated id again.
    const body = { name: 'Generated', isPublic: true, redirectUris, roles: [] }
    const { body: generated } = await call(server, 'createApiClient', { body })
    expect((await call(server, 'deleteApiClient', { key, params: { client: generated.clientId } })).status).toBe(200)
    const again = await call(server, 'createApiClient', { body: { ...body, clientId: generated.clientId } })
    expect([again.status, again.body.message]).toEqual([
      400,
      [`clientId should not have the form of generated ids, got "${generated.clientId}"`]
    ])
  })

  test.each([
    [{ roles: null }, 'a client without roles requires the permission project:read'],
    [{ roles: [{ role: 'publisher' }] }, 'granting publisher requires the permission project:read'],
    [{ roles: [{ role: 'viewer', project: 'shop' }] }, `Item with key 'shop' not found: there is no project "shop"`]
  ])('an owner cannot give a client of theirs %j', async (body, message) => {
    const answer = await call(server, 'updateApiClient', {
      key: keys.owner ?? '',
      params: { client: 'owner-bot' },
      body
    })
    expect(answer.body.message).toBe(message)
    expect(answer.status).toBe(message.startsWith('Item') ? 404 : 403)
  })

  it('a client cannot extend the permissions of another one', async () => {
    const { clientId } = await added({ roles: [], permissions: ['project:read'] })
    const given = { key: keys.capped ?? '', params: { client: clientId } }
    for (const permissions of [null, ['feature:publish', 'organization:write:settings']]) {
      const { status, body } = await call(server, 'updateApiClient', { ...given, body: { permissions } })
      expect([status, body.message]).toEqual([
        403,
        expect.stringMatching(/^extending the permissions of a client requires the permission/)
      ])
    }
    expect((await call(server, 'updateApiClient', { ...given, body: { name: 'Capped' } })).status).toBe(200)
    const itself = { key: keys.capped ?? '', params: { client: 'capped' }, body: { permissions: null } }
    expect((await call(server, 'updateApiClient', itself)).status).toBe(405)
  })

  it('a user cannot exceed the permissions of the client that they use', async () => {
    const redirectUris = ['https://assistant.example.com/']
    const permissions = ['organization:read:settings', 'organization:write:settings', 'project:read']
    const { clientId } = await added({ roles: [], permissions, redirectUris, isAssistant: true })
    const key = await tokenThrough(clientId, userIdOf('admin'))
    const other = await added({ roles: [], permissions })
    const given = { key, params: { client: other.clientId } }
    const { status, body } = await call(server, 'updateApiClient', { ...given, body: { permissions: null } })
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/^extending the permissions of a client requires the permission/)
    ])
  })
})

describe('revoking a client', () => {
  it('revokes its tokens at once, and deletes the consents', async () => {
    const { clientId, clientSecret } = await added()
    const { body: token } = await askToken(clientId, clientSecret)
    const key = token.access_token
    expect((await call(server, 'listProjects', { key })).status).toBe(200)
    expect((await call(server, 'deleteApiClient', { params: { client: clientId } })).status).toBe(200)
    const { status, body } = await call(server, 'listProjects', { key })
    expect([status, body.message]).toEqual([401, 'the token is not valid: its client no longer exists'])
    expect((await askToken(clientId, clientSecret)).status).toBe(401)
    expect((await call(server, 'getApiClient', { params: { client: clientId } })).status).toBe(404)
  })

  it('rejects the client that requests it', async () => {
    const { status, body } = await call(server, 'deleteApiClient', { params: { client: 'test-admin' } })
    expect([status, body.message]).toEqual([405, 'client "test-admin" cannot revoke itself; use other credentials'])
  })
})

describe('rotating a secret', () => {
  it('returns a new one, and invalidates the old one and its tokens', async () => {
    const { clientId, clientSecret } = await added()
    const { body: token } = await askToken(clientId, clientSecret)
    server.clock.now = () => NOW + 2000
    const { status, body } = await call(server, 'rotateApiClientSecret', { params: { client: clientId } })
    expect([status, body]).toEqual([201, { clientId, clientSecret: expect.stringMatching(SECRET) }])
    const refused = await call(server, 'listProjects', { key: token.access_token })
    expect([refused.status, refused.body.message]).toEqual([
      401,
      expect.stringContaining('secret of its client was replaced')
    ])
    expect((await askToken(clientId, clientSecret)).status).toBe(401)
    const { body: next } = await askToken(clientId, body.clientSecret)
    expect((await call(server, 'listProjects', { key: next.access_token })).status).toBe(200)
    server.clock.now = () => NOW
  })

  it('returns 412 for a public client', async () => {
    const { clientId: client } = await added({ isPublic: true, redirectUris: ['com.example.app:/callback'] })
    const { status, body } = await call(server, 'rotateApiClientSecret', { params: { client } })
    expect([status, body.message]).toEqual([412, `client "${client}" is public: it has no secret`])
  })
})

it('the store contains no secrets, and the authorization server no data of a deleted client', async () => {
  const directory = await storeWith({})
  const first = await serve(directory)
  const { body: made } = await call(first, 'createApiClient', { body: { name: 'Bot', clientId: 'bot' } })
  await call(first, 'createApiClient', { body: { name: 'Other', clientId: 'other' } })
  await first.close()
  const store = await openStore(toStoreUrl(directory))
  const at = new Date(NOW).toISOString()
  for (const clientId of ['bot', 'other']) {
    const timestamps = { _id: idOf(`grant of ${clientId}`), createdAt: at, updatedAt: at }
    const grant = { model: 'Grant', digest: clientId, payload: { clientId }, expiresAt: NOW + 1e9 }
    await store.collection('authorizations').insert({ ...timestamps, ...grant })
  }
  await store.close()
  const second = await serve(directory)
  await call(second, 'deleteApiClient', { params: { client: 'bot' } })
  await second.close()
  const after = await openStore(toStoreUrl(directory))
  const { items } = await after.collection('authorizations').list()
  expect(items.map(({ payload }) => payload.clientId)).toEqual(['other'])
  expect(JSON.stringify((await after.collection('clients').list()).items)).not.toContain(made.clientSecret)
  await after.close()
})

test('a client is referred to by its id even if a stored client id equals it', async () => {
  const directory = await storeWith({})
  await addClients(directory, { leaked: ['project:read'], [idOf('leaked')]: ['project:read'] })
  const at = await serve(directory)
  const params = { client: idOf('leaked') }
  expect((await call(at, 'getApiClient', { params })).body.clientId).toBe('leaked')
  expect((await call(at, 'updateApiClient', { params, body: { name: 'New' } })).body.clientId).toBe('leaked')
  expect((await call(at, 'deleteApiClient', { params })).status).toBe(200)
  const { body: left } = await call(at, 'listApiClients', {})
  const names = left.map(({ clientId }: { clientId: string }) => clientId)
  expect([names.includes('leaked'), names.includes(idOf('leaked'))]).toEqual([false, true])
})
