import { call, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
})

const shop = { project: 'shop' }

describe('a resource whose key equals the id of another one', () => {
  it('does not replace an audience in requests that name its id', async () => {
    const filters = { operator: 'and', filters: [{ type: 'all' }] }
    const staff = await call(server, 'createAudience', { params: shop, body: { key: 'staff', name: 'Staff', filters } })
    const shadow = { key: staff.body._id, name: 'Shadow', filters }
    expect((await call(server, 'createAudience', { params: shop, body: shadow })).status).toBe(201)
    const found = await call(server, 'getAudience', { params: { ...shop, key: staff.body._id } })
    expect(found.body.key).toBe('staff')
  })

  it('does not replace an environment in requests that name its id', async () => {
    const environments = await call(server, 'listEnvironments', { params: shop })
    const production = environments.body.find(({ type }: { type: string }) => type === 'production')
    const shadow = { key: production._id, name: 'Shadow', type: 'development' }
    expect((await call(server, 'createEnvironment', { params: shop, body: shadow })).status).toBe(201)
    const answer = await call(server, 'updateFeatureConfiguration', {
      params: { ...shop, feature: 'checkout' },
      query: { environment: production._id },
      body: { status: 'inactive' }
    })
    expect([answer.status, answer.body._environment]).toEqual([200, production._id])
  })
})
