import { permissions } from '@burgee/contract'
import { addAccounts, authorize, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import { call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'
import { packageVersion } from '../../src/version.ts'

const PASSWORD = 'a quiet morning on the lake'
const ADA = `burgee|${idOf('ada@example.com')}`

let server: TestServer

beforeAll(async () => {
  const directory = await storeWith({ environments: { production: {} } })
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD, roles: [{ role: 'viewer' }] },
      { email: 'eve@example.com', name: 'Eve', password: PASSWORD }
    ],
    clients: [{ clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier: hashRandomSecret('a'.repeat(32)) }],
    permissions: { mode: 'full' }
  })
  server = await serve(directory, { mcp: true })
})

async function signIn(email: string, scope?: string): Promise<string> {
  const browser = openBrowser(server)
  let page: Page = await authorize(browser, scope === undefined ? {} : { scope })
  page = await browser.submit(page, 'login', { email, password: PASSWORD })
  if (!page.location) page = await browser.submit(page, 'consent')
  return (await exchangeCode(server, page)).body.access_token
}

describe('the session', () => {
  it('has the public URL without a slash at its end', async () => {
    const behindProxy = await serve({}, { publicUrl: 'https://flags.example.com/' })
    const { body } = await call(behindProxy, 'getSession')
    expect(body.server.publicUrl).toBe('https://flags.example.com')
  })

  it('describes a person, the permissions in each project, and the server', async () => {
    const key = await signIn('ada@example.com')
    const { status, body } = await call(server, 'getSession', { key })
    expect([status, body]).toEqual([
      200,
      {
        user: { id: ADA, name: 'Ada', email: 'ada@example.com' },
        actor: 'person',
        clientId: 'app',
        organization: { id: expect.any(String), name: expect.any(String), display_name: expect.any(String) },
        mode: 'full',
        permissions: {
          organization: permissions.filter((one) => one.includes(':read')),
          projects: { shop: permissions.filter((one) => one.includes(':read')) }
        },
        expiresAt: new Date((decodeJwt(key).exp ?? 0) * 1000).toISOString(),
        server: { version: packageVersion(), isDemo: false, publicUrl: server.url, isToolServer: true }
      }
    ])
    expect(Date.parse(body.expiresAt)).toBeGreaterThan(NOW)
    expect((await call(server, 'listOrganizations', { key })).body).toEqual([body.organization])
  })

  it('shows no project to a person without a role', async () => {
    const { status, body } = await call(server, 'getSession', { key: await signIn('eve@example.com') })
    expect([status, body.permissions]).toEqual([200, { organization: [], projects: {} }])
  })

  it('has only the permissions of the token', async () => {
    const limited = await signIn('ada@example.com', 'project:read feature:read')
    const { body } = await call(server, 'getSession', { key: limited })
    const named = ['project:read', 'feature:read']
    expect(body.permissions).toEqual({ organization: named, projects: { shop: named } })
    // A token that cannot list projects does not get their keys here.
    const blind = await signIn('ada@example.com', 'feature:read')
    expect((await call(server, 'getSession', { key: blind })).body.permissions.projects).toEqual({})
  })

  it('accepts an API client', async () => {
    const { status, body } = await call(server, 'getSession')
    expect([status, body.user, body.actor, body.clientId]).toEqual([
      200,
      { id: 'test-admin@clients', name: expect.any(String) },
      'client',
      'test-admin'
    ])
    expect(body.permissions.projects.shop).toContain('feature:publish')
  })

  it('refuses a missing, a wrong and an SDK key as a token', async () => {
    const bare = await send(server, { method: 'GET', path: '/v1/session' })
    expect([bare.status, bare.body.message]).toEqual([401, expect.stringMatching(/token is missing|missing/)])
    for (const key of ['garbage', 'server-production']) {
      expect((await call(server, 'getSession', { key })).status).toBe(401)
    }
    expect((await send(server, { method: 'POST', path: '/v1/session' })).status).toBe(405)
  })
})

it('names the identity provider', async () => {
  const other = await serve(await storeWith({}), {
    oidcIssuer: 'https://login.example.com',
    oidcClientId: 'burgee',
    oidcClientSecret: 'a-secret',
    oidcName: 'Company login'
  })
  expect((await call(other, 'getSession')).body.server).toMatchObject({
    isToolServer: false,
    signInName: 'Company login',
    isDemo: false
  })
})

it('contains that the demo project exists', async () => {
  const demo = await serve({}, { store: 'memory:', demo: true })
  expect((await call(demo, 'getSession')).body).toMatchObject({
    permissions: { projects: { demo: expect.arrayContaining(['feature:read']) } },
    server: { isDemo: true }
  })
})
