import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { addAccounts, authorize, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { call, options, send, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../../src/identity/secrets/secretHash.ts'
import { OptionError } from '../../../src/lib/errors.ts'
import { openStore } from '../../../src/storage/open/openStore.ts'

describe('a client id in the server settings', () => {
  let server: TestServer
  let key: string

  beforeAll(async () => {
    const directory = await storeWith({})
    await addClients(directory, { manager: ['organization:read:settings', 'organization:write:settings'] })
    server = await serve(directory, { toolServers: [{ clientId: 'tools', address: 'https://tools.example.com/mcp' }] })
    key = await tokenFor(server, 'manager')
  })

  it.each(['tools', options.adminClientId])('cannot be taken by a caller without full access: %s', async (clientId) => {
    const { status, body } = await call(server, 'createApiClient', { key, body: { name: 'Mine', clientId, roles: [] } })
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('a client whose id is in the server settings')
    ])
    const other = await call(server, 'createApiClient', {
      key,
      body: { name: 'Mine', clientId: `${clientId}-2`, roles: [] }
    })
    expect(other.status).toBe(201)
  })

  it('requires full access: other callers can neither change its client nor replace the secret', async () => {
    expect(
      (await call(server, 'createApiClient', { body: { name: 'Tools', clientId: 'tools', roles: [] } })).status
    ).toBe(201)
    const params = { client: 'tools' }
    const redirectUris = ['https://elsewhere.example.com/']
    expect((await call(server, 'rotateApiClientSecret', { key, params })).status).toBe(403)
    expect((await call(server, 'updateApiClient', { key, params, body: { redirectUris } })).status).toBe(403)
    expect((await call(server, 'rotateApiClientSecret', { params })).status).toBe(201)
  })
})

describe('a client that a caller without full access created before the settings named it', () => {
  const address = 'https://tools.example.com/mcp'
  const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token'
  const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange'

  async function exchange(server: TestServer, client_secret: string, subject_token: string) {
    const fields = { grant_type, client_id: 'later', client_secret, subject_token, subject_token_type }
    const { status, body } = await send(server, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields)
    })
    return [status, body.error, body.error_description]
  }

  async function toolToken(server: TestServer): Promise<string> {
    const browser = openBrowser(server)
    const page = await authorize(browser, { resource: address })
    const consent = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
    const { body } = await exchangeCode(server, await browser.submit(consent, 'consent'))
    return body.access_token
  }

  it.each(['now', 'in an earlier version'])(
    'cannot exchange tool tokens until its secret is replaced: %s',
    async (when) => {
      const directory = await storeWith({})
      await addAccounts(directory, { people: [{ email: 'ada@example.com', password: PASSWORD }] })
      await addClients(directory, { manager: ['organization:read:settings', 'organization:write:settings'] })
      const first = await serve(directory)
      const key = await tokenFor(first, 'manager')
      const created = await call(first, 'createApiClient', {
        key,
        body: { name: 'Later', clientId: 'later', roles: [] }
      })
      expect(created.status).toBe(201)
      await first.close()
      if (when !== 'now') {
        const store = await openStore(toStoreUrl(directory))
        const stored = await store.collection('clients').get({ clientId: 'later' })
        await store.collection('clients').update(String(stored?._id), { isSecretPrivileged: undefined } as object)
        await store.close()
      }
      const server = await serve(directory, { toolServers: [{ clientId: 'later', address }] })
      const token = await toolToken(server)
      expect(await exchange(server, created.body.clientSecret, token)).toEqual([
        400,
        'unauthorized_client',
        expect.stringMatching(/^client "later" cannot exchange tokens: a caller without all permissions created/)
      ])
      const { body } = await call(server, 'rotateApiClientSecret', { params: { client: 'later' } })
      expect(await exchange(server, body.clientSecret, token)).toEqual([200, undefined, undefined])
    }
  )
})

const PASSWORD = 'a quiet morning on the lake'

describe('the id of the administrator client', () => {
  it.each([
    ['that the API created', { _createdBy: 'burgee|ada' }],
    ['that registered itself', { isDynamic: true }]
  ])('cannot belong to a client %s: the server does not start', async (_, members) => {
    const directory = await storeWith({})
    const client = {
      clientId: 'ops',
      name: 'Ops',
      secretVerifier: hashRandomSecret('a secret of others'),
      roles: [],
      ...members
    }
    await addAccounts(directory, { permissions: { mode: 'full' }, clients: [client] })
    const start = serve(directory, { adminClientId: 'ops', adminClientSecret: 'a-configured-secret' })
    await expect(start).rejects.toThrow(OptionError)
    await expect(start).rejects.toThrow(/^BURGEE_ADMIN_CLIENT_ID should be an id that no client has/)
  })
})

describe('the key of the demo project', () => {
  it('does not return keys of a project that others created', async () => {
    const server = await serve({ environments: { production: {} } })
    await call(server, 'createProject', { body: { key: 'demo', name: 'Mine' } })
    await server.close()
    const again = await serve(server.directory, { demo: true })
    expect(again.demo).toBeUndefined()
  })
})
