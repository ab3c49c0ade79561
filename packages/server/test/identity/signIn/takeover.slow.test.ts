import {
  addAccounts,
  authorize,
  type Browser,
  exchangeCode,
  openBrowser,
  type Page,
  type PersonPlan,
  REDIRECT_URI,
  textOf
} from '@burgee/testing/browser'
import {
  type ApiResponse,
  call,
  hasher,
  options,
  send,
  serve,
  storeWith,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../../src/identity/secrets/secretHash.ts'

const PASSWORD = 'a quiet morning on the lake'
const SECRET = 'the secret of the dashboard'
const ADMIN = [{ role: 'organization_admin' }] as const
const OWNER = [{ role: 'organization_owner' }] as const

/** A server in full mode, with an administrator, an owner, and their clients. */
async function serveOrganization(people: readonly PersonPlan[] = []): Promise<TestServer> {
  const directory = await storeWith({})
  const secretVerifier = hashRandomSecret(SECRET)
  await addAccounts(directory, {
    permissions: { mode: 'full' },
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD, roles: ADMIN },
      { email: 'olga@example.com', name: 'Olga', password: PASSWORD, roles: OWNER },
      ...people
    ],
    clients: [
      { clientId: 'dash', name: 'Dashboard', secretVerifier, roles: [] },
      { clientId: 'helper', name: 'Helper', isAssistant: true },
      { clientId: 'stranger', name: 'Stranger', isAssistant: true, isDynamic: true }
    ]
  })
  return serve(directory)
}

const personOf = (email: string) => `burgee|${idOf(email)}`

/** Submits the password, and returns the redirect without following it. */
async function halfSignedIn(browser: Browser, email: string): Promise<string> {
  const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }
  const page = await browser.submit(await authorize(browser), 'login', { email, password: PASSWORD }, headers)
  const [, next = ''] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(page.body) ?? []
  return new URL(textOf(next)).pathname
}

/** Signs in and consents to an application. */
async function signedIn(
  browser: Browser,
  email: string,
  parameters: Readonly<Record<string, string>> = {}
): Promise<Page> {
  const page = await authorize(browser, parameters)
  return browser.submit(await browser.submit(page, 'login', { email, password: PASSWORD }), 'consent')
}

function tokenRequest(server: TestServer, fields: Readonly<Record<string, string>>): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send(server, { method: 'POST', path: '/oauth/token', headers, body: new URLSearchParams(fields).toString() })
}

function refresh(
  server: TestServer,
  refresh_token: string,
  fields: Readonly<Record<string, string>> = {}
): Promise<ApiResponse> {
  return tokenRequest(server, { grant_type: 'refresh_token', client_id: 'app', refresh_token, ...fields })
}

describe('an unfinished sign-in', () => {
  const ends: [string, (server: TestServer) => Promise<ApiResponse>][] = [
    [
      'they change their password',
      async (server) =>
        call(server, 'changePassword', {
          key: await personToken(server, personOf('ada@example.com')),
          body: { currentPassword: PASSWORD, newPassword: 'seven herons over the mill' }
        })
    ],
    [
      'an administrator resets their password',
      (server) => call(server, 'resetPassword', { params: { user: 'ada@example.com' }, body: {} })
    ],
    [
      'they are disabled and enabled again',
      async (server) => {
        await call(server, 'updateUser', { params: { user: 'ada@example.com' }, body: { isDisabled: true } })
        return call(server, 'updateUser', { params: { user: 'ada@example.com' }, body: { isDisabled: false } })
      }
    ]
  ]
  it.each(ends)('ends when %s', async (_, end) => {
    const server = await serveOrganization()
    const [before, after] = [openBrowser(server), openBrowser(server)]
    const places = [await halfSignedIn(before, 'ada@example.com'), await halfSignedIn(after, 'ada@example.com')]
    expect((await before.get(places[0] ?? '')).body).toContain('Allow access?')
    server.clock.now = () => NOW + 1
    expect((await end(server)).status).toBeLessThan(300)
    const page = await after.get(places[1] ?? '')
    expect([page.status, page.location]).toEqual([400, undefined])
    expect(page.body).not.toContain('Allow access?')
    // There is no session either.
    expect((await authorize(after)).body).toContain('Sign in')
    // A browser that got further cannot consent either.
    expect((await authorize(before)).body).toContain('Sign in')
  })
})

describe('an application', () => {
  const key = (server: TestServer, email: string) => personToken(server, personOf(email))
  const dash = { client_id: 'dash' }

  it.each([
    ['its secret', 'rotateApiClientSecret', {}],
    ['where it gets its answers', 'updateApiClient', { redirectUris: ['https://evil.example.com/callback'] }]
  ] as const)('cannot be changed without full access: %s', async (_, operation, body) => {
    const server = await serveOrganization()
    const call1 = { params: { client: 'dash' }, body }
    const refused = await call(server, operation, { ...call1, key: await key(server, 'olga@example.com') })
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringMatching(/requires the permission/)])
    expect((await call(server, operation, call1)).status).toBeLessThan(300)
  })

  it('can be changed by its creator', async () => {
    const server = await serveOrganization()
    const olga = await key(server, 'olga@example.com')
    const body = { name: 'Mine', redirectUris: [REDIRECT_URI], roles: [] }
    const created = await call(server, 'createApiClient', { key: olga, body })
    expect(created.status).toBe(201)
    const params = { client: created.body.clientId }
    expect((await call(server, 'rotateApiClientSecret', { key: olga, params })).status).toBe(201)
    const redirectUris = ['https://other.example.com/callback']
    expect((await call(server, 'updateApiClient', { key: olga, params, body: { redirectUris } })).status).toBe(200)
  })

  it.each([
    ['another secret', 'rotateApiClientSecret', {}],
    ['other addresses', 'updateApiClient', { redirectUris: [REDIRECT_URI, 'https://evil.example.com/callback'] }],
    ['other limits', 'updateApiClient', { permissions: ['project:read'] }],
    ['no mark of an assistant', 'updateApiClient', { isAssistant: true }]
  ] as const)('loses former consents once it has %s', async (_, operation, body) => {
    const server = await serveOrganization()
    const browser = openBrowser(server)
    const tokens = (await exchangeAs(server, await signedIn(browser, 'ada@example.com', dash))).body
    const late = await authorize(browser, { ...dash, prompt: '' })
    expect(late.location?.searchParams.get('code')).toEqual(expect.any(String))
    server.clock.now = () => NOW + 1_000
    const { status, body: changed } = await call(server, operation, { params: { client: 'dash' }, body })
    expect(status).toBeLessThan(300)
    const client_secret = changed.clientSecret ?? SECRET
    expect((await exchangeAs(server, late, client_secret)).status).toBe(400)
    expect((await refresh(server, tokens.refresh_token, { ...dash, client_secret })).status).toBe(400)
    const used = await call(server, 'listProjects', { key: tokens.access_token })
    expect(used.status).toBe(401)
    expect((await authorize(browser, { ...dash, prompt: '' })).body).toContain('Allow access?')
  })

  it('keeps consents when only its name changes', async () => {
    const server = await serveOrganization()
    const tokens = (await exchangeCode(server, await signedIn(openBrowser(server), 'ada@example.com'))).body
    server.clock.now = () => NOW + 1_000
    await call(server, 'updateApiClient', { params: { client: 'app' }, body: { name: 'Another name' } })
    expect((await call(server, 'listProjects', { key: tokens.access_token })).status).toBe(200)
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200)
  })

  it('cannot change itself', async () => {
    const server = await serveOrganization()
    const browser = openBrowser(server)
    const { body } = await exchangeCode(
      server,
      await signedIn(browser, 'ada@example.com', { client_id: 'helper' }),
      'helper'
    )
    const params = { client: 'helper' }
    const answer = await call(server, 'updateApiClient', {
      key: body.access_token,
      params,
      body: { isAssistant: false }
    })
    expect([answer.status, answer.body.message]).toEqual([405, expect.stringContaining('cannot change itself')])
  })

  it('stays an assistant when it registered itself', async () => {
    const server = await serveOrganization()
    const params = { client: 'stranger' }
    const answer = await call(server, 'updateApiClient', { params, body: { isAssistant: false } })
    expect([answer.status, answer.body.message]).toEqual([400, [expect.stringContaining('isAssistant should be true')]])
  })

  it('has none of the tokens of a former client with its id', async () => {
    const server = await serveOrganization()
    const { clientSecret } = (await call(server, 'createApiClient', { body: { name: 'CI', clientId: 'ci' } })).body
    const ask = async (client_secret: string) =>
      (await tokenRequest(server, { grant_type: 'client_credentials', client_id: 'ci', client_secret })).body
        .access_token
    const stolen = await ask(clientSecret)
    expect((await call(server, 'listProjects', { key: stolen })).status).toBe(200)
    await call(server, 'deleteApiClient', { params: { client: 'ci' } })
    server.clock.now = () => NOW + 1
    const again = (await call(server, 'createApiClient', { body: { name: 'CI', clientId: 'ci' } })).body
    expect((await call(server, 'listProjects', { key: stolen })).status).toBe(401)
    expect((await call(server, 'listProjects', { key: await ask(again.clientSecret) })).status).toBe(200)
  })
})

/** Exchanges a code of the dashboard, which has a secret. */
function exchangeAs(server: TestServer, { location }: Page, client_secret = SECRET): Promise<ApiResponse> {
  return tokenRequest(server, {
    grant_type: 'authorization_code',
    client_id: 'dash',
    client_secret,
    code: location?.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: 'a-code-verifier-that-is-long-enough-for-the-specification'
  })
}

describe('the id of the administrator', () => {
  it('is reserved', async () => {
    const server = await serveOrganization()
    const body = { name: 'Mine', clientId: 'burgee-admin', roles: [] }
    const answer = await call(server, 'createApiClient', { body })
    expect([answer.status, answer.body.message]).toEqual([400, [expect.stringContaining('reserved')]])
  })

  const LIMITS = { roles: [{ role: 'viewer' }], permissions: ['project:read'] } as const

  it('keeps its limits when the server starts', async () => {
    const directory = await storeWith({})
    const secretVerifier = await hasher.hash(SECRET)
    await addAccounts(directory, { clients: [{ clientId: 'burgee-admin', secretVerifier, ...LIMITS }] })
    await (await serve(directory, { adminClientId: '', adminClientSecret: '' })).close()
    const server = await serve(directory)
    const { body } = await call(server, 'getApiClient', { params: { client: 'burgee-admin' } })
    expect(body).toMatchObject(LIMITS)
  })

  it('loses its limits with configured credentials, which is logged', async () => {
    const directory = await storeWith({})
    const secretVerifier = await hasher.hash(options.adminClientSecret)
    const clientId = options.adminClientId
    await addAccounts(directory, { clients: [{ clientId, secretVerifier, ...LIMITS }] })
    const server = await serve(directory)
    const { body } = await call(server, 'getApiClient', { params: { client: clientId }, key: await tokenOf(server) })
    expect([body.roles, body.permissions]).toEqual([undefined, undefined])
    expect(server.logs.join('')).toContain('the limits of the administrator client are lifted, as configured')
    const [entry] = (await call(server, 'listAuditEntries')).body
    expect(entry).toMatchObject({ actor: 'server', changes: [{ type: 'modifiedApiClient', previousContents: LIMITS }] })
  })
})

describe('a refresh token that is used twice concurrently', () => {
  it('is revoked with all of its tokens', async () => {
    const server = await serveOrganization()
    const browser = openBrowser(server)
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = (await exchangeCode(server, await agreed(browser))).body
      const answers = await Promise.all([1, 2, 3].map(() => refresh(server, refresh_token)))
      const granted = answers.filter(({ status }) => status === 200)
      expect(granted.length).toBeLessThanOrEqual(1)
      for (const { body } of granted) expect((await refresh(server, body.refresh_token)).status).toBe(400)
    }
  })

  async function agreed(browser: Browser): Promise<Page> {
    const page = await authorize(browser)
    if (!String(page.body).includes('Allow access?')) {
      return browser.submit(
        await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD }),
        'consent'
      )
    }
    return browser.submit(page, 'consent')
  }
})

it('Basic authentication does not reveal which client ids exist', async () => {
  const server = await serveOrganization()
  const guess = async (id: string) => {
    const authorization = `Basic ${Buffer.from(`${id}:wrong`).toString('base64')}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization }
    return (
      await send(server, { method: 'POST', path: '/oauth/token', headers, body: 'grant_type=client_credentials' })
    ).status
  }
  for (let round = 0; round < 3; round++) await guess(`nobody-${round}`)
  expect([await guess('dash'), await guess('nobody-else')]).toEqual([401, 401])
  const counts = { dash: [] as number[], nobody: [] as number[] }
  for (let round = 0; round < 12; round++) {
    counts.dash.push(await guess('dash'))
    counts.nobody.push(await guess('nobody'))
  }
  expect(counts.dash).toContain(429)
  expect(counts.nobody.indexOf(429)).toBe(counts.dash.indexOf(429) + 1)
})

describe('roles that do not count while the identity provider controls roles', () => {
  it('protect their person from administrators with fewer permissions', async () => {
    const directory = await storeWith({})
    const identity = { issuer: 'https://id.example.com', subject: 'ada' }
    await addMembers(directory, {
      mode: 'full',
      controlledBy: 'identityProvider',
      people: {
        owner: [{ role: 'organization_owner' }],
        dormant: { roles: [{ role: 'organization_admin' }], identity }
      }
    })
    const server = await serve(directory)
    const key = await personToken(server, userIdOf('owner'))
    const params = { user: userIdOf('dormant') }
    const refused = await call(server, 'updateUser', { key, params, body: { name: 'Renamed' } })
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('requires the permission')])
    expect((await call(server, 'signOutUser', { key, params })).status).toBe(403)
  })
})
