import { permissions } from '@burgee/contract'
import {
  addAccounts,
  type Browser,
  openBrowser,
  type Page,
  pkceParameters,
  textOf,
  VERIFIER
} from '@burgee/testing/browser'
import {
  type ApiResponse,
  call,
  hasher,
  send,
  serve,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { storedText } from '@burgee/testing/storedData'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const PASSWORD = 'a quiet morning on the lake'
const SECRET = 'a-secret-of-many-characters'
const WEB = 'https://app.example.com/callback'
const LOOPBACK = 'http://127.0.0.1/callback'

let server: TestServer

// The server writes to its log only: standard output may carry a protocol.
const prints = (['info', 'warn', 'log'] as const).map((name) => vi.spyOn(console, name))

beforeAll(async () => {
  server = await serve(await accounts())
})

/**
 * A closed store with users and clients. The secret of clients is a generated one, unless it is stored like a chosen
 * one.
 */
async function accounts(secretVerifier = hashRandomSecret(SECRET)): Promise<string> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD, picture: 'https://example.com/ada.png' },
      { email: 'eve@example.com', name: 'Eve', password: PASSWORD }
    ],
    clients: [
      { clientId: 'cli', name: 'Command line', redirectUris: [LOOPBACK, 'http://localhost:2194/callback'] },
      { clientId: 'device', name: 'On a device', redirectUris: ['com.example.app:/callback'] },
      { clientId: 'web', name: 'Web', redirectUris: [WEB, 'http://localhost:3000/callback'], secretVerifier },
      { clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier },
      { clientId: 'held', name: 'Held back', redirectUris: [WEB], permissions: ['project:read', 'feature:read'] }
    ]
  })
  return directory
}

type Fields = Readonly<Record<string, string>>

function authorizePath(fields: Fields = {}): string {
  const query = new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: WEB,
    ...pkceParameters,
    ...fields
  })
  for (const [name, value] of Object.entries(fields)) if (value === '') query.delete(name)
  return `/oauth/authorize?${query}`
}

/** Follows the pages to the redirect to the application. */
async function signIn(path: string, browser: Browser, email = 'ada@example.com'): Promise<URL> {
  let seen: Page = await browser.get(path)
  if (String(seen.body).includes('/login"')) seen = await browser.submit(seen, 'login', { email, password: PASSWORD })
  if (!seen.location && String(seen.body).includes('/consent"')) seen = await browser.submit(seen, 'consent')
  if (!seen.location) throw new Error(`nobody was sent back: ${seen.status} ${textOf(String(seen.body))}`)
  return seen.location
}

/** Signs in with a new browser; returns the code. */
async function codeFor(fields: Fields = {}, at = server): Promise<string> {
  const location = await signIn(authorizePath(fields), openBrowser(at))
  expect(location.searchParams.get('error')).toBeNull()
  return location.searchParams.get('code') ?? ''
}

function ask(path: string, fields: Fields, at = server, headers: Fields = {}): Promise<ApiResponse> {
  const body = new URLSearchParams(fields).toString()
  return send(at, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body
  })
}

const secret = { client_id: 'web', client_secret: SECRET }

function exchange(code: string, fields: Fields = {}, at = server): Promise<ApiResponse> {
  const sound = { ...secret, grant_type: 'authorization_code', code, redirect_uri: WEB, code_verifier: VERIFIER }
  return ask(
    '/oauth/token',
    Object.fromEntries(Object.entries({ ...sound, ...fields }).filter(([, value]) => value)),
    at
  )
}

function refresh(refresh_token: string, fields: Fields = {}, at = server): Promise<ApiResponse> {
  return ask('/oauth/token', { ...secret, grant_type: 'refresh_token', refresh_token, ...fields }, at)
}

/** Signs in with a new browser, and exchanges the code. */
async function tokensFor(fields: Fields = {}, at = server) {
  const { status, body } = await exchange(await codeFor(fields, at), {}, at)
  expect([status, body.error_description]).toEqual([200, undefined])
  return body
}

function use(token: string, at = server): Promise<ApiResponse> {
  return send(at, { path: '/v1/organizations', headers: { authorization: `Bearer ${token}` } })
}

function expectRefusal({ status, headers, body }: ApiResponse, expected: number, error: string): void {
  expect(body).toEqual({ error, error_description: expect.any(String) })
  expect(status).toBe(expected)
  expect(headers['cache-control']).toBe('no-store')
}

async function openIdClient(clientId: string, secret?: string, algorithm: 'oidc' | 'oauth2' = 'oidc') {
  const authentication = secret === undefined ? client.None() : client.ClientSecretPost(secret)
  const options = { algorithm, execute: [client.allowInsecureRequests] }
  return client.discovery(new URL(server.url), clientId, undefined, authentication, options)
}

describe('the discovery document', () => {
  it('is the same for OpenID Connect and OAuth clients', async () => {
    const { status, body, headers } = await send(server, { path: '/.well-known/openid-configuration' })
    expect(status).toBe(200)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(body).toMatchObject({
      issuer: `${server.url}/`,
      authorization_endpoint: `${server.url}/oauth/authorize`,
      token_endpoint: `${server.url}/oauth/token`,
      jwks_uri: `${server.url}/oauth/jwks`,
      revocation_endpoint: `${server.url}/oauth/revoke`,
      userinfo_endpoint: `${server.url}/oauth/userinfo`,
      response_types_supported: ['code'],
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true
    })
    expect(body.scopes_supported).toEqual(expect.arrayContaining(['openid', 'everything', ...permissions]))
    expect(body).not.toHaveProperty('registration_endpoint')
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/']) {
      expect((await send(server, { path })).body).toEqual(body)
    }
  })

  it('uses the public URL regardless of the Host header', async () => {
    const at = await serve({}, { publicUrl: 'https://example.com/flags' })
    const headers = { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'http' }
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/flags']) {
      const { body } = await send(at, { path, headers })
      expect(body).toMatchObject({
        issuer: 'https://example.com/flags/',
        token_endpoint: 'https://example.com/flags/oauth/token',
        userinfo_endpoint: 'https://example.com/flags/oauth/userinfo'
      })
      expect(JSON.stringify(body)).not.toContain('evil')
    }
  })

  it('is read-only', async () => {
    for (const path of ['/.well-known/openid-configuration', '/oauth/jwks']) {
      const { status, headers } = await send(server, { method: 'POST', path })
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('a real OAuth client', () => {
  const clients: [string, string, string | undefined, 'oidc' | 'oauth2', string][] = [
    ['a public one on a device', 'cli', undefined, 'oidc', 'http://127.0.0.1:53412/callback'],
    ['a public one that knows only OAuth', 'cli', undefined, 'oauth2', 'http://localhost:2194/callback'],
    ['one with a scheme of its own', 'device', undefined, 'oidc', 'com.example.app:/callback'],
    ['one with a secret', 'web', SECRET, 'oidc', WEB]
  ]
  it.each(clients)('signs a user in, refreshes and revokes: %s', async (_, id, secret, algorithm, redirect_uri) => {
    const config = await openIdClient(id, secret, algorithm)
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid profile email',
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      resource: `${server.url}/`
    })
    const back = await signIn(`${url.pathname}${url.search}`, openBrowser(server))
    expect(back.searchParams.get('iss')).toBe(`${server.url}/`)
    const granted = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState })
    expect(granted.expires_in).toBe(8 * 3600)
    expect(granted.claims()).toMatchObject({ aud: id, email: 'ada@example.com', name: 'Ada' })
    const { sub = '' } = granted.claims() ?? {}
    expect(await client.fetchUserInfo(config, granted.access_token, sub)).toEqual({
      sub,
      name: 'Ada',
      email: 'ada@example.com',
      picture: 'https://example.com/ada.png'
    })
    expect((await use(granted.access_token)).status).toBe(200)

    const first = granted.refresh_token ?? ''
    const refreshed = await client.refreshTokenGrant(config, first)
    expect((await use(refreshed.access_token)).status).toBe(200)
    expect(refreshed.refresh_token).toMatch(/^[\w-]{43}$/)
    expect(refreshed.refresh_token).not.toBe(first)

    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    await expect(client.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant'
    })
  })

  it('gets a token for itself', async () => {
    const granted = await client.clientCredentialsGrant(await openIdClient('robot', SECRET))
    expect(decodeJwt(granted.access_token)).toMatchObject({ sub: 'robot@clients', permissions: [...permissions] })
    expect(granted.refresh_token).toBeUndefined()
  })

  it('can use an audience, omit openid, and send JSON, as the specification says', async () => {
    const redirect_uri = 'http://localhost:2194/callback'
    const audience = `${server.url}/`
    const path = authorizePath({ client_id: 'cli', redirect_uri, audience, scope: 'offline_access', state: 's' })
    const code = (await signIn(path, openBrowser(server))).searchParams.get('code') ?? ''
    const askJson = (body: object) =>
      send(server, {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
    const grant = { client_id: 'cli', code, code_verifier: VERIFIER, redirect_uri, scope: 'offline_access' }
    const { status, body } = await askJson({ grant_type: 'authorization_code', ...grant })
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 28_800, refresh_token: expect.any(String) })
    expect(body).not.toHaveProperty('id_token')
    const again = { grant_type: 'refresh_token', client_id: 'cli', refresh_token: body.refresh_token, audience }
    expect((await askJson(again)).status).toBe(200)
  })
})

describe('an access token of a user', () => {
  it('has the user, the client and the permissions', async () => {
    const { access_token } = await tokensFor()
    expect(decodeProtectedHeader(access_token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) })
    const seconds = NOW / 1000
    expect(decodeJwt(access_token)).toEqual({
      iss: `${server.url}/`,
      aud: `${server.url}/`,
      sub: expect.stringMatching(/^burgee\|[0-9a-f]{24}$/),
      azp: 'web',
      client_id: 'web',
      iat: seconds,
      iat_ms: NOW,
      generations: expect.any(Object),
      exp: seconds + 28_800,
      jti: expect.any(String),
      grant_id: expect.any(String),
      org_id: 'org_test',
      email: 'ada@example.com',
      scope: 'everything',
      auth_time: seconds,
      amr: ['pwd'],
      permissions: [...permissions]
    })
  })

  const scopes: [string, string, readonly string[]][] = [
    ['no scope', '', permissions],
    ['scopes that are about themselves', 'openid email', permissions],
    ['a permission', 'feature:read', ['feature:read']],
    ['permissions among others', 'openid project:read feature:read', ['project:read', 'feature:read']]
  ]
  it.each(scopes)('has the requested scopes: %s', async (_, scope, allowed) => {
    const { access_token, refresh_token } = await tokensFor({ scope })
    expect(decodeJwt(access_token).permissions).toEqual(allowed)
    const { body } = await refresh(refresh_token)
    expect(decodeJwt(body.access_token).permissions).toEqual(allowed)
  })

  it('cannot gain scopes by a refresh', async () => {
    const narrow = 'openid project:read feature:read'
    const parts: [string, readonly string[]][] = [
      ['feature:read', ['feature:read']],
      ['openid', ['project:read', 'feature:read']],
      ['openid project:read', ['project:read']]
    ]
    for (const [scope, allowed] of parts) {
      const { refresh_token } = await tokensFor({ scope: narrow })
      const { body } = await refresh(refresh_token, { scope })
      expect(decodeJwt(body.access_token).permissions).toEqual(allowed)
      expect(body.scope.split(' ').sort()).toEqual(String(decodeJwt(body.access_token).scope).split(' ').sort())
    }
    for (const scope of ['everything', 'feature:write', 'openid feature:write']) {
      const { refresh_token } = await tokensFor({ scope: narrow })
      const { status, body } = await refresh(refresh_token, { scope })
      expect([status, body.error]).toEqual([400, 'invalid_scope'])
    }
  })

  it('is limited by the permissions of its client', async () => {
    const { access_token } = (
      await exchange(await codeFor({ client_id: 'held' }), { client_id: 'held', client_secret: '' })
    ).body
    expect(decodeJwt(access_token).permissions).toEqual(['project:read', 'feature:read'])
  })

  it('has only the claims that the user agreed to', async () => {
    const { access_token } = await tokensFor({ scope: 'openid email' })
    const get = (token: string) =>
      send(server, { path: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } })
    expect(Object.keys((await get(access_token)).body)).toEqual(['sub', 'email'])
    expectRefusal(await get((await tokensFor()).access_token), 403, 'insufficient_scope')
    const robot = await ask('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: 'robot',
      client_secret: SECRET
    })
    expectRefusal(await get(robot.body.access_token), 403, 'insufficient_scope')
    const refused = await get('nonsense')
    expectRefusal(refused, 401, 'invalid_token')
    expect(refused.headers['www-authenticate']).toContain('invalid_token')
  })
})

describe('an access token of a client', () => {
  it('has the requested scopes, or all if none are requested', async () => {
    const asked: [string, readonly string[]][] = [
      ['', permissions],
      ['openid', permissions],
      ['everything', permissions],
      ['feature:read', ['feature:read']]
    ]
    for (const [scope, allowed] of asked) {
      const { body } = await ask('/oauth/token', { grant_type: 'client_credentials', ...secret, scope })
      expect(decodeJwt(body.access_token).permissions).toEqual(allowed)
    }
    const answer = await ask('/oauth/token', { grant_type: 'client_credentials', ...secret, scope: 'feature:raed' })
    expect(answer.body).toMatchObject({ error: 'invalid_scope', scope: 'feature:raed' })
  })

  it('is not issued to public clients, and clients without sign-in get no user grants', async () => {
    const asked: Fields[] = [
      { grant_type: 'client_credentials', client_id: 'cli' },
      { grant_type: 'authorization_code', client_id: 'robot', client_secret: SECRET, code: 'x', redirect_uri: WEB },
      { grant_type: 'refresh_token', client_id: 'robot', client_secret: SECRET, refresh_token: 'x' }
    ]
    for (const fields of asked) expectRefusal(await ask('/oauth/token', fields), 400, 'invalid_request')
  })
})

describe('an authorization request', () => {
  const redirected: [string, Fields, string][] = [
    ['no code challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a plain code challenge', { code_challenge_method: 'plain', code_challenge: VERIFIER }, 'invalid_request'],
    ['a code challenge of no known method', { code_challenge_method: '' }, 'invalid_request'],
    ['another API', { audience: 'https://api.example.com/' }, 'access_denied'],
    ['another API as resource', { resource: 'https://api.example.com/' }, 'access_denied'],
    ['an API that is not a URL', { audience: 'nonsense' }, 'access_denied'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'an id token at once',
      { response_type: 'code id_token', nonce: 'n', scope: 'openid' },
      'unsupported_response_type'
    ],
    ['an unknown scope', { scope: 'feature:raed' }, 'invalid_scope'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request from elsewhere', { request_uri: 'https://evil.example.com' }, 'request_uri_not_supported'],
    ['prompt=none without a session', { prompt: 'none' }, 'login_required']
  ]
  it.each(redirected)('redirects to the application with an error for %s', async (_, fields, error) => {
    const { location, status } = await openBrowser(server).get(authorizePath({ state: 'the-state', ...fields }))
    expect(status).toBe(303)
    expect(`${location?.origin}${location?.pathname}`).toBe(WEB)
    expect(
      Object.fromEntries(location?.search ? location.searchParams : new URLSearchParams(location?.hash.slice(1)))
    ).toMatchObject({
      error,
      state: 'the-state',
      iss: `${server.url}/`
    })
  })

  const shown: [string, Fields, string][] = [
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['no client', { client_id: '' }, 'invalid_request'],
    ['a client without sign-in', { client_id: 'robot' }, 'invalid_redirect_uri'],
    ['no address to go back to', { redirect_uri: '' }, 'invalid_request'],
    ['another address', { redirect_uri: 'https://evil.example.com/callback' }, 'invalid_redirect_uri'],
    ['a longer address', { redirect_uri: `${WEB}/more` }, 'invalid_redirect_uri'],
    ['an address with a query', { redirect_uri: `${WEB}?next=https://evil.example.com` }, 'invalid_redirect_uri'],
    ['an address in other letters', { redirect_uri: WEB.replace('app', 'APP') }, 'invalid_redirect_uri'],
    [
      'another port of a client with a secret',
      { redirect_uri: 'http://localhost:3001/callback' },
      'invalid_redirect_uri'
    ],
    [
      'another path on this computer',
      { client_id: 'cli', redirect_uri: 'http://127.0.0.1:5000/evil' },
      'invalid_redirect_uri'
    ],
    ['another computer', { client_id: 'cli', redirect_uri: 'http://127.0.0.2:5000/callback' }, 'invalid_redirect_uri']
  ]
  it.each(shown)('shows an error page without a redirect for %s', async (_, fields, error) => {
    const program = await send(server, { path: authorizePath(fields) })
    expect(program.body).toMatchObject({ error })
    expect([program.status, program.headers.location]).toEqual([400, undefined])
    const person = await openBrowser(server).get(authorizePath(fields))
    expect([person.status, person.location]).toEqual([400, undefined])
    expect(person.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('accepts audience and resource, with and without the trailing slash', async () => {
    for (const fields of [
      { audience: server.url },
      { resource: server.url },
      { audience: `${server.url}/`, resource: server.url }
    ]) {
      expect(decodeJwt((await tokensFor(fields)).access_token).aud).toBe(`${server.url}/`)
    }
  })

  it('accepts its parameters as a form, and sends the browser on with them (OpenID Connect Core §3.1.2.1)', async () => {
    const query = new URL(authorizePath({ state: 'a b', utm_source: 'mail' }), server.url).searchParams
    for (const path of ['/oauth/authorize', '/authorize']) {
      const { status, headers } = await ask(path, Object.fromEntries(query))
      const target = new URL(headers.location ?? '', `${server.url}${path}`)
      expect([status, target.origin, target.pathname]).toEqual([303, server.url, path])
      query.delete('utm_source')
      expect(Object.fromEntries(target.searchParams)).toEqual(Object.fromEntries(query))
      const returned = await signIn(`${target.pathname}${target.search}`, openBrowser(server))
      expect(returned.searchParams.get('state')).toBe('a b')
      expect(returned.searchParams.get('code')).toMatch(/./)
    }
    expect((await ask('/oauth/authorize', { state: 'x'.repeat(4096) })).status).toBe(413)
    const json = { method: 'POST', path: '/oauth/authorize', headers: { 'content-type': 'application/json' } }
    expect((await send(server, { ...json, body: '{}' })).status).toBe(415)
  })

  it('resumes only in the browser that began it', async () => {
    const { headers } = await send(server, { path: authorizePath() })
    const [, uid = ''] = /\/oauth\/interactions\/([\w-]+)$/.exec(headers.location ?? '') ?? []
    expect((await send(server, { path: `/oauth/authorize/${uid}` })).status).toBe(400)
  })

  it('never redirects to the host that a request names', async () => {
    const headers = { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' }
    const answer = await send(server, { path: authorizePath(), headers })
    expect(answer.headers.location).toMatch(/^\/oauth\/interactions\/[\w-]+$/)
    expect(JSON.stringify([answer.headers, answer.body])).not.toContain('evil')
    const elsewhere = await send(server, { path: `http://evil.example.com${authorizePath()}` })
    expect(JSON.stringify([elsewhere.headers, elsewhere.body])).not.toContain('evil')
  })
})

describe('an authorization code', () => {
  const wrong: [string, Fields, number, string][] = [
    ['another verifier', { code_verifier: `${VERIFIER}x` }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 400, 'invalid_grant'],
    ['the challenge', { code_verifier: pkceParameters.code_challenge }, 400, 'invalid_grant'],
    ['another address', { redirect_uri: 'http://localhost:3000/callback' }, 400, 'invalid_grant'],
    ['no address', { redirect_uri: '' }, 400, 'invalid_request'],
    ['another client', { client_id: 'cli', client_secret: '' }, 400, 'invalid_grant'],
    ['no secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another API', { audience: 'https://api.example.com' }, 403, 'access_denied']
  ]
  it.each(wrong)('is refused with %s', async (_, fields, status, error) => {
    expectRefusal(await exchange(await codeFor(), fields), status, error)
  })

  it('is valid once; a second use revokes its tokens', async () => {
    const code = await codeFor()
    const { body } = await exchange(code)
    expectRefusal(await exchange(code), 400, 'invalid_grant')
    expectRefusal(await refresh(body.refresh_token), 400, 'invalid_grant')
  })

  it('is valid once for concurrent requests; its tokens then cannot be refreshed', async () => {
    const code = await codeFor()
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)))
    const granted = answers.filter(({ status }) => status === 200)
    expect(granted.length).toBeLessThanOrEqual(1)
    for (const { body } of granted) expectRefusal(await refresh(body.refresh_token), 400, 'invalid_grant')
  })

  it('expires after a minute', async () => {
    const at = await serve(await accounts())
    const code = await codeFor({}, at)
    at.clock.now = () => NOW + 60_000
    expectRefusal(await exchange(code, {}, at), 400, 'invalid_grant')
  })
})

describe('a refresh token', () => {
  it('is replaced by each use, and a second use revokes the whole grant', async () => {
    const { refresh_token: first } = await tokensFor()
    const { refresh_token: second } = (await refresh(first)).body
    const { refresh_token: third } = (await refresh(second)).body
    expect(new Set([first, second, third]).size).toBe(3)
    expectRefusal(await refresh(first), 400, 'invalid_grant')
    expectRefusal(await refresh(third), 400, 'invalid_grant')
  })

  it('is used once by concurrent requests', async () => {
    const { refresh_token } = await tokensFor()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(refresh_token)))
    const granted = answers.filter(({ status }) => status === 200)
    expect(granted.length).toBeLessThanOrEqual(1)
    for (const { body } of granted) expectRefusal(await refresh(body.refresh_token), 400, 'invalid_grant')
  })

  it('is not consumed by a refused request', async () => {
    const { refresh_token } = await tokensFor()
    expectRefusal(await refresh(refresh_token, { audience: 'https://api.example.com' }), 403, 'access_denied')
    expectRefusal(await refresh(refresh_token, { client_id: 'cli', client_secret: '' }), 400, 'invalid_grant')
    expectRefusal(await refresh(refresh_token, { client_secret: 'wrong' }), 401, 'invalid_client')
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('expires after 30 days, and the grant after 90', async () => {
    const at = await serve(await accounts())
    const DAY = 86_400_000
    let { refresh_token } = await tokensFor({}, at)
    for (const day of [29, 58, 87]) {
      at.clock.now = () => NOW + day * DAY
      const { status, body } = await refresh(refresh_token, {}, at)
      expect(status).toBe(200)
      refresh_token = body.refresh_token
    }
    at.clock.now = () => NOW + 90 * DAY
    expectRefusal(await refresh(refresh_token, {}, at), 400, 'invalid_grant')
  })

  it('is refused for a disabled user, and after the user was signed out', async () => {
    for (const change of [{ isDisabled: true }, { signedOutAt: new Date(NOW + 1_000).toISOString() }]) {
      const directory = await accounts()
      const first = await serve(directory)
      const { refresh_token } = await tokensFor({}, first)
      const code = await codeFor({}, first)
      await first.close()
      const store = await openStore(toStoreUrl(directory))
      const users = store.collection('users')
      const { _id = '' } = (await users.get({ email: 'ada@example.com' })) ?? {}
      await users.update(_id, change)
      await store.close()
      const second = await serve(directory, {}, NOW + 2_000)
      expectRefusal(await refresh(refresh_token, {}, second), 400, 'invalid_grant')
      expectRefusal(await exchange(code, {}, second), 400, 'invalid_grant')
    }
  })

  it('works after a restart', async () => {
    const first = await serve(await accounts())
    const { refresh_token } = await tokensFor({}, first)
    await first.close()
    const second = await serve(first.directory, { publicUrl: first.url })
    expect((await refresh(refresh_token, {}, second)).status).toBe(200)
  })

  it('can be revoked by its own client only', async () => {
    const { refresh_token, access_token } = await tokensFor()
    expect((await ask('/oauth/revoke', { client_id: 'cli', token: refresh_token })).status).toBe(200)
    expect((await refresh(refresh_token)).status).toBe(200)
    const { refresh_token: mine } = await tokensFor()
    expect((await ask('/oauth/revoke', { ...secret, token: mine })).status).toBe(200)
    expectRefusal(await refresh(mine), 400, 'invalid_grant')
    expect((await ask('/oauth/revoke', { ...secret, token: 'nonsense' })).status).toBe(200)
    expectRefusal(await ask('/oauth/revoke', { ...secret, client_secret: 'wrong', token: mine }), 401, 'invalid_client')
    expect((await ask('/oauth/revoke', { ...secret, token: access_token })).status).toBe(200)
    expect((await use(access_token)).status).toBe(401)
  })
})

describe('a browser session', () => {
  it('ends when its user is disabled or signed out', async () => {
    const at = await serve(await accounts())
    const browser = openBrowser(at)
    await signIn(authorizePath(), browser)
    expect((await browser.get(authorizePath())).location?.searchParams.get('code')).toBeTruthy()
    const { body } = await call(at, 'listUsers')
    const { _id: userId } = body.find(({ email }: { email: string }) => email === 'ada@example.com')
    at.clock.now = () => NOW + 2_000
    for (const isDisabled of [true, false]) {
      const { status } = await call(at, 'updateUser', { params: { user: userId }, body: { isDisabled } })
      expect(status).toBe(200)
      const page = await browser.get(authorizePath())
      expect([page.status, textOf(String(/<h1>(.*?)<\/h1>/.exec(page.body)?.[1]))]).toEqual([200, 'Sign in'])
    }
  })

  it('requires consent once for a confidential client, and each time for a public one', async () => {
    const browser = openBrowser(server)
    await signIn(authorizePath(), browser)
    expect((await browser.get(authorizePath())).location?.searchParams.get('code')).toBeTruthy()
    const native = authorizePath({ client_id: 'cli', redirect_uri: 'http://127.0.0.1:7000/callback' })
    await signIn(native, browser)
    expect((await browser.get(native)).location).toBeUndefined()
  })

  it('uses __Host- cookies over https', async () => {
    const at = await serve(await accounts(), { publicUrl: 'https://flags.example.com' })
    const lines: string[] = []
    let path = authorizePath()
    const jar = new Map<string, string>()
    const go = async (to: string, body?: string): Promise<ApiResponse> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await send(at, {
        method: body === undefined ? 'GET' : 'POST',
        path: to,
        headers: {
          cookie,
          accept: 'text/html',
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' })
        },
        ...(body === undefined ? {} : { body })
      })
      for (const line of answer.headers['set-cookie'] ?? []) {
        lines.push(line)
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
        jar.set(name, value)
      }
      return answer
    }
    const { headers } = await go(path)
    path = headers.location ?? ''
    const page = await go(path)
    const [, csrf = ''] =
      /action="[^"]*\/login">\s*<input type="hidden" name="csrf" value="([^"]*)"/.exec(page.body) ?? []
    const done = await go(
      `${path}/login`,
      new URLSearchParams({ csrf, email: 'ada@example.com', password: PASSWORD }).toString()
    )
    expect(done.headers.location).toMatch(/^https:\/\/flags\.example\.com\/oauth\/authorize\/[\w-]+$/)
    await go(new URL(done.headers.location ?? '').pathname)
    expect([...jar.keys()].filter((name) => !name.endsWith('.sig')).sort()).toEqual([
      '__Host-burgee',
      '__Secure-burgee-device',
      '__Secure-burgee-resume',
      '__Secure-burgee-sign-in'
    ])
    for (const line of lines) {
      expect(line.toLowerCase()).toMatch(/; secure/)
      expect(line.toLowerCase()).toMatch(/; httponly/)
      expect(line.toLowerCase()).toMatch(/; samesite=lax/)
      if (line.startsWith('__Host-')) expect(line).toMatch(/; path=\/;/)
      expect(line.toLowerCase()).not.toContain('domain=')
    }
  })

  it('uses plain cookies over http', async () => {
    const browser = openBrowser(server)
    await signIn(authorizePath(), browser)
    expect(browser.cookies().filter((name) => name.startsWith('__'))).toEqual([])
    expect(browser.cookies()).toContain('burgee')
  })

  it('refuses a forged cookie', async () => {
    const signedIn = openBrowser(server)
    await signIn(authorizePath(), signedIn)
    const forged = openBrowser(server)
    forged.setCookie('burgee=some-session-of-somebody; path=/')
    forged.setCookie(`burgee.sig=${'A'.repeat(27)}; path=/`)
    expect(textOf(String((await forged.get(authorizePath())).body))).toContain('Sign in')
  })
})

it('the data directory contains no usable codes, tokens or cookies', async () => {
  const at = await serve(await accounts())
  const browser = openBrowser(at)
  const seen: string[] = []
  const { headers } = await send(at, { path: authorizePath() })
  seen.push(headers.location?.split('/').at(-1) ?? '')
  for (const line of headers['set-cookie'] ?? []) seen.push(/=([^;]*)/.exec(line)?.[1] ?? '')
  const unused = await signIn(authorizePath({ scope: 'openid' }), browser)
  seen.push(unused.searchParams.get('code') ?? '')
  seen.push(...browser.values().filter(Boolean))
  const tokens = (await exchange((await browser.get(authorizePath())).location?.searchParams.get('code') ?? '', {}, at))
    .body
  const refreshed = (await refresh(tokens.refresh_token, {}, at)).body
  seen.push(tokens.refresh_token, refreshed.refresh_token, refreshed.access_token, PASSWORD, SECRET)
  expect(seen.every((text) => text.length > 10)).toBe(true)
  const whole = await storedText(at.directory)
  // The search itself works: it finds another member of the same records.
  expect(whole).toContain('RefreshToken')
  for (const text of seen) expect(whole.includes(text), text).toBe(false)
  for (const text of seen) expect(at.logs.join('').includes(text), text).toBe(false)
})

it('the server deletes expired records at the start', async () => {
  const directory = await accounts()
  const first = await serve(directory)
  await tokensFor({}, first)
  await first.close()
  const count = async () => {
    const store = await openStore(toStoreUrl(directory))
    const { items } = await store.collection('authorizations').list()
    await store.close()
    return items.map(({ model }) => model).sort()
  }
  expect(await count()).toEqual(expect.arrayContaining(['Grant', 'RefreshToken', 'Session']))
  await (await serve(directory, {}, NOW + 31 * 86_400_000)).close()
  expect(await count()).toEqual(['Grant'])
})

describe('guessed secrets', () => {
  const guess = (at: TestServer, fields: Fields = {}, localAddress?: string) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...secret, ...fields }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return send(at, { method: 'POST', path: '/oauth/token', headers, body, ...(localAddress ? { localAddress } : {}) })
  }

  it('are refused after ten failures for that address and client', async () => {
    const at = await serve(await accounts(await hasher.hash(SECRET)))
    for (let count = 0; count < 10; count++) {
      expectRefusal(await guess(at, { client_secret: `wrong-${count}` }), 401, 'invalid_client')
    }
    for (const fields of [{ client_secret: 'wrong' }, {}]) {
      const answer = await guess(at, fields)
      expectRefusal(answer, 429, 'temporarily_unavailable')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(JSON.stringify(answer.body)).not.toContain(SECRET)
    }
    const header = { authorization: `Basic ${Buffer.from(`web:${SECRET}`).toString('base64')}` }
    expectRefusal(
      await ask('/oauth/token', { grant_type: 'client_credentials' }, at, header),
      429,
      'temporarily_unavailable'
    )
    expect((await guess(at, { client_id: 'robot' })).status).toBe(200)
    expect((await guess(at, {}, '127.0.0.2')).status).toBe(200)
  })

  it('are limited for concurrent requests and for unknown clients too', async () => {
    const at = await serve(await accounts(await hasher.hash(SECRET)))
    for (const client_id of ['web', 'nobody']) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, count) => guess(at, { client_id, client_secret: `wrong-${count}` }))
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    }
  })

  it('do not reset the limit by requests without a valid secret', async () => {
    const at = await serve(await accounts(await hasher.hash(SECRET)))
    for (let count = 0; count < 10; count++) {
      await guess(at, { client_secret: 'wrong' })
      await guess(at, { grant_type: 'nonsense', client_secret: '' })
      await ask('/oauth/token', { grant_type: 'refresh_token', client_id: 'cli', refresh_token: 'x' }, at)
    }
    expect((await guess(at)).status).toBe(429)
  })
})

it('the server logs no unexpected errors', () => {
  expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

it('the server prints nothing outside of its log', () => {
  expect(prints.flatMap(({ mock }) => mock.calls)).toEqual([])
})
