import { permissions } from '@burgee/contract'
import { addAccounts } from '@burgee/testing/browser'
import { storeWith, toStoreUrl } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSigningKeys, type SigningKeys } from '../../src/identity/keys/signingKeys.ts'
import { toProtectedResources } from '../../src/identity/oauth/protectedResources.ts'
import { type AccessTokenVerifier, createAccessTokenVerifier } from '../../src/identity/tokens/accessTokenVerifier.ts'
import { createTokenExchange } from '../../src/identity/tokens/tokenExchange.ts'
import { createToolTokenVerifier, type ToolAuthInfo } from '../../src/identity/tokens/toolTokenVerifier.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'

const API = 'https://flags.example.com/'
const APART = 'https://tools.example.com/mcp'
const ADA = `burgee|${idOf('ada@example.com')}`
const SECONDS = NOW / 1000

let store: Store
let keys: SigningKeys
let tokens: AccessTokenVerifier
let moment = NOW
/** The time by which the clock advances with each reading. */
let step = 0
const now = () => {
  moment += step
  return moment
}

beforeEach(async () => {
  const directory = await storeWith({})
  await addAccounts(directory, { people: [{ email: 'ada@example.com', name: 'Ada' }] })
  store = await openStore(toStoreUrl(directory))
  moment = NOW
  step = 0
  keys = await openSigningKeys(store, { now, ids: randomIdGenerator })
  tokens = createAccessTokenVerifier({ store, keys, now, publicUrl: () => API })
  return () => store.close()
})

function sign(claims: JWTPayload = {}): Promise<string> {
  const [jwk] = keys.privateJwks
  if (!jwk) throw new Error('a store that was opened has a signing key')
  const whole = {
    iss: API,
    aud: `${API}mcp`,
    sub: ADA,
    azp: 'app',
    iat: SECONDS,
    iat_ms: NOW,
    exp: SECONDS + 3600,
    jti: 'a token of the tests',
    scope: 'everything',
    permissions: [...permissions],
    ...claims
  }
  return new SignJWT(whole).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: jwk.kid }).sign(jwk)
}

async function verify(claims: JWTPayload = {}, mcp = true): Promise<ToolAuthInfo> {
  const exchange = createTokenExchange({ keys, ids: randomIdGenerator, publicUrl: () => API })
  const resources = () => toProtectedResources(API, { mcp, toolServers: [{ clientId: 'tools', address: APART }] })
  return createToolTokenVerifier({ tokens, exchange, resources, now }).verify(await sign(claims), '127.0.0.1')
}

function signOut(at: number): Promise<unknown> {
  const signedOutAt = new Date(at).toISOString()
  return store.collection('users').update(idOf('ada@example.com'), { signedOutAt })
}

describe('the tools of this server', () => {
  it.each([`${API}mcp`, API, API.slice(0, -1)])('accept a token for %s', async (aud) => {
    expect(await verify({ aud })).toMatchObject({ subject: ADA, clientId: 'app', expiresAt: SECONDS + 3600 })
  })

  it.each([APART, 'https://flags.example.com/other', 'app'])('refuse a token for %s', async (aud) => {
    const reason = `unexpected "aud" claim value; it should be ${API}mcp or ${API}`
    const message = `the token is not valid: ${reason}`
    await expect(verify({ aud })).rejects.toMatchObject({ status: 401, message })
  })

  it('accept tokens for the API alone if the server has no tools', async () => {
    await expect(verify({}, false)).rejects.toMatchObject({ status: 401 })
    expect(await verify({ aud: API }, false)).toMatchObject({ subject: ADA })
  })

  const scopes: [string | undefined, readonly string[]][] = [
    ['everything', ['everything', ...permissions]],
    [undefined, ['everything', ...permissions]],
    ['openid', ['everything', ...permissions]],
    ['openid feature:read project:read', ['project:read', 'feature:read']]
  ]
  it.each(scopes)('read the scopes that %j allows', async (scope, allowed) => {
    expect([...(await verify(scope === undefined ? { scope } : { scope })).scopes].sort()).toEqual([...allowed].sort())
  })
})

describe('the exchanged token of the tools', () => {
  it('is another token of the same holder and client for five minutes', async () => {
    const { token, expiresAt } = await (await verify()).exchange()
    expect(expiresAt).toBe(SECONDS + 300)
    expect(decodeJwt(token)).toEqual({
      iss: API,
      aud: API,
      sub: ADA,
      azp: 'app',
      client_id: 'app',
      iat: SECONDS,
      iat_ms: NOW,
      generations: expect.any(Object),
      exp: SECONDS + 300,
      jti: expect.any(String),
      subject_jti: ['a token of the tests'],
      scope: 'everything',
      org_id: 'org_test',
      permissions: [...permissions],
      act: { sub: 'burgee' }
    })
    expect(await tokens.verify(token, '127.0.0.1')).toMatchObject({ id: ADA, clientId: 'app', actor: 'person' })
  })

  it('differs each time, and expires no later than its subject token', async () => {
    const bearer = await verify({ exp: SECONDS + 400 })
    const first = await bearer.exchange()
    moment += 200_000
    const second = await bearer.exchange()
    expect([first.expiresAt, second.expiresAt]).toEqual([SECONDS + 300, SECONDS + 400])
    // The tools themselves cannot extend it, although they accept tokens for the API.
    const again = await verify({ ...decodeJwt(first.token) })
    const third = await again.exchange()
    expect(third.expiresAt).toBe(SECONDS + 300)
    expect(decodeJwt(third.token).act).toEqual({ sub: 'burgee', act: { sub: 'burgee' } })
    moment = NOW + 400_000
    await expect(bearer.exchange()).rejects.toMatchObject({ status: 401, message: 'jwt expired' })
  })

  it('is limited to the token and to the current permissions of its holder', async () => {
    const claims = { scope: 'feature:read project:read', permissions: ['feature:read', 'project:read'] }
    const bearer = await verify(claims)
    expect(decodeJwt((await bearer.exchange()).token)).toMatchObject({
      scope: 'feature:read project:read',
      permissions: ['project:read', 'feature:read']
    })
    await store.collection('clients').update(idOf('app'), { permissions: ['feature:read'] })
    expect(decodeJwt((await bearer.exchange()).token).permissions).toEqual(['feature:read'])
  })

  it('is refused when its user is signed out after the exchange, and there is no new one', async () => {
    const bearer = await verify()
    const { token } = await bearer.exchange()
    await signOut(NOW + 1)
    const message = 'the token is not valid: its holder was signed out'
    await expect(tokens.verify(token, '127.0.0.1')).rejects.toMatchObject({ status: 401, message })
    await expect(bearer.exchange()).rejects.toMatchObject({ status: 401, message })
  })

  it('is refused when its user is signed out during the exchange', async () => {
    const bearer = await verify()
    step = 1
    const begun = moment + step
    const { token } = await bearer.exchange()
    // Before the user was looked up, which takes time.
    expect(decodeJwt(token).iat_ms).toBe(begun)
    expect(moment).toBeGreaterThan(begun)
    await signOut(begun + 1)
    await expect(tokens.verify(token, '127.0.0.1')).rejects.toMatchObject({ status: 401 })
  })
})
