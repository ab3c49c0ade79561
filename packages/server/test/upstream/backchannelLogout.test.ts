import { addAccounts, authorize, type Browser, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Address,
  openAddress,
  serveProvider,
  signInUpstream,
  upstreamOptions
} from '../support/processes/upstreamProvider.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const PATH = '/oauth/backchannel-logout'
const SECONDS = NOW / 1000

let place: Address
let server: TestServer
let provider: Awaited<ReturnType<typeof serveProvider>>

beforeAll(async () => {
  place = await openAddress()
  const directory = await storeWith({})
  await addAccounts(directory, {})
  server = await serve(directory, { ...upstreamOptions(place), trustedProxies: 1 })
  provider = await serveProvider(place, `${server.url}/oauth/callback`, {
    hasRefreshTokens: true,
    backchannelLogoutUri: `${server.url}${PATH}`
  })
})

beforeEach(() => {
  server.clock.now = () => NOW
  provider.setDown(undefined)
})

let count = 0

/** Signs a person in; returns the tokens and the `sid`. */
async function signIn(browser: Browser, sub = `person-${++count}`) {
  provider.letIn({ sub, email: `${sub}@example.com`, name: sub })
  const page = await authorize(browser)
  const [, link = ''] = /<a class="button plain" href="([^"]*)">/.exec(page.body) ?? []
  const { location } = await browser.get(link)
  const asked = await browser.get(await signInUpstream(location as URL))
  const { body } = await exchangeCode(server, await browser.submit(asked, 'consent'))
  return { sub, sid: provider.sid() ?? '', access: body.access_token as string, refreshToken: body.refresh_token }
}

function claimsWith(claims: Readonly<Record<string, unknown>>) {
  const iat = Math.floor(server.clock.now() / 1000)
  return {
    iss: place.url,
    aud: 'burgee',
    iat,
    exp: iat + 120,
    jti: `jti-${++count}`,
    events: { [EVENT]: {} },
    ...claims
  }
}

async function sendToken(token: string, address = '192.0.2.1'): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    body: new URLSearchParams({ logout_token: token }).toString()
  })
}

async function logOut(claims: Readonly<Record<string, unknown>>, header = {}): Promise<ApiResponse> {
  return sendToken(await provider.sign(claimsWith(claims), header))
}

const statusOf = async (key: string) => (await call(server, 'listProjects', { key })).status

async function refresh(refreshToken: string): Promise<ApiResponse> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refreshToken })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send(server, { method: 'POST', path: '/oauth/token', headers, body: body.toString() })
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  const { location } = await authorize(browser, { prompt: 'none' })
  return location?.searchParams.has('code') ?? false
}

describe('a logout token', () => {
  it('with sid ends that session with its tokens, and no other session of the person', async () => {
    const [browser, other] = [openBrowser(server), openBrowser(server)]
    const ended = await signIn(browser)
    const kept = await signIn(other, ended.sub)
    expect(ended.sid).not.toBe(kept.sid)
    const { status, headers, body } = await logOut({ sid: ended.sid })
    expect([status, headers['cache-control'], body]).toEqual([200, 'no-store', undefined])
    expect(await statusOf(ended.access)).toBe(401)
    expect((await refresh(ended.refreshToken)).body.error).toBe('invalid_grant')
    expect(await isSignedIn(browser)).toBe(false)
    expect(await statusOf(kept.access)).toBe(200)
    expect(await isSignedIn(other)).toBe(true)
    expect((await refresh(kept.refreshToken)).status).toBe(200)
  })

  it('with sub alone ends everything of the person, and is in the logs', async () => {
    const [browser, other] = [openBrowser(server), openBrowser(server)]
    const one = await signIn(browser)
    const two = await signIn(other, one.sub)
    const stranger = await signIn(openBrowser(server))
    server.clock.now = () => NOW + 1000
    expect((await logOut({ sub: one.sub })).status).toBe(200)
    expect([await statusOf(one.access), await statusOf(two.access), await statusOf(stranger.access)]).toEqual([
      401, 401, 200
    ])
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, false])
    expect((await refresh(two.refreshToken)).body.error).toBe('invalid_grant')
    const { body: users } = await call(server, 'listUsers')
    const { user_id } = users.find(({ email }: { email: string }) => email === `${one.sub}@example.com`)
    const { body: entries } = await call(server, 'listAccessLog', { query: { kind: 'signOut', outcome: 'success' } })
    expect(entries[0]).toMatchObject({ operation: 'backchannelLogout', method: 'provider', idp_user: user_id })
    const [change] = (await call(server, 'listAuditEntries')).body
    expect(change).toMatchObject({ actor: 'server', changes: [{ newContents: { signedOutAt: expect.any(String) } }] })
  })

  it('with sid and sub ends the session only if it belongs to the person', async () => {
    const { sid, sub, access } = await signIn(openBrowser(server))
    expect((await logOut({ sid, sub: 'another person' })).status).toBe(200)
    expect(await statusOf(access)).toBe(200)
    expect((await logOut({ sid, sub })).status).toBe(200)
    expect(await statusOf(access)).toBe(401)
  })

  it('of an unknown session or person gets the same response', async () => {
    for (const claims of [{ sid: 'unknown' }, { sub: 'unknown' }]) {
      const { status, body } = await logOut(claims)
      expect([status, body]).toEqual([200, undefined])
    }
  })

  it.each(['logout+jwt', 'application/logout+jwt', 'JWT', undefined])('can have the type %s', async (typ) => {
    expect((await logOut({ sid: 'any' }, { typ })).status).toBe(200)
  })

  it('from the provider is accepted when the person signs out there', async () => {
    // The provider has a clock of its own.
    server.clock.now = Date.now
    const browser = openBrowser(server)
    const { access } = await signIn(browser)
    await provider.signOut()
    expect(await statusOf(access)).toBe(401)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('is used once', async () => {
    const token = await provider.sign(claimsWith({ sid: 'once' }))
    expect((await sendToken(token)).status).toBe(200)
    const again = await sendToken(token)
    expect([again.status, again.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'the logout token is not valid: its jti was used before' }
    ])
  })
})

describe('an invalid logout token is refused', () => {
  let access: string
  let claims: Readonly<Record<string, unknown>>

  beforeAll(async () => {
    const session = await signIn(openBrowser(server))
    access = session.access
    claims = { sid: session.sid }
  })

  const wrongClaims: Readonly<Record<string, [Readonly<Record<string, unknown>>, RegExp]>> = {
    'of another issuer (iss)': [{ iss: 'https://evil.example.com' }, /"iss" claim value; it should be http:/],
    'without an issuer': [{ iss: undefined }, /"iss"/],
    'for another client (aud)': [{ aud: 'another' }, /"aud" claim value; it should be burgee/],
    'without an audience': [{ aud: undefined }, /"aud"/],
    'without iat': [{ iat: undefined }, /"iat"/],
    'issued in the future': [{ iat: SECONDS + 3600, exp: SECONDS + 7200 }, /"iat"/],
    'issued long ago': [{ iat: SECONDS - 3600, exp: SECONDS + 3600 }, /jwt expired/],
    'that has expired (exp)': [{ exp: SECONDS - 120 }, /jwt expired/],
    'without exp': [{ exp: undefined }, /"exp"/],
    'without jti': [{ jti: undefined }, /"jti"/],
    'with an empty jti': [{ jti: '' }, /jti/],
    'without events': [{ events: undefined }, /"events"/],
    'with another event': [{ events: { 'https://example.com/event': {} } }, /events/],
    'with an event that is not an object': [{ events: { [EVENT]: true } }, /events/],
    'with events that are not an object': [{ events: EVENT }, /events/],
    'with a nonce': [{ nonce: 'n' }, /no nonce/],
    'with an empty nonce': [{ nonce: null }, /no nonce/],
    'without sub and sid': [{ sid: undefined }, /sub, sid, or both/],
    'with a sid that is not a string': [{ sid: 7 }, /jti, and events/]
  }

  async function expectRefused(token: string, message: RegExp): Promise<void> {
    const { status, headers, body } = await sendToken(token)
    expect([status, headers['cache-control'], body.error]).toEqual([400, 'no-store', 'invalid_request'])
    expect(body.error_description).toMatch(message)
    expect(await statusOf(access)).toBe(200)
  }

  it.each(Object.entries(wrongClaims))('by its claims: %s', async (_, [wrong, message]) => {
    await expectRefused(await provider.sign(claimsWith({ ...claims, ...wrong })), message)
  })

  it.each(['at+jwt', 'secevent+jwt'])('of the type %s', async (typ) => {
    await expectRefused(await provider.sign(claimsWith(claims), { typ }), /type \(typ\) should be logout\+jwt/)
  })

  it('signed with another key, with the secret of the client, or not at all', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const unsigned = () => new SignJWT(claimsWith(claims))
    const secret = new TextEncoder().encode('what-burgee-says-to-the-provider')
    const forged = await unsigned().setProtectedHeader({ alg: 'RS256', kid: 'upstream' }).sign(privateKey)
    await expectRefused(forged, /signature/)
    await expectRefused(
      await unsigned().setProtectedHeader({ alg: 'HS256' }).sign(secret),
      /its algorithm \(alg\) should be one of RS256, /
    )
    await expectRefused(
      new UnsecuredJWT(claimsWith(claims)).encode(),
      /^the logout token is not valid: its algorithm \(alg\)/
    )
    await expectRefused('nonsense', /it is not a JWT/)
    await expectRefused('', /logout_token is missing/)
  })

  it('is recorded in the access log, without its contents', async () => {
    await logOut({ ...claims, nonce: 'n' })
    const { body } = await call(server, 'listAccessLog', { query: { kind: 'signOut', outcome: 'refused' } })
    expect(body[0]).toMatchObject({ reason: 'invalid_request', operation: 'backchannelLogout', address: '192.0.2.1' })
    expect(body[0]).not.toHaveProperty('idp_user')
  })
})

describe('the endpoint for logout tokens', () => {
  it('limits refused tokens by network, and never valid ones', async () => {
    for (let number = 0; number < 60; number++) expect((await sendToken('x', '192.0.2.9')).status).toBe(400)
    const { status, headers, body } = await sendToken('x', '192.0.2.9')
    expect([status, body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(body.error_description).toMatch(
      /^too many refused logout tokens from this network \(limit: 60 per minute\); retry in \d+ s$/
    )
    expect([Number(headers['retry-after']) > 0, headers['retry-later']]).toEqual([true, expect.anything()])
    expect((await sendToken('x', '192.0.2.10')).status).toBe(400)
    expect((await sendToken(await provider.sign(claimsWith({ sid: 's' })), '192.0.2.9')).status).toBe(200)
  })

  it('returns 400 while the keys of the provider cannot be read, and requests them once', async () => {
    const address = await openAddress()
    address.put((_, response) => void response.writeHead(503).end())
    const directory = await storeWith({})
    const down = await serve(directory, upstreamOptions(address))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `logout_token=${await provider.sign(claimsWith({ sid: 's' }))}`
    for (let round = 0; round < 2; round++) {
      const answer = await send(down, { method: 'POST', path: PATH, headers, body })
      expect([answer.status, answer.body.error]).toEqual([400, 'temporarily_unavailable'])
    }
    const failures = down.logs.filter((line) => line.includes('a logout token could not be verified'))
    expect(failures.map((line) => /answered 503|a recent request/.exec(line)?.[0])).toEqual([
      'answered 503',
      'a recent request'
    ])
  })

  it('accepts POST only, and does not exist without a provider', async () => {
    expect((await send(server, { path: PATH })).status).toBe(405)
    const plain = await serve({})
    expect((await send(plain, { method: 'POST', path: PATH })).status).toBe(404)
  })
})

it('accepts forms only', async () => {
  const { sub, access } = await signIn(openBrowser(server))
  const { status, body } = await send(server, {
    method: 'POST',
    path: PATH,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify({ logout_token: await provider.sign(claimsWith({ sub })) })
  })
  expect([status, body.error]).toEqual([415, 'invalid_request'])
  expect((await call(server, 'listProjects', { key: access })).status).toBe(200)
})
