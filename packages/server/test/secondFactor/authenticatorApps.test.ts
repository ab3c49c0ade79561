import {
  addAccounts,
  authorize,
  type Browser,
  exchangeCode,
  formOf,
  openBrowser,
  type Page,
  problemsOf,
  textOf
} from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const PASSWORD = 'a quiet morning on the lake'
const STEP = 30_000

let server: TestServer
let moment = NOW

beforeAll(async () => {
  const directory = await storeWith({})
  const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'joe']
  await addAccounts(directory, {
    people: [
      ...names.map((name) => ({ email: `${name}@example.com`, password: PASSWORD })),
      { email: 'owner@example.com', password: PASSWORD, roles: [{ role: 'organization_owner' }] },
      { email: 'admin@example.com', password: PASSWORD, roles: [{ role: 'organization_admin' }] }
    ],
    permissions: { mode: 'full' }
  })
  server = await serve(directory)
  server.clock.now = () => moment
})

function codeOf(secret: string, at = moment): string {
  return new TOTP({ secret }).generate({ timestamp: at })
}

/** Advances the clock, so that earlier rate limits and used time steps no longer apply. */
function wait(ms = 2 * STEP): void {
  moment += ms
}

async function enterPassword(name: string, browser = openBrowser(server)): Promise<Page> {
  const fields = { email: `${name}@example.com`, password: PASSWORD }
  return browser.submit(await authorize(browser, { prompt: 'login consent' }), 'login', fields)
}

async function finish(browser: Browser, page: Page): Promise<ApiResponse['body']> {
  const end = page.location ? page : await browser.submit(page, 'consent')
  const { status, body } = await exchangeCode(server, end)
  expect([status, body.error_description]).toEqual([200, undefined])
  return body
}

/** Signs a person in with the password alone. */
async function signIn(name: string, browser = openBrowser(server)): Promise<ApiResponse['body']> {
  return finish(browser, await enterPassword(name, browser))
}

/** Adds an authenticator app to a person without one. */
async function enrol(name: string) {
  const { access_token: key, refresh_token } = await signIn(name)
  const { body: app } = await call(server, 'startAuthenticatorApp', { key })
  const confirmed = await call(server, 'confirmAuthenticatorApp', { key, body: { code: codeOf(app.secret) } })
  expect(confirmed.status).toBe(201)
  wait()
  return { key, refresh_token, secret: app.secret as string, codes: confirmed.body.recoveryCodes as string[] }
}

function titleOf({ body }: Page): string {
  return textOf(/<h1>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? '')
}

function refresh({ refresh_token }: { readonly refresh_token: string }): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app', refresh_token }).toString()
  })
}

describe('an authenticator app', () => {
  it('is added with a code, and then required after the password', async () => {
    const { access_token: key } = await signIn('ada')
    expect((await call(server, 'listSecondFactors', { key })).body).toEqual({
      factors: [],
      unusedRecoveryCodes: 0,
      isRequired: false
    })
    const early = await call(server, 'confirmAuthenticatorApp', { key, body: { code: '123456' } })
    expect([early.status, early.body.message]).toEqual([412, expect.stringContaining('there is no key to confirm')])
    const { body: app } = await call(server, 'startAuthenticatorApp', { key })
    expect(app.uri).toBe(
      `otpauth://totp/Burgee:ada%40example.com?issuer=Burgee&secret=${app.secret}&algorithm=SHA1&digits=6&period=30`
    )
    const wrong = await call(server, 'confirmAuthenticatorApp', {
      key,
      body: { code: codeOf(app.secret, moment + 5 * STEP) }
    })
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      [expect.stringContaining('code should be the current code')]
    ])
    const body = { code: codeOf(app.secret), name: 'Phone' }
    const added = await call(server, 'confirmAuthenticatorApp', { key, body })
    expect(added.body).toMatchObject({ type: 'authenticatorApp', name: 'Phone' })
    expect(new Set(added.body.recoveryCodes).size).toBe(10)
    expect(added.body.recoveryCodes[0]).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
    expect((await call(server, 'confirmAuthenticatorApp', { key, body })).status).toBe(403)

    const browser = openBrowser(server)
    const asked = await enterPassword('ada', browser)
    expect([asked.status, titleOf(asked)]).toEqual([200, 'Second step'])
    // The code that added the app was used by that.
    const used = await browser.submit(asked, 'code', { code: body.code })
    expect([used.status, problemsOf(used)]).toEqual([422, 'The code is wrong, or was already used.'])
    wait()
    const { access_token } = await finish(browser, await browser.submit(used, 'code', { code: codeOf(app.secret) }))
    expect(decodeJwt(access_token)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], auth_time: Math.floor(moment / 1000) })
    const { body: log } = await call(server, 'listAuditEntries')
    const added_ = log.flatMap(({ changes }: { changes: { type: string }[] }) => changes.map(({ type }) => type))
    expect(added_).toEqual(expect.arrayContaining(['createdSecondFactor', 'createdRecoveryCodes']))
    expect(JSON.stringify(log)).not.toContain(app.secret)
  })

  it('is asked for before a temporary password is replaced', async () => {
    const { secret } = await enrol('ivy')
    const email = 'ivy@example.com'
    const reset = await call(server, 'resetPassword', { params: { user: email }, body: {} })
    const { password } = reset.body
    const enter = async (browser: Browser, given: string) =>
      browser.submit(await authorize(browser, { prompt: 'login consent' }), 'login', { email, password: given })
    const browser = openBrowser(server)
    const asked = await enter(browser, password)
    expect(titleOf(asked)).toBe('Second step')
    wait()
    const chosen = await browser.submit(asked, 'code', { code: codeOf(secret) })
    expect(titleOf(chosen)).toBe('Choose a new password')
    // The temporary password is still valid.
    expect(titleOf(await enter(openBrowser(server), password))).toBe('Second step')
    const next = 'seven geese on a frozen pond'
    const fields = { 'new-password': next, 'repeated-password': next }
    const { access_token } = await finish(browser, await browser.submit(chosen, 'password', fields))
    expect(decodeJwt(access_token).amr).toEqual(['pwd', 'otp', 'mfa'])
    expect(titleOf(await enter(openBrowser(server), next))).toBe('Second step')
  })

  it('accepts each time step once, the one before and the one after, regardless of spaces', async () => {
    const { secret } = await enrol('bob')
    const browser = openBrowser(server)
    const attempt = async (code: string) =>
      (await browser.submit(await enterPassword('bob', browser), 'code', { code })).status
    expect(await attempt(codeOf(secret, moment - 2 * STEP))).toBe(422)
    expect(await attempt(codeOf(secret, moment - STEP).replace(/^.../, '$& '))).toBe(200)
    const next = codeOf(secret, moment + STEP)
    expect([await attempt(next), await attempt(next), await attempt(codeOf(secret))]).toEqual([200, 422, 422])
    wait()
    const code = codeOf(secret)
    const first = await enterPassword('bob', browser)
    const other = openBrowser(server)
    const second = await enterPassword('bob', other)
    const both = await Promise.all([browser.submit(first, 'code', { code }), other.submit(second, 'code', { code })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('can be replaced by each recovery code once', async () => {
    const { codes } = await enrol('cyd')
    const [first = '', second = ''] = codes
    const attempt = async (code: string) => {
      const browser = openBrowser(server)
      return (await browser.submit(await enterPassword('cyd', browser), 'code', { code })).status
    }
    expect([await attempt(first), await attempt(first)]).toEqual([200, 422])
    expect(await attempt(second.toUpperCase().replaceAll('-', ' '))).toBe(200)
    const { body } = await call(server, 'listAccessLog', { query: { kind: 'signIn' } })
    expect(body.slice(0, 3).map(({ method, outcome }: Record<string, string>) => [method, outcome])).toContainEqual([
      'recoveryCode',
      'success'
    ])
    expect(body).toContainEqual(expect.objectContaining({ outcome: 'refused', reason: 'wrong_code', method: 'totp' }))
  })

  it('cannot be skipped after the password', async () => {
    const { key } = await enrol('dan')
    const browser = openBrowser(server)
    const asked = await enterPassword('dan', browser)
    const { action, hidden } = formOf(asked, 'code')
    // The interaction still requires a sign-in: neither its page nor consent continues, and there is no session.
    expect(titleOf(await browser.get(action.replace(/\/code$/, '')))).toBe('Sign in')
    expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
    // The ticket of the first step opens no other page, and no other interaction.
    const forge = (to: string, from: Page) => ({ ...from, body: String(from.body).replaceAll('/code"', `/${to}"`) })
    for (const to of ['enrolled', 'enrol', 'consent', 'password']) {
      expect((await browser.submit(forge(to, asked), to, { code: '' })).status).toBe(403)
    }
    const elsewhere = await enterPassword('ada', browser)
    const moved = await browser.submit(elsewhere, 'code', { ticket: hidden.ticket ?? '', code: '123456' })
    expect([moved.status, titleOf(moved)]).toEqual([400, 'This page has expired'])
    // A sign-out in between invalidates the ticket.
    await call(server, 'signOutEverywhere', { key })
    expect((await browser.submit(asked, 'code', { code: '123456' })).status).toBe(400)
  })

  it('limits codes by person and network, without affecting known browsers and other people', async () => {
    const { secret } = await enrol('eve')
    const known = openBrowser(server)
    await finish(known, await known.submit(await enterPassword('eve', known), 'code', { code: codeOf(secret) }))
    wait()
    const attacker = openBrowser(server)
    const asked = await enterPassword('eve', attacker)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++) {
      statuses.push((await attacker.submit(asked, 'code', { code: '000000' })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    const refused = await attacker.submit(asked, 'code', { code: codeOf(secret) })
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(refused.headers['retry-later']).toEqual(expect.any(String))
    const page = await known.submit(await enterPassword('eve', known), 'code', { code: codeOf(secret) })
    expect(page.status).toBe(200)
  })

  it('counts wrong and used codes, not right ones', async () => {
    const { secret } = await enrol('joe')
    const enter = async (...codes: readonly string[]) => {
      const browser = openBrowser(server)
      const asked = await enterPassword('joe', browser)
      const statuses: number[] = []
      for (const code of codes) statuses.push((await browser.submit(asked, 'code', { code })).status)
      return statuses
    }
    const wrong = '000000'
    expect(await enter(wrong, wrong, wrong, wrong, codeOf(secret))).toEqual([422, 422, 422, 422, 200])
    const used = codeOf(secret)
    wait()
    expect(await enter(used, wrong, wrong, wrong, codeOf(secret))).toEqual([422, 422, 422, 422, 200])
    wait()
    // Ten for the person in unknown browsers.
    expect(await enter(wrong, wrong, codeOf(secret))).toEqual([422, 422, 429])
  })
})

describe('changing second factors', () => {
  it('requires a sign-in within the last ten minutes, with the second factor', async () => {
    const { key, secret } = await enrol('fay')
    const without = await call(server, 'startAuthenticatorApp', { key })
    expect([without.status, without.body.message]).toEqual([403, expect.stringContaining('with the second factor')])
    const browser = openBrowser(server)
    const page = await browser.submit(await enterPassword('fay', browser), 'code', { code: codeOf(secret) })
    const { access_token: recent } = await finish(browser, page)
    const { body } = await call(server, 'replaceRecoveryCodes', { key: recent })
    expect(body.recoveryCodes).toHaveLength(10)
    wait(11 * 60_000)
    const late = await call(server, 'replaceRecoveryCodes', { key: recent })
    expect([late.status, late.body.message]).toEqual([
      403,
      expect.stringContaining('a sign-in within the last ten minutes')
    ])
    const again = await browser.submit(await enterPassword('fay', browser), 'code', { code: body.recoveryCodes[0] })
    const { access_token } = await finish(browser, again)
    const { factors } = (await call(server, 'listSecondFactors', { key: access_token })).body
    const params = { factor: factors[0]._id }
    const eve = await signIn('gus')
    expect((await call(server, 'deleteSecondFactor', { key: eve.access_token, params })).status).toBe(404)
    expect((await call(server, 'deleteSecondFactor', { key: access_token, params })).status).toBe(200)
    const left = await call(server, 'listSecondFactors', { key: access_token })
    expect(left.body).toEqual({ factors: [], unusedRecoveryCodes: 0, isRequired: false })
    const none = await call(server, 'replaceRecoveryCodes', { key: access_token })
    expect([none.status, none.body.message]).toEqual([412, expect.stringContaining('need a second factor')])
  })

  it('is not affected by requests to change the client of the page, and a start restores an earlier change', async () => {
    const at = await serve(await storeWith({}))
    expect(titleOf(await openBrowser(at).get('/oauth/account'))).toBe('Sign in')
    const params = { client: 'burgee-account' }
    const expiresAt = new Date(NOW + 1_000).toISOString()
    const attempts = [
      call(at, 'updateApiClient', { params, body: { expiresAt } }),
      call(at, 'updateApiClient', { params, body: { name: 'Pay here' } }),
      call(at, 'rotateApiClientSecret', { params }),
      call(at, 'deleteApiClient', { params })
    ]
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.message]).toEqual([403, expect.stringContaining('the server manages "burgee-account"')])
    }
    const before = await call(at, 'getApiClient', { params })
    await at.close()
    const store = await openStore(toStoreUrl(at.directory))
    const { _id } = (await store.collection('clients').get({ clientId: 'burgee-account' })) ?? { _id: '' }
    await store.collection('clients').update(_id, { expiresAt, allowedNetworks: ['192.0.2.0/24'], name: 'Pay here' })
    await store.close()
    const again = await serve(at.directory, {}, NOW + 5_000)
    const after = await call(again, 'getApiClient', { params })
    const { redirectUris: _, updatedAt: _at, ...members } = before.body
    expect(after.body).toMatchObject(members)
    expect(Object.keys(after.body)).not.toEqual(expect.arrayContaining(['expiresAt']))
    expect(after.body.allowedNetworks).toBeUndefined()
    expect(titleOf(await openBrowser(again).get('/oauth/account'))).toBe('Sign in')
  })

  it('is finished with the token or in the session that began it', async () => {
    const { access_token: key } = await signIn('hal')
    const { access_token: other } = await signIn('hal')
    const { body: app } = await call(server, 'startAuthenticatorApp', { key })
    const early = await call(server, 'confirmAuthenticatorApp', { key: other, body: { code: codeOf(app.secret) } })
    expect(early.status).toBe(412)
    const browser = openBrowser(server)
    const page = await browser.get('/oauth/account')
    const shown = await browser.submit(
      await browser.submit(page, 'login', { email: 'hal@example.com', password: PASSWORD }),
      'app'
    )
    const wrong = await browser.submit(shown, 'confirm', { code: codeOf(app.secret) })
    expect([wrong.status, shown.body.includes(app.secret)]).toEqual([422, false])
    const secret = (/<dd class="key">(.*?)<\/dd>/.exec(String(wrong.body))?.[1] ?? '').replaceAll(' ', '')
    expect(shown.body).toContain(secret)
    // Neither replaced the first key.
    const body = { code: codeOf(app.secret) }
    expect((await call(server, 'confirmAuthenticatorApp', { key, body })).status).toBe(201)
    const late = await browser.submit(wrong, 'confirm', { code: codeOf(secret) })
    expect(titleOf(late)).toBe('Sign in')
  })

  it('is limited to the person; administrators can remove the factors of others, which signs them out', async () => {
    const client = await call(server, 'listSecondFactors')
    expect([client.status, client.body.message]).toEqual([403, expect.stringContaining('only a person can do this')])
    const ada = await signIn('gus')
    const params = { user: 'gus@example.com' }
    expect((await call(server, 'resetSecondFactors', { key: ada.access_token, params })).status).toBe(403)
    const enrolled = await enrol('gus')
    const { access_token: key } = await signIn('owner')
    const own = await call(server, 'resetSecondFactors', { key, params: { user: 'owner@example.com' } })
    expect([own.status, own.body.message]).toEqual([403, expect.stringContaining('requires a recent sign-in')])
    const admin = await call(server, 'resetSecondFactors', { key, params: { user: 'admin@example.com' } })
    expect(admin.status).toBe(403)
    wait()
    expect((await call(server, 'resetSecondFactors', { key, params })).status).toBe(200)
    expect((await refresh(enrolled)).status).toBe(400)
    const [entry] = (await call(server, 'listAuditEntries')).body
    expect(entry.changes.map(({ type }: { type: string }) => type)).toEqual([
      'deletedSecondFactor',
      'deletedRecoveryCodes',
      'modifiedUser'
    ])
    expect(entry.changes[2].metadata).toMatchObject({ secondFactors: 'removed' })
    expect(titleOf(await enterPassword('gus'))).toBe('Allow access?')
  })

  it('is refused to clients of the person, and so is resetting the password', async () => {
    let { access_token: key } = await signIn('admin')
    // The second client is created by the first one.
    for (const name of ['First', 'Second']) {
      const body = { name, roles: [{ role: 'organization_admin' as const }] }
      const { status, body: made } = await call(server, 'createApiClient', { key, body })
      expect(status).toBe(201)
      const credentials = { client_id: made.clientId, client_secret: made.clientSecret }
      const { body: issued } = await send(server, {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ grant_type: 'client_credentials', ...credentials })
      })
      key = issued.access_token
      const own = { key, params: { user: 'admin@example.com' } }
      const factors = await call(server, 'resetSecondFactors', own)
      const password = await call(server, 'resetPassword', { ...own, body: {} })
      expect([factors.status, password.status]).toEqual([403, 403])
      expect([factors.body.message, password.body.message]).toEqual([
        expect.stringContaining('requires a recent sign-in'),
        expect.stringContaining('requires the current one')
      ])
    }
    const other = { key, params: { user: 'ivy@example.com' } }
    expect((await call(server, 'resetSecondFactors', other)).status).toBe(200)
  })
})
