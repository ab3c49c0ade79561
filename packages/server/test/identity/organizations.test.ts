import { serveLimited } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const MINUTE = 60_000
let server: TestServer

beforeAll(async () => {
  server = await serve({ environments: { production: {}, staging: {} }, features: [{ key: 'checkout' }] })
})

describe('organizations', () => {
  it('are listed with the one of the caller', async () => {
    const { status, body } = await call(server, 'listOrganizations')
    expect(status).toBe(200)
    expect(body).toEqual([{ id: 'org_test', name: 'burgee', display_name: 'Burgee' }])
  })

  it.each(['listOrganizations', 'listMembers', 'listAuditEntries'] as const)(
    '%s requires a token with the permission',
    async (operation) => {
      const { server: limited, key } = await serveLimited({}, ['project:read'])
      expect((await call(limited, operation, { key: null })).status).toBe(401)
      expect((await call(limited, operation, { key })).status).toBe(403)
    }
  )
})

it('an organization sees nothing of another one', async () => {
  const permissions = ['organization:read:settings', 'organization:read:members'] as const
  const { server: shared, key } = await serveLimited({}, permissions, 'org_other')
  await call(shared, 'createProject', { body: { key: 'secret', name: 'Secret' } })
  expect((await call(shared, 'listMembers', { key })).body).toEqual([])
  expect((await call(shared, 'listOrganizations', { key })).body).toMatchObject([{ id: 'org_other' }])
  expect((await call(shared, 'listAuditEntries', { key })).body).toEqual([])
  expect((await call(shared, 'listAuditEntries', { key, query: { project: 'secret' } })).status).toBe(404)
})

it('a token for the organization alone sees no projects', async () => {
  const { server: limited, key } = await serveLimited({ features: [{ key: 'merger' }] }, ['organization:read:settings'])
  await call(limited, 'createFeature', { params: { project: 'shop' }, body: { key: 'secret', name: 'Secret' } })
  const integration = {
    observabilityEnvironmentId: 'apm',
    accessToken: 'a-token',
    environmentUrl: 'https://example.com'
  }
  await call(limited, 'updateObservabilityIntegration', { body: integration })
  const settings = { observability: { environmentMap: { production: 'apm' } } }
  await call(limited, 'updateProject', { params: { key: 'shop' }, body: { settings } })
  const { body, headers } = await call(limited, 'listAuditEntries', { key })
  expect(body.map(({ changes }: { changes: { type: string }[] }) => changes[0]?.type)).toEqual([
    'createdObservabilityIntegration'
  ])
  expect(headers.count).toBe('1')
  expect((await call(limited, 'listAuditEntries', { key, query: { project: 'shop' } })).status).toBe(403)
  const { environments } = (await call(limited, 'getObservabilityIntegrations', { key })).body
  expect(environments).toMatchObject([{ observabilityEnvironmentId: 'apm', projects: [] }])
  const [all] = (await call(limited, 'getObservabilityIntegrations')).body.environments
  expect(all.projects).toMatchObject([{ key: 'shop' }])
})

describe('organization members', () => {
  let team: TestServer

  beforeAll(async () => {
    const directory = await storeWith({})
    await addMembers(directory, {
      mode: 'flat',
      people: { Ada: [], Grace: { picture: 'https://example.com/grace.png' } }
    })
    team = await serve(directory)
  })

  it('are the users who can sign in, named as in the audit log, without clients', async () => {
    const { status, body, headers } = await call(team, 'listMembers')
    expect(status).toBe(200)
    const person = (name: string, picture: string) => {
      return { user_id: userIdOf(name), name, email: `${idOf(name)}@example.com`, picture }
    }
    const members = [person('Ada', ''), person('Grace', 'https://example.com/grace.png')]
    expect(body).toEqual(expect.arrayContaining(members))
    expect([body.length, headers.count]).toEqual([2, '2'])
    expect((await call(server, 'listMembers')).body).toEqual([])
  })

  test.each([
    [{ perPage: 1 }, 1],
    [{ perPage: 1, page: 2 }, 1],
    [{ perPage: 1, page: 3 }, 0]
  ])('%j returns one page and the total count', async (query, length) => {
    const { body, headers } = await call(team, 'listMembers', { query })
    expect([body.length, headers.count]).toEqual([length, '2'])
  })

  it('refuse an invalid page', async () => {
    expect((await call(server, 'listMembers', { query: { perPage: 0 } })).status).toBe(400)
  })
})

describe('the audit log of the organization', () => {
  let audited: TestServer

  /** Performs each of these a minute after the previous one. */
  beforeAll(async () => {
    audited = await serve({ environments: { production: {}, staging: {} }, features: [{ key: 'checkout' }] })
    const later = (minutes: number) => {
      audited.clock.now = () => NOW + minutes * MINUTE
    }
    const params = { project: 'shop', key: 'staging' }
    later(1)
    await call(audited, 'createProject', { body: { key: 'other', name: 'Other' } })
    later(2)
    await call(audited, 'updateEnvironment', { params, body: { name: 'Stage' } })
    later(3)
    const body = { key: 'plan', name: 'Plan', type: 'String', propertyKey: 'plan' }
    await call(audited, 'createCustomProperty', { params: { project: 'shop' }, body })
    later(4)
    const integration = { observabilityEnvironmentId: 'abc', accessToken: 'x', environmentUrl: 'https://example.com' }
    await call(audited, 'updateObservabilityIntegration', { body: integration })
  })

  /** The first change of each entry that matches a query. */
  async function types(query: Readonly<Record<string, string | number>>): Promise<string[]> {
    const { body } = await call(audited, 'listAuditEntries', { query })
    return body.map(({ changes }: { changes: { type: string }[] }) => changes[0]!.type)
  }

  const everything = [
    'createdObservabilityIntegration',
    'createdCustomProperty',
    'modifiedEnvironment',
    'createdProject'
  ]
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString()

  it('has the user, the action, the time, the project and the environment', async () => {
    const { body, headers } = await call(audited, 'listAuditEntries', {
      query: { environment: 'staging', project: 'shop' }
    })
    expect(headers.count).toBe('1')
    expect(body).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        date: at(2),
        idp_user: 'test-admin@clients',
        _project: idOf('shop'),
        actor: 'client',
        clientId: 'test-admin',
        address: '127.0.0.1',
        source: 'api',
        changes: [
          {
            type: 'modifiedEnvironment',
            newContents: { name: 'Stage' },
            previousContents: { name: 'staging' },
            metadata: { _id: idOf('staging'), key: 'staging' },
            _environments: [idOf('staging')]
          }
        ]
      }
    ])
  })

  test.each([
    [{}, everything],
    [{ sortOrder: 'asc' }, [...everything].reverse()],
    [{ sortBy: 'action' }, everything],
    [{ project: 'shop' }, ['createdCustomProperty', 'modifiedEnvironment']],
    [{ project: idOf('shop') }, ['createdCustomProperty', 'modifiedEnvironment']],
    [{ project: 'shop', environment: idOf('staging') }, ['modifiedEnvironment']],
    [{ project: 'shop', environment: 'production' }, []],
    [{ project: 'shop', feature: 'checkout' }, []],
    [{ project: 'other' }, ['createdProject']],
    [{ project: 'other', environment: 'staging' }, ['createdProject']],
    [{ idp_user: 'test-admin@clients' }, everything],
    [{ idp_user: 'somebody@clients' }, []],
    [{ startDate: at(3) }, everything.slice(0, 2)],
    [{ endDate: at(2) }, everything.slice(2)],
    [{ startDate: at(2), endDate: at(3) }, everything.slice(1, 3)],
    // The same time with another offset.
    [{ startDate: '2026-03-01T14:04:00+02:00' }, everything.slice(0, 1)],
    [{ perPage: 3 }, everything.slice(0, 3)],
    [{ perPage: 3, page: 2 }, everything.slice(3)],
    [{ page: 2 }, []]
  ])('%j returns the matching entries, newest first', async (query, expected) => {
    expect(await types(query as Readonly<Record<string, string>>)).toEqual(expected)
  })

  it('has the total count of all pages', async () => {
    expect((await call(audited, 'listAuditEntries', { query: { perPage: 1 } })).headers.count).toBe('4')
  })

  it('can be filtered by feature', async () => {
    const body = { key: 'banner', name: 'Banner' }
    await call(audited, 'createFeature', { params: { project: 'other' }, body })
    expect(await types({ project: 'other', feature: 'banner' })).toEqual(['createdFeature'])
  })

  test.each([
    [{ project: 'nope' }, 404],
    [{ project: 'shop', feature: 'nope' }, 404],
    [{ project: 'other', feature: idOf('checkout') }, 404],
    [{ project: 'other', environment: idOf('staging') }, 404],
    [{ feature: 'checkout' }, 400],
    [{ environment: 'staging' }, 400],
    [{ startDate: 'yesterday' }, 400],
    [{ perPage: 1001 }, 400],
    [{ sortOrder: 'up' }, 400]
  ])('%j is refused', async (query, status) => {
    const answer = await call(audited, 'listAuditEntries', { query })
    expect(answer.status).toBe(status)
  })
})
