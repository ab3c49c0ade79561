import { createHash } from 'node:crypto'
import { addAccounts, type Browser, openBrowser, type Page, problemsOf, textOf } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../../src/storage/open/openStore.ts'

const PASSWORD = 'a quiet morning on the lake'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const LOOPBACK = 'http://127.0.0.1/callback'

let directory: string
let server: TestServer
let browser: Browser

beforeAll(async () => {
  directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD },
      { email: 'bob@example.com', name: 'Bob', password: PASSWORD }
    ],
    clients: [
      { clientId: 'tools', name: 'Tools <b>', redirectUris: [LOOPBACK] },
      { clientId: 'other', name: 'Other', redirectUris: [LOOPBACK] },
      { clientId: 'stranger', name: 'Stranger', redirectUris: [LOOPBACK], isDynamic: true }
    ]
  })
  server = await serve(directory, { dynamicRegistration: true })
})

beforeEach(() => {
  browser = openBrowser(server)
  server.clock.now = () => NOW
})

let address = 2

function post(path: string, parameters: Readonly<Record<string, string>>): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
    localAddress: `127.0.2.${address++}`
  })
}

/** Requests a device code. */
async function start(parameters: Readonly<Record<string, string>> = {}) {
  const { status, body } = await post('/oauth/device_authorization', {
    client_id: 'tools',
    scope: 'openid profile email',
    device_name: 'build-7',
    ...parameters
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { device_code: string; user_code: string; verification_uri_complete: string; interval: number }
}

function poll(device_code: string, client_id = 'tools'): Promise<ApiResponse> {
  return post('/oauth/token', { grant_type: GRANT, client_id, device_code })
}

/** Lets time pass, so that a device can poll again. */
function wait(ms = 10_000): void {
  const at = server.clock.now() + ms
  server.clock.now = () => at
}

async function enter(user_code: string, at = browser): Promise<Page> {
  return at.submit(await at.get('/oauth/device'), 'device', { user_code })
}

function signIn(page: Page, email = 'ada@example.com', at = browser): Promise<Page> {
  return at.submit(page, 'login', { email, password: PASSWORD })
}

/** Enters and confirms the code, signs in as Ada and allows access. */
async function allow(user_code: string, at = browser): Promise<Page> {
  const confirmed = await at.submit(await enter(user_code, at), 'device')
  return at.submit(await signIn(confirmed, undefined, at), 'consent')
}

const titleOf = ({ body }: Page) => textOf(/<h1>(.*?)<\/h1>/s.exec(body)?.[1] ?? String(body))

describe('a device', () => {
  it('signs a person in with the code that it shows, and gets tokens once (RFC 8628 §3)', async () => {
    const { body: described } = await send(server, { path: '/.well-known/oauth-authorization-server' })
    expect(described.device_authorization_endpoint).toBe(`${server.url}/oauth/device_authorization`)
    expect(described.grant_types_supported).toContain(GRANT)

    const started = await start()
    const { device_code, user_code } = started
    expect(started).toEqual({
      device_code: expect.stringMatching(/^[\w-]{40,}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.url}/oauth/device`,
      verification_uri_complete: `${server.url}/oauth/device?user_code=${user_code}`,
      expires_in: 600,
      interval: 5
    })
    expect((await poll(device_code)).body.error).toBe('authorization_pending')

    const asked = await enter(` ${user_code.toLowerCase().replace('-', ' ')}`)
    expect([asked.status, titleOf(asked)]).toEqual([200, 'Did you start this?'])
    const shown = textOf(asked.body)
    for (const one of ['Tools <b>', 'build-7', '127.0.2.', user_code, 'Only continue if you started this.']) {
      expect(shown).toContain(one)
    }
    const consent = await signIn(await browser.submit(asked, 'device'))
    expect(titleOf(consent)).toBe('Allow access?')
    expect(textOf(consent.body)).not.toContain('redirected')
    wait()
    expect((await poll(device_code)).body.error).toBe('authorization_pending')
    expect(titleOf(await browser.submit(consent, 'consent'))).toBe('You are signed in')

    wait()
    const { status, body } = await poll(device_code)
    expect([status, body]).toEqual([200, expect.objectContaining({ token_type: 'Bearer', expires_in: 28_800 })])
    expect(decodeJwt(body.access_token)).toMatchObject({ client_id: 'tools', amr: ['pwd'], auth_time: NOW / 1000 })
    expect(decodeJwt(body.id_token).sub).toBe(decodeJwt(body.access_token).sub)
    expect((await call(server, 'listProjects', { key: body.access_token })).status).toBe(200)
    const refreshed = await post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: 'tools',
      refresh_token: body.refresh_token
    })
    expect(refreshed.status).toBe(200)

    wait()
    expect((await poll(device_code)).body.error).toBe('invalid_grant')
    for (const token of [body.access_token, refreshed.body.access_token]) {
      expect((await call(server, 'listProjects', { key: token })).status).toBe(401)
    }
  })

  it('gets slow_down for polls that are too early, five seconds more each time (RFC 8628 §3.5)', async () => {
    const { device_code } = await start()
    const errors: string[] = []
    for (const seconds of [0, 4, 9, 15, 14, 20]) {
      wait(seconds * 1000)
      errors.push((await poll(device_code)).body.error)
    }
    const pending = 'authorization_pending'
    expect(errors).toEqual([pending, 'slow_down', 'slow_down', pending, 'slow_down', pending])
  })

  it('gets expired_token for an expired code, which the page refuses too', async () => {
    const { device_code, user_code } = await start()
    wait(600_000)
    expect((await poll(device_code)).body.error).toBe('expired_token')
    const page = await enter(user_code)
    expect([page.status, problemsOf(page)]).toEqual([422, expect.stringContaining('expired')])
  })

  it.each([
    [
      'on the page that asks whether the person started it',
      (asked: Page) => browser.submit(asked, 'device', { confirm: '', abort: 'yes' })
    ],
    ['instead of signing in', async (asked: Page) => browser.submit(await browser.submit(asked, 'device'), 'abort')],
    [
      'on the page that asks for consent',
      async (asked: Page) => browser.submit(await signIn(await browser.submit(asked, 'device')), 'abort')
    ]
  ])('is refused with access_denied when the person declines %s', async (_, decline) => {
    const { device_code, user_code } = await start()
    expect(titleOf(await decline(await enter(user_code)))).toBe('The sign-in was cancelled')
    expect(problemsOf(await enter(user_code))).toContain('already used')
    expect((await poll(device_code)).body.error).toBe('access_denied')
    wait()
    expect((await poll(device_code)).body.error).toBe('invalid_grant')
  })

  it('gets tokens of the person who takes over the browser', async () => {
    const { device_code, user_code } = await start()
    const consent = await signIn(await browser.submit(await enter(user_code), 'device'))
    const again = await browser.submit(consent, 'another')
    expect(titleOf(again)).toBe('Sign in')
    const second = await signIn(again, 'bob@example.com')
    expect(textOf(second.body)).toContain('bob@example.com')
    expect(titleOf(await browser.submit(second, 'consent'))).toBe('You are signed in')
    const { body } = await poll(device_code)
    expect(decodeJwt(body.id_token)).toMatchObject({ email: 'bob@example.com' })
  })

  it('of another client cannot use the code', async () => {
    const { device_code, user_code } = await start()
    await allow(user_code)
    expect((await poll(device_code, 'other')).body.error).toBe('invalid_grant')
    wait()
    expect((await poll(device_code)).status).toBe(200)
  })

  it('loses its code when the person signs out meanwhile', async () => {
    const { device_code, user_code } = await start()
    await allow(user_code)
    const { body: people } = await call(server, 'listUsers')
    const { _id } = people.find(({ email }: { email: string }) => email === 'ada@example.com')
    wait(2_000)
    expect((await call(server, 'signOutUser', { params: { user: _id } })).status).toBeLessThan(300)
    expect((await poll(device_code)).body.error).toBe('invalid_grant')
  })
})

describe('a user code', () => {
  it('fills the field from the address, and confirms nothing by itself', async () => {
    const { user_code, device_code, verification_uri_complete } = await start()
    const { pathname, search } = new URL(verification_uri_complete)
    const page = await browser.get(`${pathname}${search}`)
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]*; form-action 'self'; /
    )
    expect(page.body).not.toContain('<script')
    expect(page.body).toContain(`value="${user_code}"`)
    expect((await poll(device_code)).body.error).toBe('authorization_pending')
  })

  it('is confirmed once, by one of two browsers', async () => {
    const { user_code } = await start()
    const other = openBrowser(server)
    const [first, second] = [await enter(user_code), await enter(user_code, other)]
    const pages = await Promise.all([browser.submit(first, 'device'), other.submit(second, 'device')])
    expect(pages.map(titleOf).filter((title) => title === 'Sign in')).toHaveLength(1)
    expect(problemsOf(await enter(user_code))).toContain('already used')
  })

  it('is not accepted in place of the device code, nor is its digest in the store', async () => {
    const { user_code, device_code } = await start()
    await allow(user_code)
    const digest = createHash('sha256')
      .update(`UserCode:${user_code.replace('-', '')}`)
      .digest('hex')
    for (const guess of [user_code, digest, `uid ${digest}`]) {
      expect((await poll(guess)).body.error).toBe('invalid_grant')
    }
    expect((await poll(device_code)).status).toBe(200)
  })

  it('cannot be submitted from another site, or without the token of the page', async () => {
    const { user_code } = await start()
    const page = await browser.get('/oauth/device')
    const foreign = await browser.submit(page, 'device', { user_code }, { 'sec-fetch-site': 'cross-site' })
    expect([foreign.status, titleOf(foreign)]).toEqual([403, 'This form was rejected'])
    const forged = await browser.submit(page, 'device', { user_code, csrf: 'x' })
    expect([forged.status, titleOf(forged)]).toEqual([400, 'This page has expired'])
    const other = openBrowser(server)
    expect((await other.submit(page, 'device', { user_code })).status).toBe(400)
  })

  it('is refused after ten wrong ones a minute from a network, even if it is right', async () => {
    const { user_code } = await start()
    const page = await browser.get('/oauth/device')
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => browser.submit(page, 'device', { user_code: `BCDF-GH${index}` }))
    )
    const statuses = guesses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    const refused = await enter(user_code)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect(titleOf(await enter(user_code, openBrowser(server)))).toBe('Did you start this?')
  })
})

it('only digests of the codes are stored', async () => {
  const own = await storeWith({})
  await addAccounts(own, { clients: [{ clientId: 'tools', redirectUris: [LOOPBACK] }] })
  const at = await serve(own)
  const { body } = await send(at, {
    method: 'POST',
    path: '/oauth/device_authorization',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=tools'
  })
  await at.close()
  const store = await openStore(toStoreUrl(own))
  const { items } = await store.collection('authorizations').list({ where: { model: 'DeviceCode' } })
  await store.close()
  expect(items).toHaveLength(1)
  for (const code of [body.device_code, body.user_code, body.user_code.replace('-', '')]) {
    expect(JSON.stringify(items)).not.toContain(code)
  }
})

describe('device codes', () => {
  it.each([
    ['a web application', 'app', 'unauthorized_client'],
    ['a client that registered without the grant', 'stranger', 'unauthorized_client'],
    ['an API client', 'burgee-admin', 'invalid_client'],
    ['an unknown client', 'nobody', 'invalid_client']
  ])('are refused to %s', async (_, client_id, error) => {
    expect((await post('/oauth/device_authorization', { client_id })).body.error).toBe(error)
  })

  it('are refused for unknown scopes and resources', async () => {
    const scope = await post('/oauth/device_authorization', { client_id: 'tools', scope: 'nonsense' })
    expect([scope.status, scope.body.error]).toEqual([400, 'invalid_scope'])
    const resource = await post('/oauth/device_authorization', { client_id: 'tools', resource: 'https://evil.example' })
    expect([resource.status, resource.body.error]).toEqual([403, 'access_denied'])
  })

  it('are for clients that register with the grant', async () => {
    const { body } = await send(server, {
      method: 'POST',
      path: '/oauth/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'burgee on build-7',
        redirect_uris: [LOOPBACK],
        grant_types: ['authorization_code', 'refresh_token', GRANT]
      })
    })
    expect(body.grant_types).toContain(GRANT)
    const { device_code, user_code } = await start({ client_id: body.client_id })
    const consent = await signIn(await browser.submit(await enter(user_code), 'device'))
    expect(textOf(consent.body)).toContain('Its name has not been verified')
    await browser.submit(consent, 'consent')
    expect((await poll(device_code, body.client_id)).status).toBe(200)
  })

  it('are in the access log once they are redeemed or refused, without the polls before', async () => {
    // After the entries of the other tests.
    wait(1_800_000)
    const { device_code, user_code } = await start()
    await poll(device_code)
    await allow(user_code)
    wait()
    await poll(device_code)
    wait()
    await poll(device_code)
    const { body } = await call(server, 'listAccessLog', { query: { kind: 'token', clientId: 'tools' } })
    expect(body.slice(0, 2)).toMatchObject([
      { outcome: 'refused', method: GRANT, reason: 'invalid_grant', address: expect.stringMatching(/^127\.0\.2\./) },
      { outcome: 'success', method: GRANT, idp_user: expect.stringMatching(/^burgee\|/) }
    ])
    expect(JSON.stringify(body)).not.toContain('authorization_pending')
  })
})
