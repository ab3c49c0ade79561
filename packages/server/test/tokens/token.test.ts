import { createHash, createHmac, createPublicKey } from 'node:crypto'
import { Agent, request } from 'node:http'
import { permissions } from '@burgee/contract'
import {
  type ApiResponse,
  hasher,
  type RawRequest,
  send,
  serve,
  storeWith,
  type TestServer
} from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { storedData, storedText } from '@burgee/testing/storedData'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { listPermissions } from '../../src/access/permissions/access.ts'
import { parseOptions } from '../../src/cli/options.ts'
import { ensureAdministrator, formatAdministratorCredentials } from '../../src/identity/clients/ensureAdministrator.ts'
import { openSigningKeys } from '../../src/identity/keys/signingKeys.ts'
import { createAccessTokenVerifier } from '../../src/identity/tokens/accessTokenVerifier.ts'
import { OptionError } from '../../src/lib/errors.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const client = { client_id: 'ops', client_secret: 'a secret of many characters'.replaceAll(' ', '-') }
const administrator = { adminClientId: client.client_id, adminClientSecret: client.client_secret }
const generated = { adminClientId: '', adminClientSecret: '' }
const sound = { grant_type: 'client_credentials', ...client }
const form = 'application/x-www-form-urlencoded'

let server: TestServer

beforeAll(async () => {
  server = await serve({}, administrator)
})

type Fields = Readonly<Record<string, string>>

/** Asks for a token with a form. */
function ask(fields: Fields | string = sound, headers: RawRequest['headers'] = {}, at = server): Promise<ApiResponse> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return send(at, { method: 'POST', path: '/oauth/token', headers: { 'content-type': form, ...headers }, body })
}

/** Asks for a token with JSON. */
function askJson(body: unknown, at = server): Promise<ApiResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return ask(text, { 'content-type': 'application/json' }, at)
}

async function tokenOf(at = server): Promise<string> {
  const { status, body } = await ask(sound, {}, at)
  expect(status).toBe(200)
  return body.access_token
}

/** Lists organizations, which requires a token and nothing else. */
function use(authorization: string, at = server): Promise<ApiResponse> {
  return send(at, { path: '/v1/organizations', headers: { authorization } })
}

/** Returns a text with a shortened form for the test title. */
function shortened(text: string): [title: string, text: string] {
  return [text.slice(0, 30), text]
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

function partOf(token: string, index: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())
}

/** Expects an OAuth error without the secret or internal details. */
function expectRefusal({ status, headers, body }: ApiResponse, expected: number, error: string): void {
  expect(body).toEqual({ error, error_description: expect.any(String) })
  expect(status).toBe(expected)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['cache-control']).toBe('no-store')
  if (status === 413) expect(headers).toMatchObject({ 'retry-after': '3600', 'retry-later': expect.any(String) })
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.[jt]s:\d+|\bat \w+ \(/)
  expect(JSON.stringify(body)).not.toContain(client.client_secret)
}

describe('a token', () => {
  it('is granted to a form, to JSON, and to an id and secret in the Authorization header', async () => {
    const { client_id, client_secret, ...rest } = sound
    const answers = [
      await ask(),
      await askJson(sound),
      await ask(rest, { authorization: basic(client_id, client_secret) }),
      await ask({ ...rest, client_id }, { authorization: basic(client_id, client_secret) })
    ]
    for (const { status, headers, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual({ access_token: expect.any(String), expires_in: 86_400, token_type: 'Bearer' })
      expect(headers['cache-control']).toBe('no-store')
      expect((await use(body.access_token)).status).toBe(200)
    }
  })

  it('is a signed JWT with subject, permissions and expiry', async () => {
    const token = await tokenOf()
    const { body: keySet } = await send(server, { path: '/oauth/jwks' })
    expect(partOf(token, 0)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: keySet.keys[0].kid })
    const seconds = Math.floor(NOW / 1000)
    expect(partOf(token, 1)).toEqual({
      iss: `${server.url}/`,
      aud: `${server.url}/`,
      sub: 'ops@clients',
      azp: 'ops',
      client_id: 'ops',
      iat: seconds,
      iat_ms: NOW,
      generations: expect.any(Object),
      exp: seconds + 86_400,
      jti: expect.any(String),
      org_id: 'org_test',
      permissions: [...permissions]
    })
    await expect(jwtVerify(token, createLocalJWKSet(keySet), { currentDate: new Date(NOW) })).resolves.toBeDefined()
  })

  it('is accepted by the management API with and without Bearer', async () => {
    const token = await tokenOf()
    for (const authorization of [token, `Bearer ${token}`, `bearer  ${token}`]) {
      expect((await use(authorization)).status).toBe(200)
    }
  })

  it('names the public URL, regardless of the listening address', async () => {
    for (const publicUrl of ['https://flags.example.com', 'https://flags.example.com/', 'https://example.com/flags']) {
      const elsewhere = await serve({}, { ...administrator, publicUrl })
      const url = publicUrl.replace(/\/$/, '')
      const { status, body } = await ask({ ...sound, audience: url }, {}, elsewhere)
      expect(status).toBe(200)
      expect(partOf(body.access_token, 1)).toMatchObject({ iss: `${url}/`, aud: `${url}/` })
      expect((await use(body.access_token, elsewhere)).status).toBe(200)
    }
  })

  it('expires by the clock of the server', async () => {
    const at = await serve({}, administrator)
    const token = await tokenOf(at)
    at.clock.now = () => NOW + 86_399_000
    expect((await use(token, at)).status).toBe(200)
    at.clock.now = () => NOW + 86_400_000
    const { status, body } = await use(token, at)
    expect(status).toBe(401)
    expect(JSON.stringify(body)).toContain('jwt expired')
  })

  it('survives a restart, and later ones are signed with the same key', async () => {
    const first = await serve({}, { ...administrator, publicUrl: 'https://flags.example.com' })
    const before = await tokenOf(first)
    await first.close()
    const second = await serve(first.directory, { ...administrator, publicUrl: 'https://flags.example.com' })
    expect((await use(before, second)).status).toBe(200)
    expect(partOf(await tokenOf(second), 0)).toEqual(partOf(before, 0))
  })
})

describe('the audience', () => {
  it.each(['audience', 'resource'])('may be given as %s, with and without the trailing slash', async (name) => {
    for (const audience of [server.url, `${server.url}/`]) {
      for (const { status, body } of [
        await ask({ ...sound, [name]: audience }),
        await askJson({ ...sound, [name]: audience })
      ]) {
        expect(status).toBe(200)
        expect(partOf(body.access_token, 1).aud).toBe(`${server.url}/`)
      }
    }
  })

  it('may be omitted or empty', async () => {
    for (const given of [{}, { audience: '' }, { resource: '' }]) {
      const { body } = await ask({ ...sound, ...given })
      expect(partOf(body.access_token, 1).aud).toBe(`${server.url}/`)
    }
  })

  const others = ['https://api.example.com/', 'nonsense', '//', '/', 'urn:x', ' ', 'x'.repeat(9_000)]
  it.each(others.map(shortened))('is refused with 403 when it differs: %s', async (_, audience) => {
    expectRefusal(await ask({ ...sound, audience }), 403, 'access_denied')
  })

  it.each(['//', '/x', '#part', '?query'])('is refused with 403 when %s follows', async (suffix) => {
    expectRefusal(await ask({ ...sound, audience: server.url + suffix }), 403, 'access_denied')
  })

  it('is named in the error about a wrong one', async () => {
    const { body } = await ask({ ...sound, audience: 'https://api.example.com' })
    expect(body.error_description).toBe(`audience should be ${server.url}/, got https://api.example.com`)
  })

  it('may not be given by two parameters', async () => {
    const answer = await ask({ ...sound, audience: server.url, resource: server.url })
    expectRefusal(answer, 400, 'invalid_request')
  })

  it('is checked after the client', async () => {
    expectRefusal(await ask({ ...sound, client_secret: 'wrong', audience: 'nonsense' }), 401, 'invalid_client')
  })
})

describe('a client', () => {
  // Failed attempts count until the right secret is used.
  beforeEach(async () => {
    expect((await ask()).status).toBe(200)
  })

  const { grant_type, client_id, client_secret } = sound
  const wrong: [string, Fields, string?][] = [
    ['an unknown id', { ...sound, client_id: 'nobody' }],
    ['a name of an object', { ...sound, client_id: '__proto__' }],
    ['a wrong secret', { ...sound, client_secret: `${client_secret}x` }],
    ['a secret cut short', { ...sound, client_secret: client_secret.slice(0, -1) }],
    [
      'a hash of the secret',
      { ...sound, client_secret: createHash('sha256').update(client_secret).digest('base64url') }
    ],
    ['NUL behind the secret', { ...sound, client_secret: `${client_secret}\0` }],
    ['no secret', { grant_type, client_id }],
    ['an empty secret', { ...sound, client_secret: '' }],
    ['a wrong secret in the header', { grant_type }, basic(client_id, 'wrong')],
    ['an unknown id in the header', { grant_type }, basic('nobody', client_secret)]
  ]
  it.each(wrong)('is refused with 401 for %s', async (_, fields, authorization) => {
    expectRefusal(await ask(fields, authorization ? { authorization } : {}), 401, 'invalid_client')
  })

  it('cannot authenticate with the stored verifier of its secret', async () => {
    const text = JSON.stringify(await storedData(server.directory))
    const [verifier = ''] = /scrypt\$[\w$-]+/.exec(text) ?? []
    expect(verifier).toMatch(/^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expectRefusal(await ask({ ...sound, client_secret: verifier }), 401, 'invalid_client')
  })

  const unclear: [string, Fields, string?][] = [
    ['no id at all', { grant_type }],
    ['two ways at once', sound, basic(client_id, client_secret)],
    ['two ids', { grant_type, client_id: 'other' }, basic(client_id, client_secret)],
    ['another scheme', { grant_type }, 'Bearer x'],
    ['a header without a scheme', { grant_type }, client_secret],
    ['a header that is not Base64', { grant_type }, 'Basic ***'],
    ['a header without a colon', { grant_type }, `Basic ${Buffer.from('ops').toString('base64')}`],
    ['a header with half an escape', { grant_type }, basic('ops%', 'x')]
  ]
  it.each(unclear)('is refused with 400 for %s', async (_, fields, authorization) => {
    expectRefusal(await ask(fields, authorization ? { authorization } : {}), 400, 'invalid_request')
  })

  it.each([
    ['another scheme', 'Bearer x', '"Bearer"'],
    ['a header without a scheme', client_secret, 'another text'],
    ['a header that is not Base64', 'Basic ***', 'another text after Basic']
  ])('learns what the header should be, without its value, for %s', async (_, authorization, got) => {
    const { body } = await ask({ grant_type }, { authorization })
    const expected = 'authorization should be Basic and the Base64 of the client id, a colon and the client secret'
    expect(body.error_description).toBe(`${expected}, got ${got}`)
  })

  it('gets errors as JSON regardless of its Accept header', async () => {
    expectRefusal(await ask({ ...sound, client_secret: 'x' }, { accept: 'text/html' }), 401, 'invalid_client')
  })
})

describe('a token request', () => {
  it.each(['password', 'implicit', '__proto__', 'x'.repeat(9_000)].map(shortened))(
    'cannot use the grant %s',
    async (_, grant_type) => {
      expectRefusal(await ask({ ...sound, grant_type }), 400, 'unsupported_grant_type')
    }
  )

  it('learns the grants that exist', async () => {
    const { body } = await ask({ ...sound, grant_type: 'password' })
    expect(body.error_description).toBe(
      'grant_type should be one of authorization_code, client_credentials, refresh_token, urn:ietf:params:oauth:grant-type:device_code, got "password"'
    )
  })

  it.each(['authorization_code', 'refresh_token'])('cannot use the grant %s without users', async (grant_type) => {
    expectRefusal(await ask({ ...sound, grant_type }), 400, 'invalid_request')
  })

  const unsound: [string, string, string?][] = [
    ['no grant type', new URLSearchParams(client).toString()],
    ['nothing', ''],
    ['a parameter twice', `${new URLSearchParams(sound)}&client_id=ops`],
    ['an audience twice', `${new URLSearchParams(sound)}&audience=a&audience=a`],
    ['a parameter of no meaning twice', `${new URLSearchParams(sound)}&x=1&x=2`],
    ['JSON with a member twice', `{"client_id":"x",${JSON.stringify(sound).slice(1)}`, 'application/json'],
    ['JSON with a number', JSON.stringify({ ...sound, client_id: 1 }), 'application/json'],
    ['JSON with an object', JSON.stringify({ ...sound, audience: {} }), 'application/json'],
    ['JSON with null', JSON.stringify({ ...sound, audience: null }), 'application/json'],
    ['JSON that is a list', JSON.stringify([sound]), 'application/json'],
    ['JSON that is null', 'null', 'application/json'],
    ['JSON that is cut short', JSON.stringify(sound).slice(0, -1), 'application/json'],
    ['JSON that nests deep', '['.repeat(8_000), 'application/json'],
    ['an empty body of JSON', '', 'application/json']
  ]
  it.each(unsound)('is refused with 400 for %s', async (_, body, type = form) => {
    expectRefusal(await ask(body, { 'content-type': type }), 400, 'invalid_request')
  })

  it('is refused with 400 when it is not UTF-8', async () => {
    const body = Buffer.from([...Buffer.from(`${new URLSearchParams(sound)}&x=`), 0xff])
    const sent = { method: 'POST', path: '/oauth/token', headers: { 'content-type': form }, body }
    expectRefusal(await send(server, sent), 400, 'invalid_request')
  })

  it.each(['text/plain', 'multipart/form-data', 'application/xml', ''])('is refused with 415 as %s', async (type) => {
    expectRefusal(await ask(sound, { 'content-type': type }), 415, 'invalid_request')
  })

  it('is refused with 415 when it is compressed', async () => {
    expectRefusal(await ask(sound, { 'content-encoding': 'gzip' }), 415, 'invalid_request')
  })

  it('keeps its connection usable when it is large', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const over = (method: string, path: string, body = ''): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': form }
        const begun = request({ agent, host: '127.0.0.1', port: server.port, method, path, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
        begun.on('error', reject).end(body)
      })
    expect(await over('POST', '/oauth/token', `grant_type=${'x'.repeat(600_000)}`)).toBe(413)
    expect(await over('GET', '/oauth/jwks')).toBe(200)
    agent.destroy()
  })

  it.each([form, 'application/json'])('is refused with 413 when it is large: %s', async (type) => {
    const body = `${new URLSearchParams(sound)}&x=${'x'.repeat(2 ** 20)}`
    for (const isChunked of [false, true]) {
      const sent = { method: 'POST', path: '/oauth/token', headers: { 'content-type': type }, body, isChunked }
      expectRefusal(await send(server, sent), 413, 'invalid_request')
    }
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is refused with 405 as %s', async (method) => {
    const query = new URLSearchParams(sound)
    const answer = await send(server, { method, path: `/oauth/token?${query}` })
    expectRefusal(answer, 405, 'invalid_request')
    expect(answer.headers.allow).toBe('POST')
  })

  it('may contain unknown parameters', async () => {
    for (const given of [{ scope: 'openid offline_access' }, { scope: '' }, { prompt: 'none' }, { constructor: 'x' }]) {
      expect((await ask({ ...sound, ...given })).status).toBe(200)
    }
  })

  it('is answered even with many concurrent ones', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => partOf(body.access_token, 1).jti)).size).toBe(30)
  })

  it('ignores parameters in the query', async () => {
    const path = `/oauth/token?${new URLSearchParams(sound)}`
    const answer = await send(server, { method: 'POST', path, headers: { 'content-type': form }, body: '' })
    expectRefusal(answer, 400, 'invalid_request')
  })

  it('never causes an internal error', () => {
    const faults = server.logs.filter((line) => JSON.parse(line).level >= 50)
    expect(faults).toEqual([])
  })

  it('writes no secret, verifier or token to the log', async () => {
    const token = await tokenOf()
    await use(`${token.slice(0, -4)}AAAA`)
    const log = server.logs.join('')
    for (const secret of [client.client_secret, token.split('.')[2] ?? '', 'scrypt']) expect(log).not.toContain(secret)
  })
})

describe('other endpoints of the authorization library', () => {
  const paths = [
    '/auth',
    '/oauth/authorize/',
    '/oauth/authorize/x/y',
    '/oauth/register',
    '/oauth/token/',
    '/OAuth/Token',
    '/oauth',
    '/reg',
    '/me',
    '/jwks',
    '/session/end',
    '/session/end/confirm',
    '/token/introspection',
    '/token/revocation',
    '/request',
    '/interaction/x',
    '/.well-known/webfinger'
  ]
  it.each(paths)('are not served: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const sent = { method, path, headers: { 'content-type': form }, body: new URLSearchParams(sound).toString() }
      expect((await send(server, sent)).status).toBe(404)
    }
  })
})

describe('the signing keys', () => {
  it('are published without private members', async () => {
    const { status, body } = await send(server, { path: '/oauth/jwks' })
    expect(status).toBe(200)
    expect(body.keys).toHaveLength(1)
    const { n, ...others } = body.keys[0]
    expect(others).toEqual({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB', kid: expect.any(String) })
    expect(Buffer.from(n, 'base64url')).toHaveLength(256)
  })

  it('are read-only', async () => {
    expect((await send(server, { method: 'POST', path: '/oauth/jwks' })).status).toBe(405)
  })
})

describe('an invalid token', () => {
  const issuer = () => `${server.url}/`
  const claims = (): Record<string, unknown> => ({
    iss: issuer(),
    aud: issuer(),
    sub: 'ops@clients',
    azp: 'ops',
    iat: NOW / 1000,
    exp: NOW / 1000 + 60,
    jti: 'a token of the tests',
    permissions
  })
  const header = { alg: 'RS256', typ: 'at+jwt' }
  let privateJwk: JWK
  let publicJwk: JWK

  beforeAll(async () => {
    const keySet = (await send(server, { path: '/oauth/jwks' })).body
    publicJwk = keySet.keys[0]
    privateJwk = await storedKey(server)
  })

  /** Signs a token with the server's key that the server would not sign. */
  function sign(given: Record<string, unknown> = {}, headers = {}): Promise<string> {
    const payload = Object.fromEntries(Object.entries({ ...claims(), ...given }).filter(([, value]) => value !== null))
    return new SignJWT(payload).setProtectedHeader({ ...header, kid: publicJwk.kid ?? '', ...headers }).sign(privateJwk)
  }

  function encode(value: object): string {
    return Buffer.from(JSON.stringify(value)).toString('base64url')
  }

  async function expectUnauthorized(token: string, reason: RegExp): Promise<void> {
    const { status, body } = await use(`Bearer ${token}`)
    expect(JSON.stringify(body)).toMatch(reason)
    expect(status).toBe(401)
    if (token.length > 20) expect(JSON.stringify(body)).not.toContain(token.split('.').at(-1) || token)
  }

  test('an unmodified token is accepted', async () => {
    expect((await use(await sign())).status).toBe(200)
  })

  const unfit: [string, Record<string, unknown>, RegExp][] = [
    ['has expired', { exp: NOW / 1000 - 1 }, /jwt expired/],
    ['expires now', { exp: NOW / 1000 }, /jwt expired/],
    ['never expires', { exp: null }, /exp/],
    ['is not valid yet', { nbf: NOW / 1000 + 60 }, /nbf/],
    ['was issued in the future', { iat: NOW / 1000 + 60 }, /iat/],
    ['is from another issuer', { iss: 'https://auth.example.com/' }, /iss/],
    ['has no issuer', { iss: null }, /iss/],
    ['is for another audience', { aud: 'https://api.example.com/' }, /aud/],
    ['has no audience', { aud: null }, /aud/],
    ['names no client', { azp: null }, /not valid/],
    ['names an unknown client', { azp: 'nobody' }, /client/],
    ['names no permissions', { permissions: null }, /not valid/],
    ['has no id', { jti: null }, /not valid/],
    ['has permissions of another form', { permissions: 'project:read' }, /not valid/]
  ]
  it.each(unfit)('%s', async (_, given, reason) => {
    await expectUnauthorized(await sign(given), reason)
  })

  it.each([['JWT'], ['id+jwt'], [undefined]])('has the type %s', async (typ) => {
    await expectUnauthorized(await sign({}, { typ }), /typ/)
  })

  it('is signed by another key with the same kid, or with none', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    for (const kid of [publicJwk.kid, 'other', undefined]) {
      const token = await new SignJWT(claims())
        .setProtectedHeader({ ...header, ...(kid ? { kid } : {}) })
        .sign(privateKey)
      await expectUnauthorized(token, /signature|key/)
    }
  })

  it('is signed by the right key without a kid', async () => {
    await expectUnauthorized(await sign({}, { kid: undefined }), /kid/)
  })

  it('contains its own key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const token = await new SignJWT(claims()).setProtectedHeader({ ...header, jwk }).sign(privateKey)
    await expectUnauthorized(token, /signature|key/)
  })

  it.each(['none', 'None', 'NONE', ''])('is unsigned: alg %s', async (alg) => {
    for (const signature of ['', 'AAAA']) {
      await expectUnauthorized(`${encode({ ...header, alg })}.${encode(claims())}.${signature}`, /not valid/)
    }
  })

  it('is signed with the public key as an HMAC secret', async () => {
    const pem = createPublicKey({ key: { ...publicJwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const secret of [pem, publicJwk.n ?? '', JSON.stringify(publicJwk)]) {
      const signed = `${encode({ ...header, alg: 'HS256', kid: publicJwk.kid })}.${encode(claims())}`
      const signature = createHmac('sha256', secret).update(signed).digest('base64url')
      await expectUnauthorized(`${signed}.${signature}`, /not valid/)
    }
  })

  it.each(['RS384', 'RS512', 'PS256'])('is signed by %s', async (alg) => {
    const { alg: _, use: __, ...key } = privateJwk
    const token = await new SignJWT(claims()).setProtectedHeader({ ...header, alg, kid: publicJwk.kid ?? '' }).sign(key)
    await expectUnauthorized(token, /not valid/)
  })

  it('was modified after it was signed', async () => {
    const [head = '', , signature = ''] = (await sign()).split('.')
    await expectUnauthorized(`${head}.${encode({ ...claims(), azp: 'other' })}.${signature}`, /signature/)
  })

  const garbled = ['x', '..', 'a.b.c', 'a.b', 'a.b.c.d', `${'x'.repeat(4_000)}`, 'e30.e30.e30', 'bnVsbA.bnVsbA.AAAA']
  it.each(garbled)('is malformed: %.20s', async (token) => {
    await expectUnauthorized(token, /not valid/)
  })

  it('requires unknown extensions', async () => {
    const signed = `${encode({ ...header, crit: ['b64'], b64: false, kid: publicJwk.kid })}.${encode(claims())}`
    await expectUnauthorized(`${signed}.AAAA`, /not valid/)
  })

  test('a token is limited to its own permissions', async () => {
    expect((await use(await sign({ permissions: ['project:read', 'nonsense'] }))).status).toBe(403)
  })

  test('a token is limited to the current permissions of its client', async () => {
    const store = await openStore('memory:')
    const world = { now: () => NOW, ids: randomIdGenerator, hasher, log: pino({ level: 'silent' }) }
    const given = { clientId: client.client_id, clientSecret: client.client_secret }
    await ensureAdministrator(store, { ...world, given })
    const keys = await openSigningKeys(store, world)
    const tokens = createAccessTokenVerifier({ store, keys, now: world.now, publicUrl: () => server.url })
    const [key = {} as JWK] = keys.privateJwks
    const token = await new SignJWT(claims()).setProtectedHeader({ ...header, kid: key.kid ?? '' }).sign(key)
    expect(listPermissions((await tokens.verify(token, '127.0.0.1')).access)).toEqual(permissions)

    const clients = store.collection('clients')
    const { _id = '' } = (await clients.get({ clientId: 'ops' })) ?? {}
    await clients.update(_id, { permissions: ['project:read'] })
    expect(listPermissions((await tokens.verify(token, '127.0.0.1')).access)).toEqual(['project:read'])
    await clients.remove(_id)
    await expect(tokens.verify(token, '127.0.0.1')).rejects.toMatchObject({ status: 401 })
    await store.close()
  })
})

it('too many concurrent token requests are refused with 429', async () => {
  // A server without earlier failures. Each has its own client, so that the limit is not one of a client.
  const own = await serve({}, administrator, NOW, { hashCost: { log2N: 14, r: 8, p: 1 } })
  const wrong = (number: number) => ({ ...sound, client_id: `nobody-${number}` })
  const answers = await Promise.all(Array.from({ length: 39 }, (_, number) => ask(wrong(number), {}, own)))
  const refused = answers.filter(({ status }) => status === 401)
  const turnedAway = answers.filter(({ status }) => status === 429)
  expect([refused.length + turnedAway.length, turnedAway.length > 0]).toEqual([39, true])
  for (const { headers, body } of turnedAway) {
    expect([Number(headers['retry-after']) > 0, body.error]).toEqual([true, 'temporarily_unavailable'])
  }
  expect((await ask(sound, {}, own)).status).toBe(200)
})

describe('the administrator', () => {
  it('is generated at the first start, and printed once', async () => {
    const directory = await storeWith({})
    const first = await serve(directory, generated)
    const { clientId, clientSecret } = first.administrator ?? { clientId: '', clientSecret: '' }
    expect(clientId).toBe('burgee-admin')
    expect(clientSecret).toMatch(/^burgee_secret_[\w-]{49}$/)
    expect(formatAdministratorCredentials({ clientId, clientSecret }, first.url)).toContain(
      `client secret  ${clientSecret}`
    )
    const fields = { ...sound, client_id: clientId, client_secret: clientSecret }
    expect((await ask(fields, {}, first)).status).toBe(200)
    await first.close()

    const second = await serve(directory, generated)
    expect(second.administrator).toBeUndefined()
    expect((await ask(fields, {}, second)).status).toBe(200)
    expect(await storedText(directory)).not.toContain(clientSecret)
    expect([...first.logs, ...second.logs].join('')).not.toContain(clientSecret)
  })

  it('is not generated by a failed start, which could not print it', async () => {
    const directory = await storeWith({})
    const { port } = new URL(server.url)
    await expect(serve(directory, { ...generated, port: Number(port) })).rejects.toThrow(OptionError)
    expect((await serve(directory, generated)).administrator).toBeDefined()
  })

  it('is as configured, and not printed', async () => {
    const at = await serve({}, administrator)
    expect(at.administrator).toBeUndefined()
    expect((await ask(sound, {}, at)).status).toBe(200)
    expect(await storedText(at.directory)).not.toContain(client.client_secret)
  })

  it('authenticates with a secret configured later, and not with the former one', async () => {
    const first = await serve({}, administrator)
    await first.close()
    const adminClientSecret = 'another-secret-of-many-characters'
    const second = await serve(first.directory, { ...administrator, adminClientSecret })
    expectRefusal(await ask(sound, {}, second), 401, 'invalid_client')
    expect((await ask({ ...sound, client_secret: adminClientSecret }, {}, second)).status).toBe(200)
    expect(warnings(second)).toEqual(['the secret of the administrator client is replaced, as configured'])
    await second.close()

    const third = await serve(first.directory, { ...administrator, adminClientSecret })
    expect(warnings(third)).toEqual([])
  })

  it('loses the tokens of a replaced secret', async () => {
    const publicUrl = 'https://flags.example.com'
    const first = await serve({}, { ...administrator, publicUrl }, NOW - 5_000)
    const token = await tokenOf(first)
    const list = (at: TestServer) => send(at, { path: '/v1/projects', headers: { authorization: token } })
    expect((await list(first)).status).toBe(200)
    await first.close()
    const same = await serve(first.directory, { ...administrator, publicUrl })
    expect((await list(same)).status).toBe(200)
    await same.close()
    const replaced = { ...administrator, adminClientSecret: 'another-secret-of-many-characters', publicUrl }
    const { status, body } = await list(await serve(first.directory, replaced))
    expect([status, body.message]).toEqual([401, 'the token is not valid: the secret of its client was replaced'])
  })

  it('is added without replacing the former one when another id is configured', async () => {
    const first = await serve({}, generated)
    const { clientId, clientSecret } = first.administrator ?? { clientId: '', clientSecret: '' }
    await first.close()
    const second = await serve(first.directory, administrator)
    expect((await ask(sound, {}, second)).status).toBe(200)
    expect((await ask({ ...sound, client_id: clientId, client_secret: clientSecret }, {}, second)).status).toBe(200)
    expect(warnings(second)).toEqual(['another administrator client is added, as configured'])
    await second.close()

    const third = await serve(first.directory, generated)
    expect(third.administrator).toBeUndefined()
    expect((await ask(sound, {}, third)).status).toBe(200)
  })
})

describe('the settings of the administrator', () => {
  const BURGEE_ADMIN_CLIENT_ID = 'ops'
  const BURGEE_ADMIN_CLIENT_SECRET = 'sixteen-letters!'

  it('are given together or not at all', () => {
    const both = parseOptions([], { BURGEE_ADMIN_CLIENT_ID, BURGEE_ADMIN_CLIENT_SECRET })
    expect(both).toMatchObject({ adminClientId: 'ops', adminClientSecret: BURGEE_ADMIN_CLIENT_SECRET })
    const neither = parseOptions([], { BURGEE_ADMIN_CLIENT_ID: '', BURGEE_ADMIN_CLIENT_SECRET: '' })
    expect(neither).toMatchObject({ adminClientId: '', adminClientSecret: '' })
    for (const one of [{ BURGEE_ADMIN_CLIENT_ID }, { BURGEE_ADMIN_CLIENT_SECRET }]) {
      expect(() => parseOptions([], one)).toThrow(/must be set together/)
    }
  })

  it.each(['short', 'with spaces in between', 'with-\u00fcmlauts-inside', 'x'.repeat(257)].map(shortened))(
    'refuse the secret %s without showing it',
    (_, secret) => {
      const start = () => parseOptions([], { BURGEE_ADMIN_CLIENT_ID, BURGEE_ADMIN_CLIENT_SECRET: secret })
      expect(start).toThrow(OptionError)
      expect(start).toThrow(/^BURGEE_ADMIN_CLIENT_SECRET cannot be the given text\./)
    }
  )
})

function warnings({ logs }: TestServer): string[] {
  return logs.map((line) => JSON.parse(line)).flatMap(({ level, msg }) => (level === 40 ? [msg] : []))
}

/** The stored private key of a server; read from a copy of the store, which is locked. */
async function storedKey({ directory }: TestServer): Promise<JWK> {
  const keys = (await storedData(directory)).signingKeys
  return { ...keys[0]?.privateJwk, kid: keys[0]?.kid ?? '', alg: 'RS256' } as JWK
}
