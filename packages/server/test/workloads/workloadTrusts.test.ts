import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const bound = { claim: 'repository_id', op: 'equals', value: '70107786' }
const trust = {
  name: 'Deploy',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://flags.example.com',
  conditions: [bound],
  grants: { projects: ['shop'], role: 'publisher' }
}

let server: TestServer
let count = 0

beforeAll(async () => {
  const directory = await storeWith({ environments: { production: {}, staging: {} } })
  await addMembers(directory, {
    mode: 'full',
    people: {
      owner: [{ role: 'organization_owner' }],
      admin: [{ role: 'organization_admin' }],
      chief: [{ role: 'organization_owner' }, { role: 'organization_admin' }],
      'shop-owner': [{ role: 'organization_owner' }, { role: 'member', _project: idOf('shop') }]
    }
  })
  server = await serve(directory)
})

const create = (members: object = {}, key?: string) => {
  const body = { key: `trust-${++count}`, ...trust, ...members }
  return call(server, 'createWorkloadTrust', { body, ...(key === undefined ? {} : { key }) })
}

it('is created, listed, read, changed and deleted', async () => {
  const grants = { projects: ['shop'], scopes: ['feature:read', 'feature:write'], environments: ['staging'] }
  const made = await create({ grants, expiresAt: '2027-01-01T01:00:00+01:00' })
  expect([made.status, made.body]).toEqual([
    201,
    {
      _id: expect.any(String),
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString(),
      key: `trust-${count}`,
      ...trust,
      grants: {
        projects: [idOf('shop')],
        scopes: ['feature:read', 'feature:write'],
        environments: [idOf('staging')],
        maxLifetime: 900
      },
      enabled: true,
      expiresAt: '2027-01-01T00:00:00.000Z',
      _createdBy: 'test-admin@clients'
    }
  ])
  const params = { trust: made.body.key }
  expect((await call(server, 'getWorkloadTrust', { params: { trust: made.body._id } })).body).toEqual(made.body)
  const listed = await call(server, 'listWorkloadTrusts', { query: { search: made.body.key } })
  expect(listed.body).toEqual([made.body])
  const change = { enabled: false, expiresAt: null, jwksUri: 'https://keys.example.com/' }
  const changed = await call(server, 'updateWorkloadTrust', { params, body: change })
  expect(changed.body).toMatchObject({ enabled: false, jwksUri: 'https://keys.example.com/' })
  expect(changed.body.expiresAt).toBeUndefined()
  expect((await call(server, 'deleteWorkloadTrust', { params })).status).toBe(200)
  expect((await call(server, 'getWorkloadTrust', { params })).status).toBe(404)
})

it('cannot have the id of another one as key', async () => {
  const { _id } = (await create()).body
  const { status, body } = await create({ key: _id })
  expect([status, body.message]).toEqual([409, `key should not be the _id of another trust, got "${_id}"`])
})

const condition = (members: object) => ({
  conditions: [bound, { claim: 'ref', op: 'glob', value: 'refs/*', ...members }]
})
const grants = (members: object) => ({ grants: { ...trust.grants, ...members } })

test.each<[string, object, number, RegExp]>([
  ['an issuer over http', { issuer: 'http://ci.example.com' }, 400, /issuer should be an https URL/],
  ['an issuer with a query', { issuer: 'https://ci.example.com?a' }, 400, /issuer should be an https URL/],
  ['an issuer with a user', { issuer: 'https://a@ci.example.com' }, 400, /issuer should be an https URL/],
  ['keys over http', { jwksUri: 'http://ci.example.com/keys' }, 400, /jwksUri should be an https URL/],
  ['no audience', { audience: '' }, 400, /audience/],
  [
    'the audience of GitHub',
    { audience: 'https://github.com/acme' },
    400,
    /audience should be an address of this server/
  ],
  [
    'the audience of an enterprise server',
    { issuer: 'https://git.example.com/_services/token', audience: 'https://git.example.com/acme' },
    400,
    /audience should be an address of this server/
  ],
  [
    'an unknown op',
    { conditions: [{ claim: 'repository_id', op: 'like', value: '7' }] },
    400,
    /conditions\.0\.op should be one of equals, oneOf, glob, got "like"/
  ],
  ['no conditions', { conditions: [] }, 400, /conditions/],
  [
    'no binding condition',
    { conditions: [{ claim: 'ref', op: 'equals', value: 'main' }] },
    400,
    /names the repository/
  ],
  [
    'a pattern as binding',
    { conditions: [{ claim: 'repository', op: 'glob', value: 'a/*' }] },
    400,
    /names the repository/
  ],
  ['the subject as binding', { conditions: [{ claim: 'sub', op: 'equals', value: 'a' }] }, 400, /names the repository/],
  ['a pattern without *', condition({ value: 'main' }), 400, /conditions/],
  ['a pattern of * alone', condition({ value: '*' }), 400, /conditions/],
  ['a pattern of **', condition({ value: 'refs/**' }), 400, /conditions/],
  ['a pattern on aud', condition({ claim: 'aud' }), 400, /conditions/],
  ['an unknown operator', condition({ op: 'matches' }), 400, /conditions/],
  ['no projects', grants({ projects: [] }), 400, /grants.projects/],
  ['an unknown project', grants({ projects: ['nowhere'] }), 404, /there is no project "nowhere"/],
  ['an unknown environment', grants({ environments: ['nowhere'] }), 404, /there is no environment "nowhere"/],
  ['role and scopes', grants({ scopes: ['feature:read'] }), 400, /grants.role should be given, or scopes/],
  ['neither role nor scopes', { grants: { projects: ['shop'] } }, 400, /grants.role should be given, or scopes/],
  ['a role of the organization', grants({ role: 'organization_admin' }), 400, /grants.role/],
  [
    'permission to manage',
    { grants: { projects: ['shop'], scopes: ['organization:write:settings'] } },
    400,
    /grants.scopes/
  ],
  [
    'permission to delete projects',
    { grants: { projects: ['shop'], scopes: ['project:delete'] } },
    400,
    /grants.scopes/
  ],
  ['a lifetime over an hour', grants({ maxLifetime: 3601 }), 400, /grants.maxLifetime/],
  ['an end in the past', { expiresAt: '2026-03-01T12:00:00Z' }, 400, /expiresAt should be in the future/]
])('with %s is refused', async (_, members, status, message) => {
  const answer = await create(members)
  expect([answer.status, String(answer.body.message)]).toEqual([status, expect.stringMatching(message)])
})

it('has a unique key', async () => {
  const { body } = await create()
  const { status, body: refusal } = await create({ key: body.key })
  expect([status, refusal.message]).toEqual([409, `Duplicate key '${body.key}'`])
})

describe('in full mode', () => {
  it.each([
    ['admin', 403, /requires the role organization_owner/],
    ['owner', 404, /no project "shop"/],
    ['shop-owner', 403, /granting these permissions requires the permission feature:publish/],
    ['chief', 201, undefined]
  ] as const)('is created by owners who have what it grants: %s gets %s', async (name, status, message) => {
    const answer = await create({}, await personToken(server, userIdOf(name)))
    expect(answer.status).toBe(status)
    if (message) expect(answer.body.message).toMatch(message)
  })

  it.each([
    { conditions: [{ ...bound, value: '666' }] },
    { issuer: 'https://gitlab.example.com' },
    { audience: 'https://other.example.com' },
    { expiresAt: null },
    { enabled: true, conditions: [{ ...bound, value: '7' }] },
    { grants: { projects: ['shop'], role: 'viewer' } }
  ])('accepts other workloads only if the owner has what it grants: %j', async (body) => {
    const { body: made } = await create({ expiresAt: '2027-01-01T00:00:00Z' })
    const params = { trust: made.key }
    for (const [name, status] of [
      ['owner', /40[34]/],
      ['chief', /200/]
    ] as const) {
      const answer = await call(server, 'updateWorkloadTrust', {
        key: await personToken(server, userIdOf(name)),
        params,
        body
      })
      expect([name, String(answer.status)]).toEqual([name, expect.stringMatching(status)])
    }
  })

  it('is renamed and disabled by every owner, and enabled by owners who have what it grants', async () => {
    const { body: made } = await create()
    const [owner, chief] = [await personToken(server, userIdOf('owner')), await personToken(server, userIdOf('chief'))]
    const update = async (key: string, body: object) =>
      (await call(server, 'updateWorkloadTrust', { key, params: { trust: made.key }, body })).status
    expect(await update(owner, { name: 'Other' })).toBe(200)
    expect(await update(owner, { name: 'Third', enabled: false })).toBe(200)
    expect(await update(owner, { enabled: true })).toBe(403)
    expect(await update(chief, { enabled: true })).toBe(200)
  })

  it('cannot bypass the limits of a client', async () => {
    const directory = await storeWith({})
    await addClients(directory, { settings: ['organization:write:settings', 'project:read'] })
    const at = await serve(directory)
    const body = { key: 'mine', ...trust }
    const { status } = await call(at, 'createWorkloadTrust', { key: await tokenFor(at, 'settings'), body })
    expect(status).toBe(403)
  })
})

it('loses a project that is deleted', async () => {
  await call(server, 'createProject', { body: { key: 'gone', name: 'Gone' } })
  const { body } = await create({ grants: { projects: ['shop', 'gone'], role: 'viewer' } })
  await call(server, 'deleteProject', { params: { key: 'gone' } })
  const { body: after } = await call(server, 'getWorkloadTrust', { params: { trust: body.key } })
  expect(after.grants.projects).toEqual([idOf('shop')])
})
