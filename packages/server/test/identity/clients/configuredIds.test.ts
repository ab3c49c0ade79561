import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { addAccounts } from '@burgee/testing/browser'
import { call, options, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../../src/identity/secrets/secretHash.ts'
import { OptionError } from '../../../src/lib/errors.ts'

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
