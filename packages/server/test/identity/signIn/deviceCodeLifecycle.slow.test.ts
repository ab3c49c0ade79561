import { addAccounts, authorize, type Browser, openBrowser, type Page, textOf } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import type { Options } from '../../../src/cli/options.ts'
import { createPollLimit } from '../../../src/identity/endpoints/pollInterval.ts'
import { digestBearer } from '../../../src/identity/oauth/digestBearer.ts'
import { openStore } from '../../../src/storage/open/openStore.ts'
import {
  openAddress,
  serveProvider,
  signInUpstream,
  upstreamOptions
} from '../../support/processes/upstreamProvider.ts'

const PASSWORD = 'a quiet morning on the lake'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const LOOPBACK = 'http://127.0.0.1/callback'

async function serveAccounts(options: Partial<Options> = {}): Promise<TestServer> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }],
    clients: [
      { clientId: 'tools', name: 'Tools', redirectUris: [LOOPBACK] },
      { clientId: 'other', name: 'Other', redirectUris: [LOOPBACK] }
    ]
  })
  return serve(directory, options)
}

function post(server: TestServer, path: string, parameters: Readonly<Record<string, string>>): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString()
  })
}

async function start(server: TestServer): Promise<{ readonly device_code: string; readonly user_code: string }> {
  const { status, body } = await post(server, '/oauth/device_authorization', {
    client_id: 'tools',
    scope: 'openid profile email'
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Polls, after a pause that is long enough for the interval. */
function redeem(server: TestServer, device_code: string): Promise<ApiResponse> {
  const at = server.clock.now() + 10_000
  server.clock.now = () => at
  return post(server, '/oauth/token', { grant_type: GRANT, client_id: 'tools', device_code })
}

async function confirm(browser: Browser, user_code: string): Promise<Page> {
  return browser.submit(await enter(browser, user_code), 'device')
}

async function enter(browser: Browser, user_code: string): Promise<Page> {
  return browser.submit(await browser.get('/oauth/device'), 'device', { user_code })
}

function enterPassword(browser: Browser, page: Page): Promise<Page> {
  return browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
}

function refresh(server: TestServer, { refresh_token }: { readonly refresh_token: string }): Promise<ApiResponse> {
  return post(server, '/oauth/token', { grant_type: 'refresh_token', client_id: 'tools', refresh_token })
}

async function signIn(server: TestServer) {
  const { device_code, user_code } = await start(server)
  const browser = openBrowser(server)
  const consent = await enterPassword(browser, await confirm(browser, user_code))
  await browser.submit(consent, 'consent')
  const { status, body } = await redeem(server, device_code)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const required = { body: { secondFactor: 'required' } } as const

const titleOf = ({ body }: Page) => textOf(/<h1>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? String(body))
const statusOf = async (server: TestServer, key: string) => (await call(server, 'listProjects', { key })).status

describe('the tokens of a device', () => {
  it('end when their client revokes them, and not for another client (RFC 7009)', async () => {
    const server = await serveAccounts()
    const tokens = await signIn(server)
    for (const token of [tokens.refresh_token, tokens.access_token]) {
      await post(server, '/oauth/revoke', { client_id: 'other', token })
    }
    expect(await statusOf(server, tokens.access_token)).toBe(200)
    expect((await post(server, '/oauth/revoke', { client_id: 'tools', token: tokens.refresh_token })).status).toBe(200)
    expect(await statusOf(server, tokens.access_token)).toBe(401)
    expect((await refresh(server, tokens)).body.error).toBe('invalid_grant')

    const next = await signIn(server)
    expect((await post(server, '/oauth/revoke', { client_id: 'tools', token: next.access_token })).status).toBe(200)
    expect(await statusOf(server, next.access_token)).toBe(401)
  })
})

describe('a sign-in by a device code', () => {
  it('asks for the required second factor', async () => {
    const server = await serveAccounts()
    expect((await call(server, 'updateOrganizationSettings', required)).status).toBe(200)
    const { device_code, user_code } = await start(server)
    const browser = openBrowser(server)
    const asked = await enterPassword(browser, await confirm(browser, user_code))
    expect(titleOf(asked)).toBe('Add a second step')
    expect((await redeem(server, device_code)).body.error).toBe('authorization_pending')
    const [, secret = ''] = /<dd class="key">(.*?)<\/dd>/.exec(asked.body) ?? []
    const code = new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: server.clock.now() })
    const consent = await browser.submit(await browser.submit(asked, 'enrol', { code }), 'enrolled')
    expect(titleOf(await browser.submit(consent, 'consent'))).toBe('You are signed in')
    const { body } = await redeem(server, device_code)
    expect(decodeJwt(body.access_token).amr).toEqual(['pwd', 'otp', 'mfa'])
  })

  it('with a password alone gets no tokens once a second factor is required', async () => {
    const server = await serveAccounts()
    const { device_code, user_code } = await start(server)
    const browser = openBrowser(server)
    const consent = await enterPassword(browser, await confirm(browser, user_code))
    expect(titleOf(await browser.submit(consent, 'consent'))).toBe('You are signed in')
    expect((await call(server, 'updateOrganizationSettings', required)).status).toBe(200)
    expect((await redeem(server, device_code)).body.error).toBe('invalid_grant')
  })

  it('through an identity provider ends when the provider refuses the person', async () => {
    const place = await openAddress()
    const server = await serveAccounts(upstreamOptions(place))
    const provider = await serveProvider(place, `${server.url}/oauth/callback`)
    provider.letIn({ sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace' })
    const { device_code, user_code } = await start(server)
    const browser = openBrowser(server)
    const login = await confirm(browser, user_code)
    const [, link = ''] = /<a class="button plain" href="([^"]*)">Sign in with/.exec(login.body) ?? []
    const { location } = await browser.get(link)
    if (!location) throw new Error('the browser was not sent to the provider')
    const consent = await browser.get(await signInUpstream(location))
    expect(textOf(consent.body)).toContain('grace@example.com')
    expect(titleOf(await browser.submit(consent, 'consent'))).toBe('You are signed in')
    const { body: tokens } = await redeem(server, device_code)
    expect(decodeJwt(tokens.id_token)).toMatchObject({ email: 'grace@example.com' })
    const kept = await refresh(server, tokens)
    expect(kept.status).toBe(200)
    provider.disable('grace')
    expect((await refresh(server, kept.body)).body.error).toBe('invalid_grant')
  })

  it('continues at its own address only, as does that of an application', async () => {
    const server = await serveAccounts()
    const { device_code, user_code } = await start(server)
    const browser = openBrowser(server)
    const ofDevice = await confirm(browser, user_code)
    browser.sendEverywhere()
    const astray = await browser.get(`/oauth/authorize/${ofDevice.path.split('/').at(-1)}`)
    expect([astray.status, titleOf(astray)]).toEqual([400, 'This page has expired'])
    const consent = await enterPassword(browser, ofDevice)
    expect(titleOf(await browser.submit(consent, 'consent'))).toBe('You are signed in')
    expect((await redeem(server, device_code)).status).toBe(200)

    const other = openBrowser(server)
    const ofApplication = await authorize(other)
    other.sendEverywhere()
    const lost = await other.get(`/oauth/device/${ofApplication.path.split('/').at(-1)}`)
    expect([lost.status, titleOf(lost)]).toEqual([400, 'This page has expired'])
  })
})

it('a device code is not discarded for 2,000 of another network, whose oldest are', async () => {
  const first = await serveAccounts()
  const { device_code, user_code } = await start(first)
  await first.close()
  const store = await openStore(toStoreUrl(first.directory))
  await store.transaction(async (transaction) => {
    for (let number = 0; number < 2000; number++) {
      const createdAt = new Date(NOW + 1 + number).toISOString()
      await transaction.collection('authorizations').insert({
        _id: idOf(`code ${number}`),
        createdAt,
        updatedAt: createdAt,
        model: 'DeviceCode',
        digest: `${number}`,
        payload: { clientId: 'tools' },
        network: '192.0.2.7',
        expiresAt: NOW + 600_000
      })
    }
  })
  await store.close()

  const server = await serve(first.directory, {}, NOW + 5_000)
  await start(server)
  const browser = openBrowser(server)
  expect(titleOf(await enter(browser, user_code))).toBe('Did you start this?')
  expect((await redeem(server, device_code)).body.error).toBe('authorization_pending')
  await server.close()
  const after = await openStore(toStoreUrl(first.directory))
  const { items } = await after.collection('authorizations').list({ where: { model: 'DeviceCode' } })
  await after.close()
  expect(items).toHaveLength(2000)
  const discarded = ['0', '1', '2'].filter((digest) => items.every((item) => item.digest !== digest))
  expect(discarded).toEqual(['0', '1'])
})

it('the interval between polls of a device is kept while others poll with invented codes', async () => {
  const store = await openStore('memory:')
  const digest = digestBearer('DeviceCode', 'real')
  const at = new Date(NOW).toISOString()
  const fields = { _id: idOf('device code'), createdAt: at, updatedAt: at }
  await store.collection('authorizations').insert({ ...fields, model: 'DeviceCode', digest, payload: {} })
  const poll = createPollLimit({ store, now: () => NOW })
  await poll('real')
  for (let index = 0; index < 5_001; index++) await poll(`invented ${index}`)
  await expect(poll('real')).rejects.toMatchObject({ status: 400, error: 'slow_down' })
})
