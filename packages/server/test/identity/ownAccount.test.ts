import { permissions } from '@burgee/contract'
import { addAccounts, authorize, type Browser, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'

const PASSWORD = 'a quiet morning on the lake'
const SECRET = 'a-secret-of-many-characters'
const ADA = `burgee|${idOf('ada@example.com')}`

type Fields = Readonly<Record<string, string>>

/** A server in full mode, whose clock advances a second with each call of `later`. Ada has no role. */
async function serveAccounts(): Promise<{ readonly server: TestServer; readonly later: () => void }> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD },
      { email: 'eve@example.com', name: 'Eve', password: PASSWORD },
      { email: 'admin@example.com', password: PASSWORD, roles: [{ role: 'organization_admin' }] },
      { email: 'owner@example.com', password: PASSWORD, roles: [{ role: 'organization_owner' }] }
    ],
    clients: [
      { clientId: 'other', name: 'Another' },
      { clientId: 'helper', name: 'Helper', isAssistant: true },
      { clientId: 'capped', name: 'Capped', permissions: ['feature:read'] },
      { clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier: hashRandomSecret(SECRET) }
    ],
    permissions: { mode: 'full' }
  })
  const server = await serve(directory)
  let seconds = 0
  const later = () => {
    const moment = NOW + 1000 * ++seconds
    server.clock.now = () => moment
  }
  return { server, later }
}

interface SignedIn {
  readonly browser: Browser
  readonly access: string
  readonly refresh: string
}

async function signIn(server: TestServer, parameters: Fields = {}, given: Partial<SignedIn> & { email?: string } = {}) {
  const { browser = openBrowser(server), email = 'ada@example.com' } = given
  let page: Page = await authorize(browser, parameters)
  if (String(page.body).includes('/login"')) page = await browser.submit(page, 'login', { email, password: PASSWORD })
  if (!page.location) page = await browser.submit(page, 'consent')
  const { status, body } = await exchangeCode(server, page, parameters.client_id)
  expect([status, body.error_description]).toEqual([200, undefined])
  return { browser, access: body.access_token, refresh: body.refresh_token } satisfies SignedIn
}

async function refresh(server: TestServer, { refresh: token }: SignedIn, client_id = 'app'): Promise<number> {
  const { status } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token: token }).toString()
  })
  return status
}

/** Whether a browser gets a code without the login page. */
async function isSignedIn({ browser }: SignedIn): Promise<boolean> {
  const page = await authorize(browser, { prompt: '' })
  return page.location?.searchParams.get('code') !== undefined
}

async function use(server: TestServer, { access }: SignedIn): Promise<number> {
  return (await call(server, 'listOwnSessions', { key: access })).status
}

async function entriesOf(server: TestServer): Promise<ApiResponse['body']> {
  return (await call(server, 'listAuditEntries')).body
}

describe('a person without any role', () => {
  it('lists and ends their own sessions; applications keep their tokens', async () => {
    const { server, later } = await serveAccounts()
    const first = await signIn(server)
    later()
    const second = await signIn(server, { client_id: 'other' })
    const eve = await signIn(server, {}, { email: 'eve@example.com' })
    const { status, body } = await call(server, 'listOwnSessions', { key: first.access })
    expect(status).toBe(200)
    const session = {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      isCurrent: false
    }
    expect(body).toEqual([
      { ...session, signedInAt: new Date(NOW + 1000).toISOString(), applications: ['other'] },
      { ...session, signedInAt: new Date(NOW).toISOString(), applications: ['app'] }
    ])
    const params = { session: body[0]._id }
    expect((await call(server, 'endOwnSession', { key: eve.access, params })).status).toBe(404)
    expect(await isSignedIn(second)).toBe(true)
    expect((await call(server, 'endOwnSession', { key: first.access, params })).status).toBe(200)
    expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(eve)]).toEqual([true, false, true])
    expect([await use(server, second), await refresh(server, second, 'other')]).toEqual([200, 200])
    expect((await call(server, 'listOwnSessions', { key: first.access })).body).toHaveLength(1)
    const again = await call(server, 'endOwnSession', { key: first.access, params })
    expect([again.status, again.body.message]).toEqual([
      404,
      expect.stringContaining(`Item with key '${params.session}' not found`)
    ])
    const [entry] = await entriesOf(server)
    expect(entry).toMatchObject({ idp_user: ADA, clientId: 'app', actor: 'person' })
    expect(entry.changes).toEqual([
      {
        type: 'deletedSession',
        newContents: null,
        previousContents: { _id: params.session, signedInAt: expect.any(String), user_id: ADA }
      }
    ])
  })

  it('lists and revokes their own applications, with refresh and access tokens', async () => {
    const { server, later } = await serveAccounts()
    const app = await signIn(server)
    const limited = await signIn(server, { client_id: 'other', scope: 'feature:read project:read' })
    const eve = await signIn(server, { client_id: 'other' }, { email: 'eve@example.com' })
    later()
    expect(await refresh(server, limited, 'other')).toBe(200)
    const { body } = await call(server, 'listOwnApplications', { key: app.access })
    const at = new Date(NOW).toISOString()
    const kind = { isAssistant: false, isDynamic: false, allowedAt: at }
    expect(body).toEqual([
      {
        ...kind,
        clientId: 'other',
        name: 'Another',
        permissions: permissions.filter((one) => ['feature:read', 'project:read'].includes(one)),
        lastUsedAt: new Date(NOW + 1000).toISOString()
      },
      { ...kind, clientId: 'app', name: 'The App', lastUsedAt: at }
    ])
    const other = await signIn(server, { client_id: 'other' })
    expect(await use(server, other)).toBe(200)
    const params = { client: 'other' }
    expect((await call(server, 'revokeOwnApplication', { key: app.access, params })).status).toBe(200)
    expect([await use(server, other), await refresh(server, other, 'other')]).toEqual([401, 400])
    expect([await use(server, app), await refresh(server, app)]).toEqual([200, 200])
    expect([await use(server, eve), await refresh(server, eve, 'other')]).toEqual([200, 200])
    expect((await call(server, 'listOwnApplications', { key: app.access })).body).toHaveLength(1)
    const [entry] = await entriesOf(server)
    expect([entry.idp_user, entry.changes]).toEqual([
      ADA,
      [
        {
          type: 'deletedApplication',
          newContents: null,
          previousContents: { clientId: 'other', name: 'Another', user_id: ADA }
        }
      ]
    ])
    expect((await call(server, 'revokeOwnApplication', { key: app.access, params })).status).toBe(404)
    expect((await call(server, 'revokeOwnApplication', { key: app.access, params: { client: 'robot' } })).status).toBe(
      404
    )
    // The application asks for consent again, and works again.
    later()
    const page = await authorize(other.browser, { client_id: 'other', prompt: '' })
    expect([page.location, String(page.body)]).toEqual([undefined, expect.stringContaining('/consent"')])
    expect(await use(server, await signIn(server, { client_id: 'other' }, other))).toBe(200)
  })

  it('signs out everywhere', async () => {
    const { server, later } = await serveAccounts()
    const first = await signIn(server)
    const second = await signIn(server, { client_id: 'other' })
    const eve = await signIn(server, {}, { email: 'eve@example.com' })
    later()
    expect((await call(server, 'signOutEverywhere', { key: first.access })).status).toBe(200)
    expect([await use(server, first), await use(server, second), await use(server, eve)]).toEqual([401, 401, 200])
    expect([await refresh(server, first), await refresh(server, second, 'other')]).toEqual([400, 400])
    expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(eve)]).toEqual([false, false, true])
    const [entry] = await entriesOf(server)
    expect([entry.idp_user, entry.changes]).toMatchObject([
      ADA,
      [{ type: 'modifiedUser', newContents: { signedOutAt: new Date(NOW + 1000).toISOString() } }]
    ])
    expect(await use(server, await signIn(server))).toBe(200)
  })

  it('changes their own password, which signs out everywhere', async () => {
    const { server, later } = await serveAccounts()
    const first = await signIn(server)
    const second = await signIn(server, { client_id: 'other' })
    later()
    const body = { currentPassword: PASSWORD, newPassword: 'another morning at the harbour' }
    expect((await call(server, 'changePassword', { key: first.access, body })).status).toBe(200)
    expect([await use(server, first), await use(server, second)]).toEqual([401, 401])
    expect([await refresh(server, first), await refresh(server, second, 'other')]).toEqual([400, 400])
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, false])
  })
})

describe('the operations of people about themselves', () => {
  const unknown = { session: 'nowhere', client: 'nowhere' }
  const own = ['listOwnSessions', 'endOwnSession', 'listOwnApplications', 'revokeOwnApplication', 'signOutEverywhere']

  async function answersTo(server: TestServer, key: string) {
    const answers = await Promise.all(own.map((id) => call(server, id as 'endOwnSession', { key, params: unknown })))
    return new Set(answers.map(({ status, body }) => `${status} ${body.message}`))
  }

  it('are refused to clients, to assistants, and to tokens with limits', async () => {
    const { server } = await serveAccounts()
    const credentials = { grant_type: 'client_credentials', client_id: 'robot', client_secret: SECRET }
    const { body } = await send(server, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials)
    })
    const kind = (name: string) => `403 only a person can do this, and only for themselves; the caller is: ${name}`
    const limits = '403 this requires a token without limits; the scope or the client of this one limits it'
    expect(await answersTo(server, body.access_token)).toEqual(new Set([kind('client')]))
    const helper = await signIn(server, { client_id: 'helper' })
    expect(await answersTo(server, helper.access)).toEqual(new Set([kind('assistant')]))
    const limited = await signIn(server, { scope: 'feature:read' })
    expect(await answersTo(server, limited.access)).toEqual(new Set([limits]))
    const capped = await signIn(server, { client_id: 'capped' })
    expect(await answersTo(server, capped.access)).toEqual(new Set([limits]))
    expect(await use(server, await signIn(server))).toBe(200)
  })

  it('are refused without a valid token', async () => {
    const { server } = await serveAccounts()
    for (const id of own) {
      expect((await call(server, id as 'endOwnSession', { key: 'garbage', params: unknown })).status).toBe(401)
    }
  })
})

describe('an administrator', () => {
  it('signs another person out everywhere', async () => {
    const { server, later } = await serveAccounts()
    const ada = await signIn(server)
    const eve = await signIn(server, {}, { email: 'eve@example.com' })
    later()
    const params = { user: 'ada@example.com' }
    const refused = await call(server, 'signOutUser', { key: eve.access, params })
    expect([refused.status, refused.body.missingPermission]).toEqual([403, 'organization:write:settings'])
    expect((await call(server, 'signOutUser', { params })).status).toBe(200)
    expect([await use(server, ada), await refresh(server, ada), await isSignedIn(ada)]).toEqual([401, 400, false])
    expect([await use(server, eve), await refresh(server, eve), await isSignedIn(eve)]).toEqual([200, 200, true])
    const [entry] = await entriesOf(server)
    expect(entry.idp_user).toBe('test-admin@clients')
    expect(entry.changes).toMatchObject([{ type: 'modifiedUser', metadata: { _id: idOf('ada@example.com') } }])
    expect((await call(server, 'signOutUser', { params: { user: 'nobody@example.com' } })).status).toBe(404)
  })

  it('cannot sign out a person with more permissions', async () => {
    const { server } = await serveAccounts()
    const owner = await signIn(server, {}, { email: 'owner@example.com' })
    expect(decodeJwt(owner.access).permissions).not.toContain('feature:read')
    const params = { user: 'admin@example.com' }
    const { status, body } = await call(server, 'signOutUser', { key: owner.access, params })
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^signing this person out requires/)])
  })
})
