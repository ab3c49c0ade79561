import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { addAccounts, authorize, type Browser, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import {
  type ApiResponse,
  send,
  serve,
  storeOnDisk,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import { signingKeyOf } from '@burgee/testing/personToken'
import { NOW } from '@burgee/testing/plan'
import { decodeJwt, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const PASSWORD = 'a quiet morning on the lake'
const SECRET = 'a-secret-of-many-characters'
const TOOLS = 'https://tools.example.com/mcp'
const HOUR = 3_600_000

type Fields = Readonly<Record<string, string>>

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

let server: TestServer

async function accounts(createStore = storeWith): Promise<string> {
  const directory = await createStore({})
  const secretVerifier = hashRandomSecret(SECRET)
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }],
    clients: [
      { clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier },
      { clientId: 'tools', name: 'Tools', redirectUris: [], secretVerifier },
      { clientId: 'other', name: 'Other' }
    ]
  })
  return directory
}

const options = { toolServers: [{ clientId: 'tools', address: TOOLS }] }

beforeAll(async () => {
  server = await serve(await accounts(), options)
})

async function signIn(at: TestServer, parameters: Fields = {}, browser: Browser = openBrowser(at)): Promise<Page> {
  let page = await authorize(browser, parameters)
  const email = 'ada@example.com'
  if (String(page.body).includes('/login"')) page = await browser.submit(page, 'login', { email, password: PASSWORD })
  return page.location ? page : browser.submit(page, 'consent')
}

async function tokensOf(at: TestServer, parameters: Fields = {}): Promise<Tokens> {
  const { status, body } = await exchangeCode(at, await signIn(at, parameters), parameters.client_id)
  expect([status, body.error_description]).toEqual([200, undefined])
  return body
}

function ask(path: string, fields: Fields, at = server): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send(at, { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() })
}

function refresh(refresh_token: string, at = server, fields: Fields = {}): Promise<ApiResponse> {
  return ask('/oauth/token', { grant_type: 'refresh_token', client_id: 'app', refresh_token, ...fields }, at)
}

function revoke(token: string, at = server, fields: Fields = { client_id: 'app' }): Promise<ApiResponse> {
  return ask('/oauth/revoke', { token, ...fields }, at)
}

async function robotToken(at = server): Promise<string> {
  const { body } = await ask('/oauth/token', { grant_type: 'client_credentials', ...robot }, at)
  return body.access_token
}

const robot = { client_id: 'robot', client_secret: SECRET }
const tools = { client_id: 'tools', client_secret: SECRET }

function exchange(subject_token: string, at = server): Promise<ApiResponse> {
  const access_token = 'urn:ietf:params:oauth:token-type:access_token'
  const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange'
  return ask('/oauth/token', { grant_type, ...tools, subject_token, subject_token_type: access_token }, at)
}

async function use(token: string, at = server): Promise<readonly [number, string | undefined]> {
  const { status, body } = await send(at, { path: '/v1/organizations', headers: { authorization: token } })
  return [status, body.message]
}

const valid = [200, undefined]
const revoked = [401, 'the token is not valid: it was revoked']

describe('the revocation endpoint', () => {
  it('ends an access token of a person at once, and nothing else (RFC 7009 §2.1)', async () => {
    const { access_token, refresh_token } = await tokensOf(server)
    const { access_token: other } = await tokensOf(server)
    expect(await use(access_token)).toEqual(valid)
    const { status, body, headers } = await revoke(access_token)
    expect([status, body, headers['cache-control']]).toEqual([200, undefined, 'no-store'])
    expect(await use(access_token)).toEqual(revoked)
    expect(await use(other)).toEqual(valid)
    const { body: next } = await refresh(refresh_token)
    expect(await use(next.access_token)).toEqual(valid)
    const userinfo = await send(server, { path: '/oauth/userinfo', headers: { authorization: access_token } })
    expect(userinfo.status).toBe(401)
  })

  it('ends an access token of a client', async () => {
    const token = await robotToken()
    const other = await robotToken()
    expect((await revoke(token, server, { ...robot, token_type_hint: 'access_token' })).status).toBe(200)
    expect(await use(token)).toEqual(revoked)
    expect(await use(other)).toEqual(valid)
  })

  it('ends all access tokens of a grant with its refresh token (RFC 7009 §2.1)', async () => {
    const { access_token: first, refresh_token } = await tokensOf(server)
    const { body: second } = await refresh(refresh_token)
    const { access_token: other } = await tokensOf(server)
    expect((await revoke(second.refresh_token)).status).toBe(200)
    expect(await use(first)).toEqual(revoked)
    expect(await use(second.access_token)).toEqual(revoked)
    expect(await use(other)).toEqual(valid)
  })

  it('returns 200 without an effect for the token of another client (RFC 7009 §2.2)', async () => {
    const { access_token, refresh_token } = await tokensOf(server)
    for (const token of [access_token, refresh_token]) {
      const { status, body } = await revoke(token, server, { client_id: 'other' })
      expect([status, body]).toEqual([200, undefined])
      expect((await revoke(token, server, robot)).status).toBe(200)
    }
    expect(await use(access_token)).toEqual(valid)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('returns 200 for tokens that are unknown, forged, expired or revoked, with any hint', async () => {
    const token = await robotToken()
    const [header, payload] = token.split('.')
    const answers = [
      await revoke('nonsense', server, robot),
      await revoke(`${header}.${payload}.c2lnbmF0dXJl`, server, robot),
      await revoke(token, server, { ...robot, token_type_hint: 'refresh_token' }),
      await revoke(token, server, { ...robot, token_type_hint: 'something' })
    ]
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, undefined]))
    expect(await use(token)).toEqual(revoked)
  })

  it('authenticates the client first, and ends nothing otherwise', async () => {
    const token = await robotToken()
    const answers = [
      await revoke(token, server, { client_id: 'robot', client_secret: 'wrong' }),
      await revoke(token, server, { client_id: 'robot' }),
      await revoke(token, server, { client_id: 'nobody' }),
      await revoke(token, server, {})
    ]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [400, 'invalid_request']
    ])
    expect(await use(token)).toEqual(valid)
    expect((await ask('/oauth/revoke', robot)).body).toMatchObject({ error: 'invalid_request' })
  })
})

describe('a token that was obtained by an exchange', () => {
  async function chain() {
    const { access_token, refresh_token } = await tokensOf(server, { resource: TOOLS })
    const { status, body } = await exchange(access_token)
    expect([status, body.error_description]).toEqual([200, undefined])
    expect(await use(body.access_token)).toEqual(valid)
    return { subject: access_token, refresh_token, exchanged: body.access_token }
  }

  it('ends with the token that it was exchanged for', async () => {
    const { subject, exchanged } = await chain()
    const { exchanged: other } = await chain()
    await revoke(subject)
    expect(await use(exchanged)).toEqual(revoked)
    expect(await use(other)).toEqual(valid)
    expect((await exchange(subject)).body.error_description).toBe(`subject_token: ${revoked[1]}`)
  })

  it('ends with the grant', async () => {
    const { refresh_token, exchanged } = await chain()
    await revoke(refresh_token)
    expect(await use(exchanged)).toEqual(revoked)
  })

  it('can be revoked alone', async () => {
    const { subject, exchanged } = await chain()
    await revoke(exchanged)
    expect(await use(exchanged)).toEqual(revoked)
    expect((await exchange(subject)).status).toBe(200)
  })
})

describe('theft', () => {
  it('a replayed code ends the access tokens of its grant (RFC 6749 §4.1.2)', async () => {
    const page = await signIn(server)
    const { body } = await exchangeCode(server, page)
    const { body: second } = await refresh(body.refresh_token)
    expect((await exchangeCode(server, page)).body.error).toBe('invalid_grant')
    expect(await use(body.access_token)).toEqual(revoked)
    expect(await use(second.access_token)).toEqual(revoked)
  })

  it('a refresh token that is used twice ends the access tokens of its grant (RFC 9700 §4.14.2)', async () => {
    const { access_token, refresh_token } = await tokensOf(server)
    const { body } = await refresh(refresh_token)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    for (const token of [access_token, body.access_token]) expect(await use(token)).toEqual(revoked)
  })

  it('concurrent uses of one code leave no usable token', async () => {
    const page = await signIn(server)
    const answers = await Promise.all(Array.from({ length: 4 }, () => exchangeCode(server, page)))
    for (const { status, body } of answers) if (status === 200) expect(await use(body.access_token)).toEqual(revoked)
  })
})

describe('a revocation', () => {
  it('survives a restart, and is deleted when the token has expired', async () => {
    const publicUrl = 'https://flags.example.com'
    const first = await serve(await accounts(), { publicUrl })
    const token = await robotToken(first)
    await revoke(token, first, robot)
    await first.close()
    const second = await serve(first.directory, { publicUrl }, NOW + 23 * HOUR)
    expect(await use(token, second)).toEqual(revoked)
    await second.close()
    await (await serve(first.directory, { publicUrl }, NOW + 25 * HOUR)).close()
    const store = await openStore(toStoreUrl(first.directory))
    expect((await store.collection('revocations').list()).count).toBe(0)
    await store.close()
  })

  it('stores no part of the token', async () => {
    const at = await serve(await accounts())
    const token = await robotToken(at)
    await revoke(token, at, robot)
    await at.close()
    const store = await openStore(toStoreUrl(at.directory))
    const { items } = await store.collection('revocations').list()
    await store.close()
    expect(items).toHaveLength(1)
    expect(JSON.stringify(items)).not.toContain(token.split('.')[1])
  })
})

describe('while the store cannot write', () => {
  it('revocations return 503 with Retry-After, and succeed when retried', async () => {
    const at = await serve(await accounts(storeOnDisk))
    const { access_token, refresh_token } = await tokensOf(at)
    const robots = await robotToken(at)
    const journal = join(at.directory, 'users.jsonl')
    await rename(journal, `${journal}.away`)
    const requests = [
      () => revoke(access_token, at),
      () => revoke(robots, at, robot),
      () => revoke(refresh_token, at),
      () => revoke(refresh_token, at, { client_id: 'app', token_type_hint: 'refresh_token' })
    ]
    for (const request of requests) {
      const { status, body, headers } = await request()
      expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
      expect([headers['retry-after'], headers['cache-control']]).toEqual([expect.stringMatching(/^\d+$/), 'no-store'])
      expect(body.error_description).toMatch('Try again later')
    }
    for (const token of [access_token, robots]) expect(await use(token, at)).toEqual(valid)
    await rename(`${journal}.away`, journal)
    for (const request of requests) expect((await request()).status).toBe(200)
    for (const token of [access_token, robots]) expect(await use(token, at)).toEqual(revoked)
    expect((await refresh(refresh_token, at)).body.error).toBe('invalid_grant')
  })

  it('pages return 503 with Retry-After', async () => {
    const at = await serve(await accounts(storeOnDisk))
    const browser = openBrowser(at)
    await signIn(at, {}, browser)
    const journal = join(at.directory, 'users.jsonl')
    await rename(journal, `${journal}.away`)
    const page = await authorize(browser, { prompt: '' })
    await rename(`${journal}.away`, journal)
    expect([page.status, page.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(page.headers['content-type']).toMatch('text/html')
    expect(page.body).toContain('The server cannot store data at the moment. Try again later.')
    expect((await authorize(browser, { prompt: '' })).location?.searchParams.get('code')).toEqual(expect.any(String))
  })
})

describe('a forged token of a leaked key', () => {
  async function forge(at: TestServer, claims: object, kid?: string): Promise<string> {
    const key = await signingKeyOf(at)
    const payload = { ...decodeJwt(await robotToken(at)), ...claims }
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: kid ?? key.kid }).sign(key)
  }
  const seconds = NOW / 1000

  it('is refused if its lifetime exceeds the maximum of its kind', async () => {
    const at = await serve(await accounts())
    const { access_token } = await tokensOf(at)
    const person = decodeJwt(access_token)
    const tooLong = [401, expect.stringMatching(/^the token is not valid: its lifetime is \d+ s, longer than \d+ s$/)]
    const day = 24 * 3600
    expect(await use(await forge(at, { exp: seconds + day }), at)).toEqual(valid)
    expect(await use(await forge(at, { exp: seconds + day + 1 }), at)).toEqual(tooLong)
    expect(await use(await forge(at, { ...person, exp: seconds + 8 * 3600 }), at)).toEqual(valid)
    expect(await use(await forge(at, { ...person, exp: seconds + 8 * 3600 + 1 }), at)).toEqual(tooLong)
    const act = { sub: 'tools@clients' }
    expect(await use(await forge(at, { ...person, act, exp: seconds + 300 }), at)).toEqual(valid)
    expect(await use(await forge(at, { ...person, act, exp: seconds + 301 }), at)).toEqual(tooLong)
  })

  it('is refused if its key was retired before it was issued', async () => {
    const at = await serve(await accounts())
    const leaked = await signingKeyOf(at)
    const claims = decodeJwt(await robotToken(at))
    const sign = (iat: number) => {
      return new SignJWT({ ...claims, iat, iat_ms: iat * 1000, exp: iat + 3600 })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: leaked.kid })
        .sign(leaked)
    }
    const { body } = await ask('/oauth/token', { grant_type: 'client_credentials', ...robot }, at)
    const headers = { authorization: body.access_token }
    const rotated = await send(at, { method: 'POST', path: '/v1/organizations/current/signing-keys', headers })
    expect(rotated.status).toBe(201)
    at.clock.now = () => NOW + 60_000
    expect(await use(await sign(seconds), at)).toEqual(valid)
    expect(await use(await sign(seconds + 30), at)).toEqual([
      401,
      'the token is not valid: its key was retired before it was issued'
    ])
  })

  it('is refused at once after a rotation with now, as are all tokens of the key', async () => {
    const at = await serve(await accounts())
    const { access_token, refresh_token } = await tokensOf(at)
    const headers = { authorization: await robotToken(at) }
    const path = '/v1/organizations/current/signing-keys?now=true'
    const { status, body } = await send(at, { method: 'POST', path, headers })
    expect([status, body]).toEqual([201, [{ kid: expect.any(String), createdAt: expect.any(String) }]])
    const ended =
      'the token is not valid: it was signed with a key that was removed, or that this server never had; get a new token'
    expect(await use(access_token, at)).toEqual([401, ended])
    expect(await use(headers.authorization, at)).toEqual([401, ended])
    expect((await send(at, { path: '/oauth/jwks' })).body.keys).toHaveLength(1)
    const { body: next } = await refresh(refresh_token, at)
    expect(await use(next.access_token, at)).toEqual(valid)
  })
})
