import { call, send, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { keyOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { connectScim, ERROR, newUser, type ScimClient, scimClient } from './scimClient.ts'

let server: TestServer
let scim: ScimClient

beforeAll(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addMembers(directory, {
    mode: 'basic',
    people: { owner: [{ role: 'organization_owner' }], publisher: [{ role: 'publisher' }] }
  })
  server = await serve(directory)
  scim = await connectScim(server)
})

async function statusOf(token: string): Promise<readonly [number, string]> {
  const { status, body } = await scimClient(server, token).get('/Users')
  return [status, body.detail]
}

describe('a SCIM token', () => {
  it.each([
    ['no token', '', 'is missing'],
    ['an SDK key', keyOf('server'), 'should start with burgee_scim_'],
    ['an unknown token', 'x', 'should start with burgee_scim_']
  ])('is required: 401 to %s', async (_, token, reason) => {
    const [status, detail] = await statusOf(token)
    expect([status, detail]).toEqual([401, expect.stringContaining(reason)])
  })

  it('has a prefix and a checksum', async () => {
    expect(scim.token).toMatch(/^burgee_scim_[\w-]{43}[0-9A-Za-z]{6}$/)
    expect(await statusOf(`${scim.token.slice(0, -1)}_`)).toEqual([401, expect.stringContaining('mistyped')])
  })

  it.each(['listProjects', 'listUsers', 'listScimTokens', 'listOwnSessions'] as const)(
    'cannot call %s',
    async (operation) => {
      expect((await call(server, operation, { key: scim.token })).status).toBe(401)
    }
  )

  it('cannot evaluate, and has no access to other endpoints', async () => {
    const headers = { authorization: `Bearer ${scim.token}`, 'content-type': 'application/json' }
    const body = '{"user_id":"x"}'
    expect((await send(server, { method: 'POST', path: '/v1/variables', headers, body })).status).toBe(401)
    expect((await send(server, { path: '/oauth/userinfo', headers })).status).toBe(401)
  })

  it('can be created only by people with all permissions', async () => {
    const create = async (name: string) => {
      const key = await personToken(server, userIdOf(name))
      return call(server, 'createScimToken', { key, body: { name: `by-${name}` } })
    }
    expect((await create('owner')).status).toBe(201)
    expect((await create('publisher')).status).toBe(403)
  })

  it('is refused after its expiry and after its revocation', async () => {
    const expiresAt = new Date(NOW + 60_000).toISOString()
    const { body } = await call(server, 'createScimToken', { body: { name: 'short', expiresAt } })
    expect((await statusOf(body.secret))[0]).toBe(200)
    server.clock.now = () => NOW + 60_000
    expect(await statusOf(body.secret)).toEqual([401, 'the SCIM token has expired'])
    server.clock.now = () => NOW
    const { secret } = (await call(server, 'createScimToken', { body: { name: 'revoked' } })).body
    await call(server, 'deleteScimToken', { params: { token: 'revoked' } })
    expect(await statusOf(secret)).toEqual([401, expect.stringContaining('may have been revoked')])
  })

  it('is listed without its secret, with its last use; its name is unique', async () => {
    await scim.get('/Users')
    const { body } = await call(server, 'listScimTokens')
    const [okta] = body.filter(({ name }: { name: string }) => name === 'okta')
    expect(okta).toMatchObject({ name: 'okta', lastUsedAt: new Date(NOW).toISOString() })
    expect(JSON.stringify(body)).not.toMatch(/burgee_scim_|igest/)
    const again = await call(server, 'createScimToken', { body: { name: 'okta' } })
    expect(again.status).toBe(409)
    const past = await call(server, 'createScimToken', { body: { name: 'past', expiresAt: new Date(0).toISOString() } })
    expect(past.status).toBe(400)
  })
})

test('the access log names the token, the endpoint and the outcome, and refused tokens', async () => {
  await scim.post('/Users', newUser())
  await statusOf('x')
  const { body } = await call(server, 'listAccessLog', { query: { perPage: 100 } })
  const events = body.filter(({ operation }: { operation: string }) => operation.startsWith('scim'))
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'tokenUse', outcome: 'success', operation: 'scim.users', idp_user: 'okta@scim' })
  )
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'tokenUse', outcome: 'refused', reason: 'invalid_token', operation: 'scim' })
  )
  expect(JSON.stringify(body)).not.toContain('burgee_scim_')
})

test('people are managed locally again when the last token is revoked', async () => {
  const left = await serve({})
  const client = await connectScim(left)
  await client.post('/Users', newUser({ userName: 'keeper@example.com', emails: undefined }))
  const { id } = (await client.post('/Users', newUser())).body
  await client.remove(`/Users/${id}`)
  const enable = () => call(left, 'updateUser', { params: { user: id }, body: { isDisabled: false } })
  expect((await enable()).status).toBe(412)
  await call(left, 'deleteScimToken', { params: { token: 'okta' } })
  expect((await enable()).body).toMatchObject({ isDisabled: false, isProvisioned: false, roles: [] })
  const again = await connectScim(left)
  expect((await again.get(`/Users/${id}`)).body).toMatchObject({ id, active: true })
})

test('the requests of a token are limited, with both retry headers', async () => {
  const limited = await serve({}, { managementRateLimit: 5 })
  const [busy, other] = [await connectScim(limited, 'busy'), await connectScim(limited, 'other')]
  const statuses: number[] = []
  for (let count = 0; count < 5; count++) statuses.push((await busy.get('/ServiceProviderConfig')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(await busy.get('/Users')).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/), 'retry-later': expect.any(String) },
    body: { schemas: [ERROR], status: '429', detail: expect.stringContaining('requests of this SCIM token') }
  })
  expect((await other.get('/Users')).status).toBe(200)
  expect((await call(limited, 'listProjects', { key: await tokenOf(limited) })).status).toBe(200)
})
