import { createAuthenticator } from '@burgee/testing/authenticator'
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
import { call, options, send, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { startServer } from '../../src/server.ts'

const PASSWORD = 'a quiet morning on the lake'

async function serveAccounts(): Promise<TestServer> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', password: PASSWORD },
      { email: 'viewer@example.com', password: PASSWORD, roles: [{ role: 'viewer' }] },
      { email: 'owner@example.com', password: PASSWORD, roles: [{ role: 'organization_owner' }] }
    ],
    permissions: { mode: 'full' }
  })
  return serve(directory)
}

async function enterPassword(browser: Browser, name = 'ada'): Promise<Page> {
  const fields = { email: `${name}@example.com`, password: PASSWORD }
  return browser.submit(await authorize(browser, { prompt: 'login consent' }), 'login', fields)
}

async function finish(server: TestServer, browser: Browser, page: Page) {
  return (await exchangeCode(server, await browser.submit(page, 'consent'))).body
}

function titleOf({ body }: Page): string {
  return textOf(/<h1>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? '')
}

function secretOf({ body }: Page): string {
  return (/<dd class="key">(.*?)<\/dd>/.exec(body)?.[1] ?? '').replaceAll(' ', '')
}

async function refresh(server: TestServer, token: string): Promise<number> {
  const { status } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }).toString()
  })
  return status
}

const required = { body: { secondFactor: 'required' } } as const

describe('an organization that requires a second factor', () => {
  it('makes people add one at their next sign-in, and ends earlier sign-ins at the next refresh', async () => {
    const server = await serveAccounts()
    const earlier = openBrowser(server)
    const { refresh_token } = await finish(server, earlier, await enterPassword(earlier))
    expect((await call(server, 'updateOrganizationSettings', required)).body.secondFactor).toBe('required')
    expect(await refresh(server, refresh_token)).toBe(400)
    expect((await authorize(earlier, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
    // Clients have no second factor.
    expect((await call(server, 'listProjects', { key: await tokenOf(server) })).status).toBe(200)

    const browser = openBrowser(server)
    const asked = await enterPassword(browser)
    expect([titleOf(asked), asked.headers['content-security-policy']]).toEqual([
      'Add a second step',
      expect.not.stringContaining('script')
    ])
    const secret = secretOf(asked)
    const wrong = await browser.submit(asked, 'enrol', { code: '000000' })
    expect([wrong.status, problemsOf(wrong), secretOf(wrong)]).toEqual([422, expect.stringContaining('wrong'), secret])
    const code = new TOTP({ secret }).generate({ timestamp: NOW })
    const codes = await browser.submit(wrong, 'enrol', { code })
    expect([titleOf(codes), codes.body.match(/<li>/g)]).toMatchObject(['Your recovery codes', { length: 10 }])
    // The password alone adds no second app.
    expect((await browser.submit(wrong, 'enrol', { code })).status).toBe(400)
    const { access_token: key, refresh_token: kept } = await finish(
      server,
      browser,
      await browser.submit(codes, 'enrolled')
    )
    expect(decodeJwt(key).amr).toEqual(['pwd', 'otp', 'mfa'])
    expect(await refresh(server, kept)).toBe(200)

    const { factors, isRequired } = (await call(server, 'listSecondFactors', { key })).body
    expect([factors.length, isRequired]).toEqual([1, true])
    const params = { factor: factors[0]._id }
    const last = await call(server, 'deleteSecondFactor', { key, params })
    expect([last.status, last.body.message]).toEqual([412, expect.stringContaining('the organization requires')])
    const { body: log } = await call(server, 'listAccessLog', { query: { kind: 'signIn' } })
    const reasons = log.map(({ reason }: { reason?: string }) => reason)
    expect(reasons).toEqual(
      expect.arrayContaining(['second_factor_enrolment_required', 'wrong_code', 'second_factor_added'])
    )
  })

  it('creates a separate key for each browser, and accepts the first one that is confirmed', async () => {
    const server = await serveAccounts()
    await call(server, 'updateOrganizationSettings', required)
    const browsers = [openBrowser(server), openBrowser(server)] as const
    const codeOf = (page: Page) => ({ code: new TOTP({ secret: secretOf(page) }).generate({ timestamp: NOW }) })
    const mine = await enterPassword(browsers[0])
    // Another person who knows the password.
    const other = await enterPassword(browsers[1])
    const wrong = await browsers[0].submit(mine, 'enrol', { code: '000000' })
    expect([secretOf(wrong), secretOf(other)]).toEqual([secretOf(mine), expect.not.stringMatching(secretOf(mine))])
    expect((await browsers[0].submit(mine, 'enrol', codeOf(other))).status).toBe(422)
    const submitted = [
      browsers[0].submit(mine, 'enrol', codeOf(mine)),
      browsers[1].submit(other, 'enrol', codeOf(other))
    ]
    const titles = (await Promise.all(submitted)).map(titleOf)
    expect(titles.sort()).toEqual(['This page has expired', 'Your recovery codes'])
  })

  it('is changed by the settings of the organization', async () => {
    const server = await serveAccounts()
    const [viewer, owner] = [openBrowser(server), openBrowser(server)]
    const { access_token: weak } = await finish(server, viewer, await enterPassword(viewer, 'viewer'))
    expect((await call(server, 'updateOrganizationSettings', { key: weak, ...required })).status).toBe(403)
    const { access_token: key } = await finish(server, owner, await enterPassword(owner, 'owner'))
    const { status, body } = await call(server, 'updateOrganizationSettings', { key, ...required })
    expect([status, body.secondFactor, body.permissions.mode]).toEqual([200, 'required', 'full'])
    const wrong = await call(server, 'updateOrganizationSettings', { body: { secondFactor: 'always' as 'optional' } })
    expect(wrong.status).toBe(400)
  })
})

describe('with passwords disabled', () => {
  const provider = {
    oidcIssuer: 'https://login.example.com',
    oidcClientId: 'burgee',
    oidcClientSecret: 'the-secret-at-the-provider'
  }

  it('nobody can sign in by password, or set or get one', async () => {
    const { directory, close } = await serveAccounts()
    await close()
    const server = await serve(directory, { passwords: 'off', ...provider })
    const browser = openBrowser(server)
    const page = await authorize(browser)
    expect(page.body).not.toContain('type="password"')
    expect(textOf(page.body)).toMatch(/Sign in with your organization\s+Sign in with a passkey/)
    const forged = { ...page, body: page.body.replaceAll('/abort"', '/login"') }
    const refused = await browser.submit(forged, 'login', { email: 'ada@example.com', password: PASSWORD })
    expect(refused.status).toBe(403)

    const body = { email: 'new@example.com', name: 'New' }
    const created = await call(server, 'createUser', { body })
    expect([created.status, created.body.hasPassword, created.body.mustChangePassword]).toEqual([201, false, false])
    expect(created.body).not.toHaveProperty('password')
    const off = 'passwords are disabled on this server (BURGEE_PASSWORDS)'
    const given = { ...body, email: 'other@example.com', password: 'nine herons over the mill' }
    const user = { user: 'ada@example.com' }
    const answers = [
      await call(server, 'createUser', { body: given }),
      await call(server, 'resetPassword', { params: user, body: {} }),
      await call(server, 'changePassword', { body: { currentPassword: PASSWORD, newPassword: given.password } })
    ]
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [412, off],
      [412, off],
      [412, off]
    ])
  })

  it('starts only if people can sign in another way', async () => {
    const server = await serveAccounts()
    const browser = openBrowser(server)
    const { access_token: key } = await finish(server, browser, await enterPassword(browser))
    const { body } = await call(server, 'startPasskey', { key })
    const credential = createAuthenticator(server.url).create(body.challenge) as never
    const off = { ...options, passwords: 'off' } as const
    await expect(startServer(off)).rejects.toThrow('BURGEE_PASSWORDS cannot be off: no one could sign in')
    expect((await call(server, 'addPasskey', { key, body: { credential } })).status).toBe(201)
    await server.close()
    const alone = await serve(server.directory, { passwords: 'off' })
    const refused = await call(alone, 'createUser', { body: { email: 'new@example.com', name: 'New' } })
    expect([refused.status, refused.body.message]).toEqual([412, expect.stringContaining('the user could not sign in')])
  })

  it('is set by a flag, and refuses values other than on and off', () => {
    expect(parseOptions(['--passwords', 'off'], {}).passwords).toBe('off')
    expect(() => parseOptions([], { BURGEE_PASSWORDS: 'no' })).toThrow('BURGEE_PASSWORDS')
  })
})
