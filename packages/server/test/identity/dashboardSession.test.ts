import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addAccounts, type Browser, openBrowser, type Page, textOf } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it, test } from 'vitest'

const PASSWORD = 'a quiet morning on the lake'
const OWNER = [{ role: 'organization_owner' }, { role: 'organization_admin' }] as const
const HOUR = 3_600_000
const OWN = { 'sec-fetch-site': 'same-origin', 'burgee-dashboard': '1' }

let server: TestServer
let dashboardDirectory: URL

beforeAll(async () => {
  const files = await temporaryDirectory()
  await mkdir(join(files, 'assets'))
  await writeFile(join(files, 'index.html'), '<!doctype html><title>Dashboard</title>')
  dashboardDirectory = pathToFileURL(`${files}/`)
  const directory = await storeWith({ environments: { production: {} } })
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD, roles: OWNER },
      { email: 'eve@example.com', name: 'Eve', password: PASSWORD, roles: OWNER }
    ],
    permissions: { mode: 'full' }
  })
  server = await serve(directory, { dashboard: 'on' }, NOW, { dashboardDirectory })
})

async function signIn(email = 'ada@example.com', query = ''): Promise<{ browser: Browser; page: Page }> {
  const browser = openBrowser(server)
  const start = await browser.get(`/session/sign-in${query}`)
  return { browser, page: await browser.submit(start, 'login', { email, password: PASSWORD }) }
}

/** Returns the value of the session cookie. */
function tokenOf(browser: Browser): string {
  return browser.values()[browser.cookies().indexOf('burgee-dashboard')] ?? ''
}

interface ApiRequest {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: TestServer
}

function api(token: string, path: string, { method = 'GET', body, headers = OWN, at = server }: ApiRequest = {}) {
  return send(at, {
    method,
    path: `/session${path}`,
    headers: {
      cookie: `burgee-dashboard=${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
  })
}

describe('a session of the dashboard', () => {
  it('begins with a sign-in without consent, and returns to the page', async () => {
    const start = await send(server, { path: '/session/sign-in?to=/o/x/settings/account' })
    expect([start.status, start.headers['set-cookie']]).toEqual([
      303,
      [expect.stringMatching(/^burgee-dashboard-sign-in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)]
    ])
    const { browser, page } = await signIn('ada@example.com', '?to=/o/x/settings/account%3Ftab%3D1')
    expect([page.status, page.path, browser.cookies()]).toEqual([
      200,
      '/o/x/settings/account?tab=1',
      expect.arrayContaining(['burgee-dashboard'])
    ])
    const { status, body, headers } = await api(tokenOf(browser), '/api/v1/session')
    expect([status, body.user.email, body.clientId, body.actor]).toEqual([
      200,
      'ada@example.com',
      'burgee-dashboard',
      'person'
    ])
    expect(body.expiresAt).toBe(new Date(NOW + 12 * HOUR).toISOString())
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('records changes with their source', async () => {
    const { browser } = await signIn()
    const body = { name: 'New', key: 'made-in-browser' }
    const headers = { ...OWN, 'burgee-referrer': 'cli' }
    const created = await api(tokenOf(browser), '/api/v1/projects', { method: 'POST', body, headers })
    expect([created.status, created.body.message, created.body.key]).toEqual([201, undefined, 'made-in-browser'])
    const log = await api(tokenOf(browser), '/api/v1/organizations/current/audit')
    expect([log.status, log.body[0]?.source, log.body[0]?.actor]).toEqual([200, 'dashboard', 'person'])
  })

  it('is not accepted by the API itself, and tokens are not accepted by the session', async () => {
    const { browser } = await signIn()
    const cookie = `burgee-dashboard=${tokenOf(browser)}`
    expect((await send(server, { path: '/v1/session', headers: { cookie, ...OWN } })).status).toBe(401)
    const admin = await call(server, 'getSession')
    expect(admin.status).toBe(200)
    const headers = { ...OWN, authorization: 'Bearer x' }
    expect((await api(tokenOf(browser), '/api/v1/session', { headers })).status).toBe(200)
    expect((await api('wrong', '/api/v1/session', { headers })).status).toBe(401)
    const evaluation = await api(tokenOf(browser), '/api/v1/features', { method: 'POST', body: { user_id: 'a' } })
    expect(evaluation.status).toBe(404)
    expect((await api(tokenOf(browser), '/api/v3/x')).status).toBe(404)
  })

  it('ends after 12 hours without a request, and after 7 days', async () => {
    const { browser } = await signIn()
    const token = tokenOf(browser)
    const statuses: number[] = []
    const use = async (at: number) => {
      server.clock.now = () => NOW + at
      statuses.push((await api(token, '/api/v1/session')).status)
    }
    for (let hours = 0; hours < 168; hours += 11) await use(hours * HOUR)
    await use(168 * HOUR)
    server.clock.now = () => NOW
    const idle = tokenOf((await signIn()).browser)
    server.clock.now = () => NOW + 12 * HOUR
    statuses.push((await api(idle, '/api/v1/session')).status)
    server.clock.now = () => NOW
    expect(statuses).toEqual([...Array(16).fill(200), 401, 401])
  })

  it('ends by signing out, with the login session', async () => {
    const { browser } = await signIn()
    const token = tokenOf(browser)
    const out = await api(token, '/sign-out', { method: 'POST' })
    expect([out.status, out.headers['clear-site-data'], out.headers['set-cookie']]).toEqual([
      204,
      '"cache"',
      ['burgee-dashboard=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0']
    ])
    expect((await api(token, '/api/v1/session')).status).toBe(401)
    expect(String((await browser.get('/session/sign-in')).body)).toContain('/login"')
  })

  it('is listed once with the sessions of the person, who can end it', async () => {
    const { browser } = await signIn('eve@example.com')
    const other = await signIn('eve@example.com')
    const list = await api(tokenOf(other.browser), '/api/v1/me/sessions')
    expect([list.status, list.body.map((one: { applications: string[] }) => one.applications)]).toEqual([
      200,
      [['burgee-dashboard'], ['burgee-dashboard']]
    ])
    const own = await api(tokenOf(browser), '/api/v1/me/sessions')
    const currentOf = ({ body }: typeof list) => body.find((one: { isCurrent: boolean }) => one.isCurrent)?._id
    expect(new Set([currentOf(list), currentOf(own), undefined]).size).toBe(3)
    for (const { _id } of list.body) {
      await api(tokenOf(browser), `/api/v1/me/sessions/${_id}`, { method: 'DELETE' })
    }
    const after = [browser, other.browser].map(async (one) => (await api(tokenOf(one), '/api/v1/session')).status)
    expect(await Promise.all(after)).toContain(401)
  })

  it('ends when the person is disabled', async () => {
    const { browser } = await signIn('eve@example.com')
    const params = { user: `burgee|${idOf('eve@example.com')}` }
    expect((await api(tokenOf(browser), '/api/v1/session')).status).toBe(200)
    const update = (isDisabled: boolean) => call(server, 'updateUser', { params, body: { isDisabled } })
    expect((await update(true)).status).toBe(200)
    expect((await api(tokenOf(browser), '/api/v1/session')).status).toBe(401)
    await update(false)
    expect((await api(tokenOf(browser), '/api/v1/session')).status).toBe(401)
  })

  it('ends in a popup with a page that informs the other tabs', async () => {
    const { page } = await signIn('ada@example.com', '?popup=1')
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('src="/session/signed-in.js"')])
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    const script = await send(server, { path: '/session/signed-in.js' })
    expect([script.status, script.headers['content-type'], String(script.body)]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      expect.stringContaining("new BroadcastChannel('burgee-dashboard')")
    ])
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'o/x', '/a%0d%0ab', `/${'a'.repeat(2000)}`])(
    'does not return to %s',
    async (to) => {
      const escaped = to.includes('%') ? to : encodeURIComponent(to)
      const { status, headers } = await send(server, { path: `/session/sign-in?to=${escaped}` })
      expect([status, headers.location]).toEqual([400, undefined])
    }
  )

  it('says whether the person cancelled it, or what else went wrong', async () => {
    const message = async (error: Readonly<Record<string, string>>) => {
      const { headers } = await send(server, { path: '/session/sign-in' })
      const [cookie = ''] = String(headers['set-cookie']).split(';')
      const state = new URL(String(headers.location), server.url).searchParams.get('state') ?? ''
      const path = `/session/callback?${new URLSearchParams({ ...error, state })}`
      const { status, body } = await send(server, { path, headers: { cookie } })
      return `${status} ${textOf(String(body))}`
    }
    const denied = { error: 'access_denied', error_description: 'the person denied access' }
    expect(await message(denied)).toMatch(/^400 .*The sign-in was cancelled\./s)
    const failed = await message({ error: 'server_error', error_description: `<i>oops</i>\n${'y'.repeat(1000)}` })
    expect(failed).toMatch(/The sign-in failed: “.*oops.* y{1,200}” \(server_error\)\./)
    expect(failed).not.toContain('cancelled')
  })

  it('does not begin with the code of another browser, or a second time', async () => {
    const start = await send(server, { path: '/session/sign-in' })
    const { searchParams } = new URL(String(start.headers.location), server.url)
    const path = `/session/callback?code=abc&state=${searchParams.get('state')}`
    const [cookie = ''] = String(start.headers['set-cookie']).split(';')
    const statuses = [{}, { cookie: `${cookie.slice(0, -3)}xyz` }, { cookie }].map(async (headers) => {
      const response = await send(server, { path, headers })
      return [response.status, String(response.headers['set-cookie']).includes('burgee-dashboard=')]
    })
    expect(await Promise.all(statuses)).toEqual(Array(3).fill([400, false]))
  })

  it('issues no tokens to others who use its client', async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'burgee-dashboard',
      client_secret: 'x'
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const refused = await send(server, { method: 'POST', path: '/oauth/token', headers, body: body.toString() })
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
    const params = { client: 'burgee-dashboard' }
    expect((await call(server, 'rotateApiClientSecret', { params })).status).toBe(403)
    const mine = { clientId: 'burgee-dashboard', name: 'Mine' }
    expect((await call(server, 'createApiClient', { body: mine })).status).toBe(400)
  })
})

describe('a request of another page', () => {
  const body = { name: 'Forged', key: 'forged' }
  const origin = 'https://evil.example'
  const requests: Readonly<Record<string, ApiRequest>> = {
    'a form': { headers: { 'sec-fetch-site': 'cross-site', origin, 'content-type': 'text/plain' } },
    'a script with credentials': { headers: { ...OWN, 'sec-fetch-site': 'cross-site', origin } },
    'a sibling host': { headers: { ...OWN, 'sec-fetch-site': 'same-site', origin } },
    'a missing header': { headers: { 'sec-fetch-site': 'same-origin' } },
    'another origin': { headers: { ...OWN, origin } },
    'another origin in an old browser': { headers: { 'burgee-dashboard': '1', origin } },
    'neither origin nor site': { headers: { 'burgee-dashboard': '1' } },
    'a navigation': { headers: { ...OWN, 'sec-fetch-site': 'none' } },
    'a form of the same origin': { headers: { ...OWN, 'content-type': 'application/x-www-form-urlencoded' } },
    'a stream with a write': { headers: { 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' } }
  }

  test.each(Object.entries(requests))('is refused: %s', async (_, request) => {
    const token = tokenOf((await signIn()).browser)
    const refused = await api(token, '/api/v1/projects', { method: 'POST', body, ...request })
    expect([refused.status, refused.body.statusCode, refused.headers['access-control-allow-origin']]).toEqual([
      403,
      403,
      undefined
    ])
    expect((await api(token, '/api/v1/projects/forged')).status).toBe(404)
    const out = await api(token, '/sign-out', { method: 'POST', ...request, body: {} })
    expect(out.status).toBe(403)
    expect((await api(token, '/api/v1/session')).status).toBe(200)
  })

  it('gets no preflight answer', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'burgee-dashboard'
    }
    const response: ApiResponse = await send(server, { method: 'OPTIONS', path: '/session/api/v1/projects', headers })
    expect([response.status, Object.keys(response.headers).filter((name) => name.startsWith('access-'))]).toEqual([
      403,
      []
    ])
    const metrics = await send(server, { path: '/metrics' })
    expect(String(metrics.body)).toMatch(/burgee_dashboard_requests_refused_total\{reason="preflight"\} [1-9]/)
    expect(server.logs.some((line) => line.includes('session of the dashboard was refused'))).toBe(true)
  })

  it('is not needed by browsers without Sec-Fetch-Site', async () => {
    const token = tokenOf((await signIn()).browser)
    const headers = { 'burgee-dashboard': '1', origin: server.url }
    expect((await api(token, '/api/v1/session', { headers })).status).toBe(200)
    const stream = { 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' }
    expect((await api(token, '/api/v1/session', { headers: stream })).status).toBe(200)
  })
})

describe('the sign-in page of a server without people', () => {
  it('says how to add the first person', async () => {
    const hint = 'burgee-server users add'
    const empty = await serve({}, { dashboard: 'on' }, NOW, { dashboardDirectory })
    expect(textOf(String((await openBrowser(empty).get('/session/sign-in')).body))).toContain(hint)
    await call(empty, 'createUser', { body: { email: 'ada@example.com', name: 'Ada' } })
    expect(textOf(String((await openBrowser(empty).get('/session/sign-in')).body))).not.toContain(hint)
  })
})

describe('the link of the demo', () => {
  it('is not named to other applications: they need a password', async () => {
    const demo = await serve({}, { demo: true, store: 'memory:', dashboard: 'on' }, NOW, { dashboardDirectory })
    const query = new URLSearchParams({
      client_id: 'burgee-cli',
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:34567/callback',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
      code_challenge_method: 'S256'
    })
    const page = textOf(String((await openBrowser(demo).get(`/oauth/authorize?${query}`)).body))
    expect(page).toContain('Add yourself there, in Organization → People')
  })

  it('signs the first person in once, within 15 minutes', async () => {
    const demo = await serve({}, { demo: true, store: 'memory:', dashboard: 'on' }, NOW, { dashboardDirectory })
    const hint = 'Open the one-time link that the server printed'
    expect(textOf(String((await openBrowser(demo).get('/session/sign-in')).body))).toContain(hint)
    expect(textOf(String((await openBrowser(server).get('/session/sign-in')).body))).not.toContain(hint)
    const link = new URL(demo.signInLink ?? '')
    const path = link.pathname
    expect(link.origin).toBe(demo.url)
    expect((await send(demo, { path, headers: { 'sec-purpose': 'prefetch' } })).status).toBe(503)
    expect((await send(demo, { method: 'HEAD', path })).status).toBe(405)
    const first = await send(demo, { path })
    expect([first.status, first.headers.location, first.headers['set-cookie']]).toEqual([
      303,
      expect.stringMatching(/^\/o\/org_\w{24}\/p\/demo\/features$/),
      [expect.stringMatching(/^burgee-dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/)]
    ])
    const [, token = ''] = /=([^;]*)/.exec(String(first.headers['set-cookie'])) ?? []
    const { status, body } = await api(token, '/api/v1/session', { at: demo })
    expect([status, body.permissions.organization.length > 0]).toEqual([200, true])
    const people = await api(token, '/api/v1/organizations/current/users', { at: demo })
    const me = people.body.find(({ user_id }: { user_id: string }) => user_id === body.user.id)
    expect(me.lastLoginAt).toBe(new Date(NOW).toISOString())
    const second = await send(demo, { path })
    expect([second.status, second.headers['set-cookie']]).toEqual([400, undefined])
  })

  it('expires', async () => {
    const demo = await serve({}, { demo: true, store: 'memory:', dashboard: 'on' }, NOW, { dashboardDirectory })
    demo.clock.now = () => NOW + 15 * 60_000
    const { status, headers } = await send(demo, { path: new URL(demo.signInLink ?? '').pathname })
    expect([status, headers['set-cookie']]).toEqual([400, undefined])
  })
})

// Last, since it ends the tokens of the administrator too.
describe('a rotation of the signing keys', () => {
  it('ends the sessions of the dashboard if it ends the previous keys', async () => {
    const token = tokenOf((await signIn()).browser)
    expect((await call(server, 'rotateSigningKey')).status).toBe(201)
    expect((await api(token, '/api/v1/session')).status).toBe(200)
    expect((await call(server, 'rotateSigningKey', { query: { now: 'true' } })).status).toBe(201)
    expect((await api(token, '/api/v1/session')).status).toBe(401)
    const { status } = await api(tokenOf((await signIn()).browser), '/api/v1/session')
    expect(status).toBe(200)
  })
})
