import { permissions } from '@burgee/contract'
import { addAccounts } from '@burgee/testing/browser'
import { type ApiResponse, call, hasher, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { signingKeyOf } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { storedText } from '@burgee/testing/storedData'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { listToolServerUrls, toProtectedResources } from '../../src/identity/oauth/protectedResources.ts'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'

const SECRET = 'a-secret-of-many-characters'
const TOOLS = 'https://tools.example.com/mcp'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const ADA = `burgee|${idOf('ada@example.com')}`
const OTHER_TOOLS = 'https://other.example.com/mcp'
const settings = {
  toolServers: [
    { clientId: 'tools', address: TOOLS },
    { clientId: 'others', address: OTHER_TOOLS }
  ],
  publicUrl: 'https://flags.example.com'
}
const API = `${settings.publicUrl}/`

let server: TestServer

beforeAll(async () => {
  server = await serve(await accounts(), settings)
})

/** A store in which Ada uses `app`, and the tools have a confidential client. */
async function accounts(secretVerifier = hashRandomSecret(SECRET)): Promise<string> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada' }],
    clients: [
      { clientId: 'tools', name: 'Tools', redirectUris: [], secretVerifier },
      { clientId: 'others', name: 'Others', redirectUris: [], secretVerifier },
      { clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier }
    ]
  })
  return directory
}

/** A token as the server issues it to an application of Ada, with these changes. */
async function subjectToken(claims: JWTPayload = {}, at = server): Promise<string> {
  const key = await signingKeyOf(at)
  const seconds = NOW / 1000
  const whole = {
    iss: API,
    aud: TOOLS,
    sub: ADA,
    azp: 'app',
    client_id: 'app',
    iat: seconds,
    iat_ms: NOW,
    exp: seconds + 3600,
    jti: 'a token of the tests',
    scope: 'everything',
    org_id: 'org_test',
    permissions: [...permissions],
    ...claims
  }
  return new SignJWT(whole).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid }).sign(key)
}

type Fields = Readonly<Record<string, string>>

function ask(fields: Fields, at = server, headers: Fields = {}, localAddress = '127.0.0.1'): Promise<ApiResponse> {
  const present = Object.entries(fields).filter(([, value]) => value !== '')
  return send(at, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(present).toString(),
    localAddress
  })
}

const tools = { client_id: 'tools', client_secret: SECRET }

function exchange(subject_token: string, fields: Fields = {}, at = server, headers: Fields = {}): Promise<ApiResponse> {
  const sound = { grant_type: EXCHANGE, ...tools, subject_token, subject_token_type: ACCESS_TOKEN }
  return ask({ ...sound, ...fields }, at, headers)
}

async function exchanged(claims: JWTPayload = {}, fields: Fields = {}, at = server): Promise<string> {
  const { status, body } = await exchange(await subjectToken(claims, at), fields, at)
  expect([status, body.error_description]).toEqual([200, undefined])
  return body.access_token
}

function expectRefusal(
  { status, headers, body }: ApiResponse,
  expected: number,
  error: string,
  description?: RegExp
): void {
  expect(body).toMatchObject({ error, error_description: expect.stringMatching(description ?? /./) })
  expect(status).toBe(expected)
  expect(headers['cache-control']).toBe('no-store')
}

function use(token: string, at = server): Promise<ApiResponse> {
  return send(at, { path: '/v1/organizations', headers: { authorization: `Bearer ${token}` } })
}

describe('an exchanged token', () => {
  it('has the same subject and client, is for the API for five minutes, and names the exchanger as actor', async () => {
    const { status, body, headers } = await exchange(await subjectToken())
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'everything'
    })
    expect(decodeProtectedHeader(body.access_token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) })
    expect(decodeJwt(body.access_token)).toEqual({
      iss: API,
      aud: API,
      sub: ADA,
      azp: 'app',
      client_id: 'app',
      iat: NOW / 1000,
      iat_ms: NOW,
      generations: expect.any(Object),
      exp: NOW / 1000 + 300,
      jti: expect.not.stringContaining('tests'),
      subject_jti: [expect.stringContaining('tests')],
      scope: 'everything',
      org_id: 'org_test',
      permissions: [...permissions],
      act: { sub: 'tools@clients' }
    })
    expect((await use(body.access_token)).status).toBe(200)
  })

  it('acts for the user through their client', async () => {
    const body = { key: 'by-tools', name: 'By tools' }
    const answer = await call(server, 'createProject', { key: await exchanged(), body })
    expect(answer.status).toBe(201)
    const { body: entries } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(entries[0]).toMatchObject({ idp_user: ADA, clientId: 'app', actor: 'person' })
  })

  it('is granted to JSON and to an id and secret in the header as well', async () => {
    const authorization = `Basic ${Buffer.from(`tools:${SECRET}`).toString('base64')}`
    const basic = await exchange(await subjectToken(), { client_id: '', client_secret: '' }, server, { authorization })
    expect(basic.status).toBe(200)
    const asJson = await send(server, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: EXCHANGE,
        ...tools,
        subject_token: await subjectToken(),
        subject_token_type: ACCESS_TOKEN,
        requested_token_type: ACCESS_TOKEN,
        audience: API
      })
    })
    expect(asJson.status).toBe(200)
  })

  it('can belong to a client that acts for itself', async () => {
    const granted = await ask({
      grant_type: 'client_credentials',
      client_id: 'robot',
      client_secret: SECRET,
      resource: TOOLS
    })
    const { body } = await exchange(granted.body.access_token)
    expect(body).not.toHaveProperty('scope')
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: 'robot@clients', azp: 'robot', permissions })
    expect((await use(body.access_token)).status).toBe(200)
  })

  it('expires no later than its subject token', async () => {
    const seconds = NOW / 1000
    const { body } = await exchange(await subjectToken({ exp: seconds + 60 }))
    expect([body.expires_in, decodeJwt(body.access_token).exp]).toEqual([60, seconds + 60])
  })

  const narrowings: [string, JWTPayload, string, string, readonly string[]][] = [
    ['everything, of which a part is asked for', {}, 'feature:read', 'feature:read', ['feature:read']],
    ['everything, and no less is asked for', {}, 'everything', 'everything', permissions],
    [
      'a part',
      { scope: 'openid feature:read project:read', permissions: ['feature:read', 'project:read'] },
      '',
      'openid feature:read project:read',
      ['project:read', 'feature:read']
    ],
    [
      'a part, of which a part is asked for',
      { scope: 'openid feature:read project:read', permissions: ['feature:read', 'project:read'] },
      'openid feature:read',
      'openid feature:read',
      ['feature:read']
    ],
    // Permissions that the role or the client lacked when it was issued.
    ['fewer permissions than its scope', { permissions: ['project:read'] }, '', 'everything', ['project:read']]
  ]
  it.each(narrowings)('is limited to: %s', async (_, claims, scope, granted, allowed) => {
    const { body } = await exchange(await subjectToken(claims), { scope })
    expect(body.scope).toBe(granted)
    expect(decodeJwt(body.access_token)).toMatchObject({ scope: granted, permissions: allowed })
    const { status } = await call(server, 'createProject', { key: body.access_token, body: { key: 'x', name: '' } })
    expect(status).toBe(allowed.includes('project:write') ? 400 : 403)
  })

  it('cannot be exchanged again', async () => {
    expectRefusal(await exchange(await exchanged()), 400, 'invalid_request', /it should be https:\/\/tools/)
  })
})

describe('an exchange is refused', () => {
  const asked: [string, Fields, number, string, RegExp][] = [
    ['no token', { subject_token: '' }, 400, 'invalid_request', /^subject_token is missing$/],
    [
      'no token at all',
      { subject_token: 'nonsense' },
      400,
      'invalid_request',
      /^subject_token: the token is not valid/
    ],
    ['no type', { subject_token_type: '' }, 400, 'invalid_request', /^subject_token_type should be urn.*got nothing$/],
    [
      'another type',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      400,
      'invalid_request',
      /^subject_token_type should be/
    ],
    [
      'the wish for a refresh token',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      400,
      'invalid_request',
      /^requested_token_type should be/
    ],
    ['an actor', { actor_token: 'x', actor_token_type: ACCESS_TOKEN }, 400, 'invalid_request', /^actor_token is not/],
    ['the tools as target', { resource: TOOLS }, 400, 'invalid_target', /^resource should be https:\/\/flags/],
    ['another target', { resource: 'https://api.example.com' }, 400, 'invalid_target', /got "https:\/\/api/],
    ['another audience', { audience: 'nonsense' }, 400, 'invalid_target', /got "nonsense"/],
    ['an unknown scope', { scope: 'feature:raed' }, 400, 'invalid_scope', /not known/],
    ['no secret', { client_secret: '' }, 401, 'invalid_client', /./],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client', /./],
    ['a client that there is not', { client_id: 'nobody' }, 401, 'invalid_client', /./],
    ['a public client', { client_id: 'app', client_secret: '' }, 400, 'invalid_request', /not allowed for this client/],
    [
      'a client of no tool server',
      { client_id: 'robot' },
      400,
      'unauthorized_client',
      /client "robot" cannot exchange tokens/
    ],
    ['the client of another tool server', { client_id: 'others' }, 400, 'invalid_request', /should be https:\/\/other/]
  ]
  it.each(asked)('with %s', async (_, fields, status, error, description) => {
    expectRefusal(await exchange(await subjectToken(), fields), status, error, description)
  })

  const tokens: [string, JWTPayload, Fields, string, RegExp][] = [
    ['for the API', { aud: API }, {}, 'invalid_request', /unexpected "aud"/],
    ['for another tool server', { aud: OTHER_TOOLS }, {}, 'invalid_request', /it should be https:\/\/tools/],
    ['for the tools of this server', { aud: `${API}mcp` }, {}, 'invalid_request', /unexpected "aud"/],
    ['for no audience', { aud: 'app' }, {}, 'invalid_request', /unexpected "aud"/],
    ['of another issuer', { iss: 'https://evil.example.com/' }, {}, 'invalid_request', /it should be https:\/\/flags/],
    ['that has expired', { exp: NOW / 1000 }, {}, 'invalid_request', /^subject_token: jwt expired$/],
    ['of a later time', { iat: NOW / 1000 + 60 }, {}, 'invalid_request', /iat is in the future/],
    ['of nobody', { sub: 'burgee|nobody' }, {}, 'invalid_request', /holder no longer exists/],
    ['of an unknown client', { azp: 'nobody' }, {}, 'invalid_request', /client no longer exists/],
    [
      'with another scope',
      { scope: 'feature:read' },
      { scope: 'feature:write' },
      'invalid_scope',
      /does not have this/
    ],
    ['with a smaller scope', { scope: 'feature:read' }, { scope: 'everything' }, 'invalid_scope', /does not have this/],
    ['not about the person', {}, { scope: 'openid everything' }, 'invalid_scope', /does not have this/]
  ]
  it.each(tokens)('for a token %s', async (_, claims, fields, error, description) => {
    const token = await subjectToken(claims)
    const answer = await exchange(token, fields)
    expectRefusal(answer, 400, error, description)
    expect(JSON.stringify(answer.body)).not.toContain(token.slice(0, 40))
  })

  it('for a token that is not an access token, or has another signature', async () => {
    const key = await signingKeyOf(server)
    const claims = decodeJwt(await subjectToken())
    for (const typ of ['JWT', 'burgee-stream+jwt']) {
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ, kid: key.kid }).sign(key)
      expectRefusal(await exchange(token), 400, 'invalid_request', /"typ"/)
    }
    const [head, body] = (await subjectToken()).split('.')
    expectRefusal(await exchange(`${head}.${body}.AAAA`), 400, 'invalid_request', /signature/)
  })

  it('after ten wrong secrets, even with the right one', async () => {
    const at = await serve(await accounts(await hasher.hash(SECRET)), settings)
    const token = await subjectToken({}, at)
    for (let count = 0; count < 10; count++) {
      expectRefusal(await exchange(token, { client_secret: `wrong-${count}` }, at), 401, 'invalid_client')
    }
    const answer = await exchange(token, {}, at)
    expectRefusal(answer, 429, 'temporarily_unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('without tool servers, and then the metadata omits it', async () => {
    const plain = await serve(await accounts(), { publicUrl: settings.publicUrl, mcp: true })
    expectRefusal(await exchange(await subjectToken({}, plain), {}, plain), 400, 'unsupported_grant_type')
    const grantsOf = async (at: TestServer) => {
      const { body } = await send(at, { path: '/.well-known/oauth-authorization-server' })
      return body.grant_types_supported
    }
    expect(await grantsOf(plain)).not.toContain(EXCHANGE)
    expect(await grantsOf(server)).toContain(EXCHANGE)
  })
})

describe('an exchanged token ends', () => {
  const app = { client: 'app' }
  const tools = { client: 'tools' }
  const changes: [string, Parameters<typeof call>[1], Parameters<typeof call>[2], RegExp][] = [
    ['when its person is signed out', 'resetPassword', { params: { user: ADA } }, /holder was signed out/],
    ['when its person is disabled', 'updateUser', { params: { user: ADA }, body: { isDisabled: true } }, /is disabled/],
    [
      'when its client is changed',
      'updateApiClient',
      { params: app, body: { permissions: ['feature:read'] } },
      /client was changed/
    ],
    ['when its client is gone', 'deleteApiClient', { params: app }, /client no longer exists/],
    ['when another secret is given to who exchanged it', 'rotateApiClientSecret', { params: tools }, /was replaced/],
    ['when who exchanged it is gone', 'deleteApiClient', { params: tools }, /client no longer exists/]
  ]
  it.each(changes)('%s', async (_, operation, given, reason) => {
    const at = await serve(await accounts(), settings)
    const subject = await subjectToken({}, at)
    const { body } = await exchange(subject, {}, at)
    expect((await use(body.access_token, at)).status).toBe(200)
    await call(at, 'createUser', { body: { email: 'keeper@example.com', name: 'Keeper' } })
    at.clock.now = () => NOW + 1
    expect((await call(at, operation, given)).status).toBeLessThan(300)
    const answer = await use(body.access_token, at)
    expect([answer.status, answer.body.message]).toEqual([401, expect.stringMatching(reason)])
    expect((await exchange(subject, {}, at)).status).toBeGreaterThanOrEqual(400)
  })

  it('when its user is signed out during the exchange', async () => {
    const at = await serve(await accounts(), settings)
    let passed = 0
    // The clock advances with each reading.
    at.clock.now = () => NOW + ++passed
    const token = await exchanged({}, {}, at)
    const { iat_ms } = decodeJwt(token)
    const moment = Number(iat_ms) + 1
    expect(moment).toBeLessThan(NOW + passed)
    at.clock.now = () => moment
    await call(at, 'resetPassword', { params: { user: ADA } })
    expect((await use(token, at)).body.message).toMatch(/holder was signed out/)
  })

  it('after five minutes', async () => {
    const at = await serve(await accounts(), settings)
    const token = await exchanged({}, {}, at)
    at.clock.now = () => NOW + 299_999
    expect((await use(token, at)).status).toBe(200)
    at.clock.now = () => NOW + 300_000
    expect((await use(token, at)).body.message).toBe('jwt expired')
  })
})

it('no usable token is stored in files or logs', async () => {
  const at = await serve(await accounts(), settings)
  const subject = await subjectToken({}, at)
  const { body } = await exchange(subject, {}, at)
  const kept = `${await storedText(at.directory)} ${at.logs.join('')}`
  for (const token of [subject, body.access_token]) expect(kept).not.toContain(token.split('.')[2])
  expect([...server.logs, ...at.logs].filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

it('the server issues no tool server tokens for its own URLs, regardless of the setting', () => {
  const addresses = ['https://flags.example/', 'https://flags.example/mcp', 'https://tools.example/mcp']
  const toolServers = addresses.map((address) => ({ clientId: 'tools', address }))
  const resources = toProtectedResources('https://flags.example', { mcp: true, toolServers })
  expect(listToolServerUrls({ clientId: 'tools' }, resources)).toEqual(['https://tools.example/mcp'])
})
