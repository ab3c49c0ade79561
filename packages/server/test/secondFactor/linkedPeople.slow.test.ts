import { createAuthenticator, type SoftwareAuthenticator } from '@burgee/testing/authenticator'
import {
  addAccounts,
  authorize,
  type Browser,
  exchangeCode,
  openBrowser,
  type Page,
  problemsOf,
  textOf
} from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, serveShared, storeWith, type TestServer } from '@burgee/testing/harness'
import { decodeJwt } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAddress, serveProvider, signInUpstream, upstreamOptions } from '../support/processes/upstreamProvider.ts'

const PASSWORD = 'a quiet morning on the lake'

let server: TestServer
let provider: Awaited<ReturnType<typeof serveProvider>>
let issuer: string

beforeAll(async () => {
  const place = await openAddress()
  issuer = place.url
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'assigned@example.com', password: PASSWORD, identity: { issuer, subject: 'assigned' } },
      { email: 'local@example.com', password: PASSWORD }
    ]
  })
  server = await serve(directory, upstreamOptions(place))
  provider = await serveProvider(place, `${server.url}/oauth/callback`, { hasRefreshTokens: true })
})

beforeEach(() => {
  // The provider of the test signs people in at the real time.
  server.clock.now = Date.now
})

function addressOf({ body }: Page, end: string): string {
  return new RegExp(`href="([^"]*/${end})"`).exec(body)?.[1] ?? ''
}

function titleOf({ body }: Page): string {
  return textOf(/<h1>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? '')
}

/** Signs a person in at the provider, and follows the browser back. */
async function signInThroughProvider(
  sub: string,
  browser: Browser,
  { prompt = 'login consent', ...claims }: { readonly prompt?: string; readonly amr?: unknown } = {}
): Promise<Page> {
  provider.letIn({ sub, email: `${sub}@example.com`, email_verified: true, name: sub, ...claims })
  const { location } = await browser.get(addressOf(await authorize(browser, { prompt }), 'provider'))
  return browser.get(await signInUpstream(location as URL))
}

async function finish(browser: Browser, page: Page): Promise<ApiResponse['body']> {
  const { status, body } = await exchangeCode(server, await browser.submit(page, 'consent'))
  expect([status, body.error_description]).toEqual([200, undefined])
  return body
}

async function addPasskey(key: string): Promise<SoftwareAuthenticator> {
  const authenticator = createAuthenticator(server.url)
  const { body: options } = await call(server, 'startPasskey', { key })
  const credential = authenticator.create(options.challenge) as never
  expect((await call(server, 'addPasskey', { key, body: { name: 'Laptop', credential } })).status).toBe(201)
  return authenticator
}

/** Answers a passkey page. */
function usePasskey(browser: Browser, page: Page, authenticator: SoftwareAuthenticator): Promise<Page> {
  const [, options = ''] = /data-options="([^"]*)"/.exec(String(page.body)) ?? []
  const credential = authenticator.get(JSON.parse(textOf(options)).challenge)
  return browser.submit(page, 'assertion', { credential: JSON.stringify(credential) })
}

function refresh(refreshToken: string, from = server): Promise<ApiResponse> {
  return send(from, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refreshToken }).toString()
  })
}

async function withRequirement<T>(work: () => Promise<T>): Promise<T> {
  await call(server, 'updateOrganizationSettings', { body: { secondFactor: 'required' } })
  try {
    return await work()
  } finally {
    await call(server, 'updateOrganizationSettings', { body: { secondFactor: 'optional' } })
  }
}

describe('a person who signs in through the identity provider', () => {
  it('does not sign in by passkey alone, so that a leaver keeps no access', async () => {
    const first = openBrowser(server)
    const { access_token: key } = await finish(first, await signInThroughProvider('ada', first))
    const passkey = await addPasskey(key)
    provider.disable('ada')
    const browser = openBrowser(server)
    const page = await browser.get(addressOf(await authorize(browser), 'passkey'))
    const refused = await usePasskey(browser, page, passkey)
    expect([refused.status, problemsOf(refused)]).toEqual([
      422,
      'Sign in through your identity provider: your passkey counts as the second step only.'
    ])
    expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
    const { body } = await call(server, 'listAccessLog', { query: { kind: 'signIn' } })
    expect(body[0]).toMatchObject({ method: 'passkey', outcome: 'refused', reason: 'provider_required' })
  })

  it('does not sign in with a password, and gets none', async () => {
    const browser = openBrowser(server)
    const fields = { email: 'assigned@example.com', password: PASSWORD }
    const refused = await browser.submit(await authorize(browser), 'login', fields)
    expect([refused.status, problemsOf(refused)]).toEqual([422, 'The e-mail address or the password is wrong.'])
    const { body } = await call(server, 'listAccessLog', { query: { kind: 'signIn' } })
    expect(body[0]).toMatchObject({ method: 'password', outcome: 'refused', reason: 'provider_required' })
    const reset = await call(server, 'resetPassword', { params: { user: 'assigned@example.com' }, body: {} })
    expect([reset.status, reset.body.message]).toEqual([
      412,
      'assigned@example.com signs in through the identity provider, and cannot use a password'
    ])
  })

  it('is asked for a second factor, unless the provider reports several factors', async () => {
    const first = openBrowser(server)
    const { access_token: key } = await finish(first, await signInThroughProvider('gus', first))
    await addPasskey(key)
    const titles = []
    for (const amr of [undefined, ['pwd'], 'mfa', ['mfa']]) {
      titles.push(titleOf(await signInThroughProvider('gus', openBrowser(server), { amr })))
    }
    expect(titles).toEqual(['Second step', 'Second step', 'Second step', 'Allow access?'])
    // The sign-in before had no second factor.
    const refused = await call(server, 'startPasskey', { key })
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('with the second factor')])
  })

  it('must sign in again at the provider before a change of second factors', async () => {
    const browser = openBrowser(server)
    const { access_token: silent } = await finish(
      browser,
      await signInThroughProvider('hal', browser, { prompt: 'consent' })
    )
    const refused = await call(server, 'startPasskey', { key: silent })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('within the last ten minutes')
    ])
  })

  it('uses a passkey as the second step, in a session that the provider can end', async () => {
    const first = openBrowser(server)
    const { access_token: key } = await finish(first, await signInThroughProvider('eve', first))
    const passkey = await addPasskey(key)
    await withRequirement(async () => {
      const browser = openBrowser(server)
      const asked = await signInThroughProvider('eve', browser, { amr: ['pwd'] })
      expect(titleOf(asked)).toBe('Second step')
      const page = await browser.submit(asked, 'passkeyStep')
      const { access_token, refresh_token } = await finish(browser, await usePasskey(browser, page, passkey))
      expect(decodeJwt(access_token)).toMatchObject({ amr: ['swk', 'user', 'mfa'] })
      expect((await call(server, 'listProjects', { key: access_token })).status).toBe(200)
      provider.disable('eve')
      expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
      expect((await call(server, 'listProjects', { key: access_token })).status).toBe(401)
    })
  })

  it('keeps a session of the provider when a second factor becomes required', async () => {
    const browser = openBrowser(server)
    const { refresh_token } = await finish(browser, await signInThroughProvider('ivy', browser))
    await withRequirement(async () => {
      expect((await refresh(refresh_token)).status).toBe(200)
      expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.has('code')).toBe(true)
    })
  })

  it('signs in with an assigned password once the server has no provider, until a second factor is required', async () => {
    await server.close()
    const alone = await serve(server.directory)
    const browser = openBrowser(alone)
    const fields = { email: 'assigned@example.com', password: PASSWORD }
    const page = await browser.submit(await authorize(browser), 'login', fields)
    expect(titleOf(page)).toBe('Allow access?')
    const { body: tokens } = await exchangeCode(alone, await browser.submit(page, 'consent'))
    const late = await authorize(browser, { prompt: 'none' })
    expect(late.location?.searchParams.has('code')).toBe(true)
    await call(alone, 'updateOrganizationSettings', { body: { secondFactor: 'required' } })
    expect((await exchangeCode(alone, late)).status).toBe(400)
    expect((await refresh(tokens.refresh_token, alone)).body.error).toBe('invalid_grant')
    expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
    await call(alone, 'updateOrganizationSettings', { body: { secondFactor: 'optional' } })
    await alone.close()
    server = await serveShared(server.directory, {
      ...upstreamOptions({ url: issuer }),
      port: Number(new URL(server.url).port)
    })
  })
})

describe('a passkey as the second step', () => {
  const enterPassword = async (browser: Browser) => {
    const fields = { email: 'local@example.com', password: PASSWORD }
    return browser.submit(await authorize(browser), 'login', fields)
  }
  let own: SoftwareAuthenticator

  beforeAll(async () => {
    const browser = openBrowser(server)
    const { access_token } = await finish(browser, await enterPassword(browser))
    own = await addPasskey(access_token)
  })

  it('keeps the method of the first step', async () => {
    const browser = openBrowser(server)
    const page = await browser.submit(await enterPassword(browser), 'passkeyStep')
    const { access_token } = await finish(browser, await usePasskey(browser, page, own))
    expect(decodeJwt(access_token)).toMatchObject({ amr: ['pwd', 'swk', 'user', 'mfa'] })
  })

  it('is refused with the passkey of another person, or without the first step', async () => {
    const other = openBrowser(server)
    const { access_token } = await finish(other, await signInThroughProvider('fay', other))
    const foreign = await addPasskey(access_token)
    const browser = openBrowser(server)
    const page = await browser.submit(await enterPassword(browser), 'passkeyStep')
    const refused = await usePasskey(browser, page, foreign)
    expect([refused.status, problemsOf(refused)]).toEqual([422, 'This passkey was not accepted. Try again.'])
    // The page keeps the first step for another attempt.
    const again = await finish(browser, await usePasskey(browser, refused, own))
    expect(decodeJwt(again.access_token)).toMatchObject({ amr: ['pwd', 'swk', 'user', 'mfa'] })
    const forger = openBrowser(server)
    const asked = await enterPassword(forger)
    const forged = {
      ...asked,
      body: String(asked.body).replace(/name="ticket" value="[^"]*"/g, 'name="ticket" value="x"')
    }
    expect((await forger.submit(forged, 'passkeyStep')).status).toBe(400)
  })
})
