import { addAccounts, authorize, type Browser, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { OptionError } from '../../src/lib/errors.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import {
  openAddress,
  type ProviderOptions,
  serveMisbehavingProvider,
  serveProvider,
  signInUpstream,
  upstreamOptions
} from '../support/processes/upstreamProvider.ts'

const HOUR = 3_600_000

type Provider = Awaited<ReturnType<typeof serveProvider>>

interface Setup {
  readonly server: TestServer
  readonly provider: Provider
}

/** A server whose roles follow the groups of a provider: the team sees the project. */
async function setUp(options: ProviderOptions = { hasRefreshTokens: true }, settings = {}): Promise<Setup> {
  const place = await openAddress()
  const directory = await storeWith({})
  const groups = [{ group: 'team', role: 'publisher', _project: idOf('shop') }] as const
  await addAccounts(directory, { permissions: { mode: 'full', controlledBy: 'identityProvider', groups } })
  const server = await serve(directory, { ...upstreamOptions(place), ...settings })
  return { server, provider: await serveProvider(place, `${server.url}/oauth/callback`, options) }
}

/** The link to the provider on the login page. */
function linkOf({ body }: Page): string {
  return /<a class="button plain" href="([^"]*)">/.exec(body)?.[1] ?? ''
}

let count = 0

/** Signs a new person in; returns the tokens. */
async function signIn({ server, provider }: Setup, browser: Browser, groups: readonly string[] = ['team']) {
  const sub = `person-${++count}`
  const person = { sub, email: `${sub}@example.com`, name: sub, groups }
  provider.letIn(person)
  const page = await authorize(browser)
  const { location } = await browser.get(linkOf(page))
  const asked = await browser.get(await signInUpstream(location as URL))
  const { body } = await exchangeCode(server, await browser.submit(asked, 'consent'))
  provider.takeRequests()
  return { person, access: body.access_token as string, refreshToken: body.refresh_token as string }
}

function refresh(server: TestServer, refreshToken: string): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: refreshToken
    }).toString()
  })
}

/** 200, 403 without any role, or 401 with a token that is not valid. */
async function seesProject(server: TestServer, key: string): Promise<number> {
  return (await call(server, 'getProject', { params: { key: 'shop' }, key })).status
}

let shared: Setup

beforeAll(async () => {
  shared = await setUp()
})

describe('a refresh of a person who signed in through the identity provider', () => {
  let setup: Setup
  let server: TestServer
  let provider: Provider
  let browser: Browser

  beforeAll(() => {
    setup = shared
    ;({ server, provider } = setup)
  })

  beforeEach(() => {
    browser = openBrowser(server)
    server.clock.now = () => NOW
    provider.setDown(undefined)
  })

  it('reads the groups again, and the roles follow at once, in earlier tokens too', async () => {
    const { person, access, refreshToken } = await signIn(setup, browser)
    expect(await seesProject(server, access)).toBe(200)
    provider.letIn({ ...person, groups: ['others'] })
    const { status, body } = await refresh(server, refreshToken)
    expect(status).toBe(200)
    expect(provider.takeRequests()).toEqual(['POST /token', 'GET /me'])
    expect(await seesProject(server, access)).toBe(403)
    expect(await seesProject(server, body.access_token)).toBe(403)
    const { body: users } = await call(server, 'listUsers')
    expect(users.find(({ email }: { email: string }) => email === person.email)).toMatchObject({ groups: ['others'] })
    const [entry] = (await call(server, 'listAuditEntries')).body
    expect(entry).toMatchObject({ actor: 'server', changes: [{ type: 'modifiedUser' }] })
    expect(JSON.stringify(entry)).not.toContain('Token')
  })

  it('continues with the refresh tokens that the provider replaces', async () => {
    let { refreshToken } = await signIn(setup, browser)
    for (let round = 1; round <= 3; round++) {
      server.clock.now = () => NOW + round * 20 * HOUR
      const { status, body } = await refresh(server, refreshToken)
      expect(status).toBe(200)
      refreshToken = body.refresh_token
    }
  })

  it('ends the session with all of its tokens when the provider refuses', async () => {
    const { person, access, refreshToken } = await signIn(setup, browser)
    const other = await exchangeCode(server, await authorize(browser, { prompt: '' }))
    expect(await seesProject(server, other.body.access_token)).toBe(200)
    provider.disable(person.sub)
    const { status, body } = await refresh(server, refreshToken)
    expect([status, body]).toEqual([
      400,
      {
        error: 'invalid_grant',
        error_description: 'the identity provider ended the session; the person should sign in again'
      }
    ])
    expect(await seesProject(server, access)).toBe(401)
    expect(await seesProject(server, other.body.access_token)).toBe(401)
    expect((await refresh(server, other.body.refresh_token)).body.error).toBe('invalid_grant')
    const again = await authorize(browser, { prompt: 'none' })
    expect(again.location?.searchParams.get('error')).toBe('login_required')
    const { body: entries } = await call(server, 'listAccessLog', { query: { kind: 'token', outcome: 'refused' } })
    expect(entries[1]).toMatchObject({ reason: 'provider_refused', method: 'refresh_token' })
  })

  it('does not affect other people and their sessions', async () => {
    const leaver = await signIn(setup, browser)
    const stays = await signIn(setup, openBrowser(server))
    provider.disable(leaver.person.sub)
    expect((await refresh(server, leaver.refreshToken)).status).toBe(400)
    expect(await seesProject(server, stays.access)).toBe(200)
    provider.letIn(stays.person)
    expect((await refresh(server, stays.refreshToken)).status).toBe(200)
  })

  it('succeeds for twelve hours while the provider is down, and not longer', async () => {
    const { access, refreshToken } = await signIn(setup, browser)
    provider.setDown(/./)
    server.clock.now = () => NOW + 12 * HOUR - 1
    const late = await refresh(server, refreshToken)
    expect(late.status).toBe(200)
    expect(server.logs.join('\n')).toContain('the identity provider was unavailable to confirm a session')
    server.clock.now = () => NOW + 12 * HOUR
    const { status, body } = await refresh(server, late.body.refresh_token)
    expect([status, body.error, body.error_description]).toEqual([
      400,
      'invalid_grant',
      'the identity provider could not confirm the session for too long; the person should sign in again'
    ])
    expect(await seesProject(server, late.body.access_token)).toBe(401)
    expect(await seesProject(server, access)).toBe(401)
  })

  it('restarts the twelve hours with each response of the provider', async () => {
    const { person, refreshToken } = await signIn(setup, browser)
    server.clock.now = () => NOW + 11 * HOUR
    provider.letIn(person)
    const first = await refresh(server, refreshToken)
    provider.setDown(/./)
    server.clock.now = () => NOW + 22 * HOUR
    expect((await refresh(server, first.body.refresh_token)).status).toBe(200)
  })

  it('sends no request for ten seconds after the provider did not respond', async () => {
    const one = await signIn(setup, browser)
    const other = await signIn(setup, openBrowser(server))
    provider.setDown(/./)
    server.clock.now = () => NOW + HOUR
    const first = await refresh(server, one.refreshToken)
    const second = await refresh(server, other.refreshToken)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(provider.takeRequests()).toEqual(['POST /token'])
    provider.setDown(undefined)
    provider.letIn(one.person)
    server.clock.now = () => NOW + HOUR + 10_000
    expect((await refresh(server, first.body.refresh_token)).status).toBe(200)
    expect(provider.takeRequests()).toEqual(['POST /token', 'GET /me'])
  })

  it('keeps the refresh token that the provider replaced before it failed', async () => {
    const { person, refreshToken } = await signIn(setup, browser)
    server.clock.now = () => NOW + 3 * HOUR
    provider.setDown(/^\/me/)
    const first = await refresh(server, refreshToken)
    expect([first.status, provider.takeRequests()]).toEqual([200, ['POST /token', 'GET /me']])
    provider.setDown(undefined)
    provider.letIn({ ...person, groups: ['others'] })
    server.clock.now = () => NOW + 3 * HOUR + 10_000
    const second = await refresh(server, first.body.refresh_token)
    expect(second.status).toBe(200)
    expect(await seesProject(server, second.body.access_token)).toBe(403)
  })

  it('shares one request to the provider with other refreshes in the session', async () => {
    const { refreshToken } = await signIn(setup, browser)
    const { body } = await exchangeCode(server, await authorize(browser, { prompt: '' }))
    provider.takeRequests()
    const answers = await Promise.all([refreshToken, body.refresh_token].map((token) => refresh(server, token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(provider.takeRequests()).toEqual(['POST /token', 'GET /me'])
  })

  it('does not block other writes', async () => {
    const { refreshToken } = await signIn(setup, browser)
    let release = () => {}
    provider.hold(new Promise<void>((resolve) => (release = resolve)))
    const pending = refresh(server, refreshToken)
    expect((await call(server, 'createProject', { body: { key: 'meanwhile', name: 'Meanwhile' } })).status).toBe(201)
    release()
    expect((await pending).status).toBe(200)
  })
})

describe('a session of a browser', () => {
  it('continues only while the provider confirms it, and the next person can sign in', async () => {
    const { server, provider } = shared
    server.clock.now = () => NOW
    const browser = openBrowser(server)
    const { person } = await signIn(shared, browser)
    const codeOf = async () => (await authorize(browser, { prompt: '' })).location?.searchParams.get('code')
    server.clock.now = () => NOW + 5 * HOUR
    expect(await codeOf()).toEqual(expect.any(String))
    expect(provider.takeRequests()).toEqual(['POST /token', 'GET /me'])
    provider.disable(person.sub)
    const page = await authorize(browser, { prompt: '' })
    expect(page.body).toContain('Sign in with')
    const next = await signIn(shared, browser)
    expect(await seesProject(server, next.access)).toBe(200)
  })

  it('ends after the configured time without a response', async () => {
    const setup = await setUp({ hasRefreshTokens: true }, { oidcGraceHours: 2 })
    const { server, provider } = setup
    const browser = openBrowser(server)
    await signIn(setup, browser)
    provider.setDown(/./)
    server.clock.now = () => NOW + 2 * HOUR - 1
    expect((await authorize(browser, { prompt: '' })).location?.searchParams.get('code')).toEqual(expect.any(String))
    server.clock.now = () => NOW + 2 * HOUR
    expect((await authorize(browser, { prompt: '' })).body).toContain('Sign in with')
  })
})

describe('a provider without refresh tokens', () => {
  let setup: Setup

  beforeAll(async () => {
    setup = await setUp({})
  })

  it('is queried with its access token while that is valid, then not at all', async () => {
    const { server, provider } = setup
    const { person, refreshToken } = await signIn(setup, openBrowser(server))
    provider.letIn({ ...person, groups: ['others'] })
    const first = await refresh(server, refreshToken)
    expect(provider.takeRequests()).toEqual(['GET /me'])
    expect(first.status).toBe(200)
    const { body: users } = await call(server, 'listUsers')
    expect(users[0]).toMatchObject({ groups: ['others'] })
    server.clock.now = () => NOW + 11 * HOUR
    const second = await refresh(server, first.body.refresh_token)
    expect(second.status).toBe(200)
    server.clock.now = () => NOW + 12 * HOUR
    expect((await refresh(server, second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect(provider.takeRequests()).toEqual([])
  })

  it('ends the session when it refuses the access token', async () => {
    const { server, provider } = setup
    server.clock.now = () => NOW
    const { person, access, refreshToken } = await signIn(setup, openBrowser(server))
    provider.disable(person.sub)
    expect((await refresh(server, refreshToken)).body.error).toBe('invalid_grant')
    expect(await seesProject(server, access)).toBe(401)
  })
})

describe('a provider with groups in ID tokens only', () => {
  it('keeps the groups while refreshes return no ID token', async () => {
    const place = await openAddress()
    const directory = await storeWith({})
    await addAccounts(directory, {})
    const server = await serve(directory, upstreamOptions(place))
    const provider = await serveMisbehavingProvider(place, { name: 'Ada' })
    const browser = openBrowser(server)
    const { location } = await browser.get(linkOf(await authorize(browser)))
    const asked = await browser.get(provider.redirectTo(location, { claims: { groups: ['team'] } }))
    const { body } = await exchangeCode(server, await browser.submit(asked, 'consent'))
    const { status, body: tokens } = await refresh(server, body.refresh_token)
    expect(status).toBe(200)
    expect((await call(server, 'listUsers')).body).toMatchObject([{ groups: ['team'] }])
    server.clock.now = () => NOW + 12 * HOUR
    expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('the tokens of the provider', () => {
  it('are deleted when the person signs out everywhere, and when the session ends', async () => {
    const setup = await setUp()
    const { server, provider } = setup
    const everywhere = await signIn(setup, openBrowser(server))
    const refused = await signIn(setup, openBrowser(server))
    provider.disable(refused.person.sub)
    await refresh(server, refused.refreshToken)
    server.clock.now = () => NOW + 1
    expect((await call(server, 'signOutUser', { params: { user: everywhere.person.email } })).status).toBe(200)
    await server.close()
    const store = await openStore(toStoreUrl(server.directory))
    const { items } = await store.collection('upstreamSessions').list()
    await store.close()
    expect(items).toMatchObject([{ subject: refused.person.sub, endedAt: expect.any(String) }])
    expect(items[0]).not.toHaveProperty('providerTokens')
  })
})

describe('the setting for the grace time', () => {
  it.each(['13', '-1', '1.5', 'x'])('refuses %s', (hours) => {
    expect(() => parseOptions(['--oidc-grace-hours', hours], {})).toThrow(OptionError)
  })
})
