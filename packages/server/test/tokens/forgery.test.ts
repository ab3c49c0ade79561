import { createHmac, createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call, options, type RawRequest, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { claimsOf, personToken, signingKeyOf } from '@burgee/testing/personToken'
import { keyOf, NOW } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

const now = NOW / 1000
const path = '/v1/projects'
const header = { alg: 'RS256', typ: 'at+jwt' }

let server: TestServer
/** The signing key of the server. */
let key: JWK & { readonly kid: string }
let publicJwk: JWK
/** A key that the server does not have. */
let foreign: { readonly privateJwk: JWK; readonly publicJwk: JWK }
/** A token signed by another server, for a client of the same name. */
let elsewhere: string
let sound: string
/** Counts requests for keys. */
let visits = 0
const lure = createServer((_, response) => {
  visits += 1
  response.end(JSON.stringify({ keys: [foreign.publicJwk] }))
})
let lureUrl: string

beforeAll(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addMembers(directory, {
    mode: 'full',
    people: { ada: [{ role: 'member' }], gone: { isDisabled: true, roles: [{ role: 'member' }] } }
  })
  server = await serve(directory)
  key = await signingKeyOf(server)
  publicJwk = { kty: 'RSA', n: key.n ?? '', e: key.e ?? '', kid: key.kid, alg: 'RS256', use: 'sig' }
  const pair = await generateKeyPair('RS256', { extractable: true })
  foreign = { privateJwk: await exportJWK(pair.privateKey), publicJwk: await exportJWK(pair.publicKey) }
  elsewhere = await personToken(await serve(await temporaryDirectory()), `${options.adminClientId}@clients`)
  sound = await personToken(server, userIdOf('ada'))
  await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve))
  lureUrl = `http://127.0.0.1:${(lure.address() as AddressInfo).port}/keys`
})

afterAll(() => void lure.close())

type Members = Readonly<Record<string, unknown>>

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** The claims of a valid token with these changes; undefined members are omitted. */
function claims(given: Members = {}): Members {
  const all = Object.entries({ ...claimsOf(server, userIdOf('ada')), ...given })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** Signed by the server's own key, so that only the claims are wrong. */
function signed(given: Members = {}, headers: Members = {}): Promise<string> {
  return new SignJWT(claims(given)).setProtectedHeader({ ...header, kid: key.kid, ...headers }).sign(key)
}

/** Signed by a key that the server does not have. */
function signedElsewhere(headers: Members = {}): Promise<string> {
  return new SignJWT(claims()).setProtectedHeader({ ...header, kid: key.kid, ...headers }).sign(foreign.privateJwk)
}

/** Signed with a public value as an HMAC secret. */
function withHmac(secret: string | Buffer, headers: Members = {}): string {
  const text = `${encode({ ...header, alg: 'HS256', kid: key.kid, ...headers })}.${encode(claims())}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

function publicPem(): string {
  return String(createPublicKey({ key: { ...publicJwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))
}

function part(token: string, index: number): string {
  return token.split('.')[index] ?? ''
}

type Forge = () => string | Promise<string>

const forgeries: Readonly<Record<string, Forge>> = {
  'alg none': () => `${encode({ ...header, alg: 'none' })}.${encode(claims())}.`,
  'alg none, with a signature': () => `${encode({ ...header, alg: 'none' })}.${encode(claims())}.${part(sound, 2)}`,
  'alg nOnE': () => `${encode({ ...header, alg: 'nOnE', kid: key.kid })}.${encode(claims())}.`,
  'no alg': () => `${encode({ typ: 'at+jwt', kid: key.kid })}.${encode(claims())}.${part(sound, 2)}`,
  'HS256 with the public key as PEM': () => withHmac(publicPem()),
  'HS256 with the public key as JWK': () => withHmac(JSON.stringify(publicJwk)),
  'HS256 with the modulus': () => withHmac(Buffer.from(publicJwk.n ?? '', 'base64url')),
  'HS256 with an empty key': () => withHmac(''),
  'HS256 with the client secret': () => withHmac(options.adminClientSecret),
  'HS256 with the kid': () => withHmac(key.kid),
  'HS256 with the file that the kid leads to': () => withHmac('', { kid: '../../../../dev/null' }),
  RS512: () =>
    new SignJWT(claims()).setProtectedHeader({ ...header, alg: 'RS512', kid: key.kid }).sign({ ...key, alg: 'RS512' }),
  PS256: () =>
    new SignJWT(claims()).setProtectedHeader({ ...header, alg: 'PS256', kid: key.kid }).sign({ ...key, alg: 'PS256' }),
  'two parts': () => `${part(sound, 0)}.${part(sound, 1)}`,
  'four parts': () => `${sound}.${part(sound, 2)}`,
  'five parts, as if encrypted': () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.${part(sound, 1)}.AAAA`,
  'no signature': () => `${part(sound, 0)}.${part(sound, 1)}.`,
  'a payload apart': () => `${part(sound, 0)}..${part(sound, 2)}`,
  'a line break behind it': () => `${sound}%0a`,
  'a changed header': () => `${encode({ ...header, kid: key.kid, x: 1 })}.${part(sound, 1)}.${part(sound, 2)}`,
  'a changed payload': () => `${part(sound, 0)}.${encode(claims({ sub: 'test-admin@clients' }))}.${part(sound, 2)}`,
  'a payload that is not JSON': () => `${part(sound, 0)}.${encode('{')}.${part(sound, 2)}`,
  'a changed signature': () => {
    const signature = part(sound, 2)
    return `${part(sound, 0)}.${part(sound, 1)}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  },
  'a signature cut short': () => sound.slice(0, -8),
  'the signature of another token': async () =>
    `${part(sound, 0)}.${part(sound, 1)}.${part(await signed({ jti: 'x' }), 2)}`,
  'another key under the same kid': () => signedElsewhere(),
  'another key and an unknown kid': () => signedElsewhere({ kid: 'unknown' }),
  'another key and no kid': () => signedElsewhere({ kid: undefined }),
  'the right key and no kid': () => signed({}, { kid: undefined }),
  'a kid that is a path': () => signedElsewhere({ kid: '../../../../etc/passwd' }),
  'a kid that is a statement': () => signedElsewhere({ kid: "' OR 1=1 --" }),
  'a kid that is a name of an object': () => signedElsewhere({ kid: '__proto__' }),
  'a key in the header': () => signedElsewhere({ jwk: foreign.publicJwk }),
  'the address of keys': () => signedElsewhere({ jku: lureUrl }),
  'the address of a certificate': () => signedElsewhere({ x5u: lureUrl }),
  'a certificate in the header': () => signedElsewhere({ x5c: ['AAAA'] }),
  'an unknown extension': () => {
    // Signing libraries refuse to create it.
    return `${encode({ ...header, kid: key.kid, crit: ['x'], x: 1 })}.${encode(claims())}.${part(sound, 2)}`
  },
  'another issuer': () => signed({ iss: 'https://auth.example.com/' }),
  'the issuer without its slash': () => signed({ iss: server.url }),
  'the token of another server': () => elsewhere,
  'another audience': () => signed({ aud: 'https://api.example.com/' }),
  'another audience without a slash': () => signed({ aud: 'https://api.example.com' }),
  'an audience that only begins alike': () => signed({ aud: `${server.url}/v1` }),
  'its client as the audience': () => signed({ aud: options.adminClientId }),
  'no audience': () => signed({ aud: undefined }),
  'no issuer': () => signed({ iss: undefined }),
  'a second too old': () => signed({ exp: now - 1 }),
  'no end': () => signed({ exp: undefined }),
  'an expiry that is not a number': () =>
    `${encode({ ...header, kid: key.kid })}.${encode(claims({ exp: 'never' }))}.${part(sound, 2)}`,
  'a beginning in the future': () => signed({ nbf: now + 60 }),
  'issued in the future': () => signed({ iat: now + 60 }),
  'no moment of issue': () => signed({ iat: undefined }),
  'the type JWT': () => signed({}, { typ: 'JWT' }),
  'no type': () => signed({}, { typ: undefined }),
  'an id token': () => signed({ aud: options.adminClientId, nonce: 'x' }, { typ: 'JWT' }),
  'no subject': () => signed({ sub: undefined }),
  'a holder who is unknown': () => signed({ sub: userIdOf('nobody') }),
  'a holder who is disabled': () => signed({ sub: userIdOf('gone') }),
  'another client as its holder': () => signed({ sub: 'other@clients' }),
  'no client': () => signed({ azp: undefined }),
  'an unknown client': () => signed({ azp: 'nobody' }),
  'a client that is a name of an object': () => signed({ azp: '__proto__', sub: '__proto__@clients' }),
  'no permissions': () => signed({ permissions: undefined }),
  'permissions of another form': () => signed({ permissions: { length: 1 } }),
  'twelve kilobytes of nothing': () => 'x'.repeat(12_000),
  'twelve kilobytes of claims': () => signed({ filler: 'x'.repeat(8_000), iss: 'https://auth.example.com/' }),
  'an SDK key': () => keyOf('server'),
  'a client secret': () => options.adminClientSecret
}

/** Lists projects with these headers. */
function ask(headers: RawRequest['headers'] = {}, at = path) {
  return send(server, { path: at, headers })
}

/** The confidential parts of a token. */
function secretsOf(token: string): readonly string[] {
  return token.split('.').filter((piece) => piece.length >= 20)
}

test('a valid token is accepted, without which the other tests prove nothing', async () => {
  expect((await ask({ authorization: `Bearer ${sound}` })).status).toBe(200)
  expect((await ask({ authorization: await signed({ aud: server.url }) })).status).toBe(200)
})

describe.each(Object.entries(forgeries))('a token with %s', (_, forge) => {
  it.each(['', 'Bearer '])('is refused after "%s", and is neither repeated nor logged', async (scheme) => {
    const token = await forge()
    const logged = server.logs.length
    const { status, headers, body } = await ask({ authorization: `${scheme}${token}` })
    expect(status).toBe(401)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(body).toEqual({
      statusCode: 401,
      message: expect.stringMatching(/^(the token is not valid: |jwt expired$)/),
      error: 'Unauthorized'
    })
    const said = [JSON.stringify([headers, body]), ...server.logs.slice(logged)].join('')
    expect(said).not.toMatch(/node_modules|\.[jt]s:\d+|\bat \w+ \(/)
    for (const secret of secretsOf(token)) expect(said).not.toContain(secret)
  })
})

it('the server never requests a URL that a token names', () => {
  expect(visits).toBe(0)
})

describe('a token in another place', () => {
  it.each(['access_token', 'token', 'sdkKey', 'authorization'])('is ignored: the query, as %s', async (name) => {
    const { status, body } = await ask({}, `${path}?${name}=${sound}`)
    expect([status, body.message]).toEqual([401, expect.stringContaining('it belongs in the Authorization header')])
  })

  it.each([
    ['a cookie', { cookie: `access_token=${'x'}` }],
    ['X-API-Key', { 'x-api-key': 'x' }],
    ['X-Access-Token', { 'x-access-token': 'x' }]
  ])('is ignored: %s', async (_, headers) => {
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('x', sound)]))
    expect((await ask(filled)).status).toBe(401)
  })

  it('is refused when the header is sent twice, even if one is valid', async () => {
    for (const authorization of [
      [sound, 'garbage'],
      ['garbage', sound],
      [sound, sound]
    ]) {
      const { status, body } = await ask({ authorization })
      expect([status, body.message]).toEqual([401, 'the Authorization header should be given once, got it 2 times'])
    }
  })
})

describe('an access token', () => {
  it.each(['', 'Bearer '])('is not accepted as an SDK key, after "%s"', async (scheme) => {
    const { status, body } = await call(server, 'evaluateVariables', {
      body: { user_id: 'ada' },
      key: `${scheme}${sound}`
    })
    expect([status, body.message]).toEqual([401, expect.stringContaining('the SDK key is not known')])
    expect(JSON.stringify(body)).not.toContain(part(sound, 2))
  })

  it.each(['server', 'client', 'mobile'] as const)('cannot be replaced by a %s key', async (type) => {
    for (const authorization of [keyOf(type), `Bearer ${keyOf(type)}`]) {
      const { status, body } = await ask({ authorization })
      expect(status).toBe(401)
      expect(JSON.stringify(body)).not.toContain(keyOf(type))
    }
    expect((await ask({}, `${path}?sdkKey=${keyOf(type)}`)).status).toBe(401)
  })

  it('is refused if its holder or client does not exist', async () => {
    expect((await ask({ authorization: await personToken(server, userIdOf('gone')) })).status).toBe(401)
    expect((await ask({ authorization: await personToken(server, 'ghost@clients') })).status).toBe(401)
  })

  it('is limited by the permissions of its holder, regardless of its claims', async () => {
    const { status, body } = await call(server, 'createProject', { key: sound, body: { key: 'new', name: 'New' } })
    expect([status, body.message]).toEqual([403, 'this operation requires the permission project:write'])
  })
})

it('the forgeries cover more cases than the threat list requires', () => {
  expect(Object.keys(forgeries).length).toBeGreaterThanOrEqual(18)
})
