import { addClients, serveLimited, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

const shop = idOf('shop')
const team = { group: 'shop-team', role: 'publisher', project: 'shop' } as const
const owners = { group: 'owners', role: 'organization_owner' } as const

let server: TestServer
const keys: Record<string, string> = {}

beforeAll(async () => {
  const directory = await storeWith({})
  await addMembers(directory, {
    mode: 'full',
    people: {
      owner: [{ role: 'organization_owner' }],
      admin: [{ role: 'organization_admin' }],
      // Users of the identity provider have the roles of their groups.
      foreigner: {
        roles: [{ role: 'organization_owner' }, { role: 'organization_admin' }],
        identity: { issuer: 'https://idp.example.com', subject: 'foreigner' },
        groups: ['shop-team']
      },
      both: [{ role: 'organization_admin' }, { role: 'member', _project: shop }],
      'shop-admin': [{ role: 'project_admin', _project: shop }]
    }
  })
  await addClients(directory, { capped: ['organization:read:settings', 'organization:write:settings'] })
  server = await serve(directory)
  for (const name of ['owner', 'admin', 'foreigner', 'both', 'shop-admin']) {
    keys[name] = await personToken(server, userIdOf(name))
  }
  keys.capped = await tokenFor(server, 'capped')
})

beforeEach(async () => {
  await changed({ mode: 'full', controlledBy: 'burgee', groups: [] })
})

function change(permissions: unknown, key?: string): Promise<ApiResponse> {
  return call(server, 'updateOrganizationSettings', { body: { permissions }, ...(key ? { key } : {}) })
}

async function changed(permissions: unknown): Promise<ApiResponse['body']> {
  const { status, body } = await change(permissions)
  expect([status, body.message]).toEqual([200, undefined])
  return body.permissions
}

async function settings(): Promise<ApiResponse['body']> {
  return (await call(server, 'getOrganizationSettings')).body.permissions
}

describe('the settings of the organization', () => {
  it('of a new server give everyone full access', async () => {
    const { body } = await call(await serve({}), 'getOrganizationSettings')
    expect(body).toEqual({
      permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] },
      secondFactor: 'optional'
    })
  })

  it('change the given members and keep the others', async () => {
    const shown = { group: 'shop-team', role: 'publisher', project: shop }
    expect(await changed({ groups: [team, owners] })).toEqual({
      mode: 'full',
      controlledBy: 'burgee',
      groups: [shown, owners]
    })
    expect(await changed({ mode: 'basic' })).toEqual({ mode: 'basic', controlledBy: 'burgee', groups: [shown, owners] })
    expect(await changed({})).toEqual({ mode: 'basic', controlledBy: 'burgee', groups: [shown, owners] })
    // Sending back the response changes nothing.
    expect(await changed({ groups: [shown, owners] })).toEqual(await settings())
    expect(await changed({ groups: [owners] })).toMatchObject({ groups: [owners] })
  })

  it('are readable and writable with a role that permits it only', async () => {
    expect((await call(server, 'getOrganizationSettings', { key: keys['shop-admin'] ?? '' })).status).toBe(200)
    const { status, body } = await change({}, keys['shop-admin'])
    expect([status, body.message]).toEqual([403, 'this operation requires the permission organization:write:settings'])
    const { server: limited, key } = await serveLimited({}, ['project:read'])
    expect((await call(limited, 'getOrganizationSettings', { key })).status).toBe(403)
  })

  test.each<[unknown, RegExp]>([
    [{ mode: 'strict' }, /^permissions\.mode should be one of flat, basic, full/],
    [{ controlledBy: 'nobody' }, /^permissions\.controlledBy should be one of burgee, identityProvider/],
    [{ groups: [{ group: '', role: 'viewer' }] }, /^permissions\.groups\.0\.group should not be empty/],
    [{ groups: [{ group: 'x', role: 'emperor' }] }, /^permissions\.groups\.0\.role should be one of/],
    [{ groups: [{ ...owners, project: 'shop' }] }, /^permissions\.groups\.0\.project should not be given/],
    [{ groups: [{ ...team, _project: shop }] }, /^property permissions\.groups\.0\._project should not exist/],
    [{ auditHead: {} }, /^property permissions\.auditHead should not exist/]
  ])('return 400 to %j', async (permissions, mistake) => {
    const { status, body } = await change(permissions)
    expect([status, body.message]).toEqual([400, [expect.stringMatching(mistake)]])
  })

  test.each([{ permissions: {}, key: 'org_mine' }, { permissions: {}, _id: idOf('x') }, { auditHead: {} }])(
    'return 400 to a body of %j',
    async (body) => expect((await call(server, 'updateOrganizationSettings', { body })).status).toBe(400)
  )

  it('return 404 to a group for an unknown project', async () => {
    const { status, body } = await change({ groups: [{ ...team, project: 'nowhere' }] })
    expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nowhere' not found")])
  })

  it('return 400 to the flat mode together with the identity provider as the source of roles', async () => {
    const together = [
      { mode: 'flat', controlledBy: 'identityProvider' },
      { mode: 'flat' },
      { controlledBy: 'identityProvider' }
    ]
    await changed({ controlledBy: 'identityProvider' })
    const answers = [await change(together[0]), await change(together[1])]
    await changed({ controlledBy: 'burgee' })
    await changed({ mode: 'flat' })
    answers.push(await change(together[2]))
    for (const { status, body } of answers) {
      const mistake = expect.stringMatching(
        /^permissions\.controlledBy should be burgee when permissions\.mode is flat/
      )
      expect([status, body.message]).toEqual([400, [mistake]])
    }
  })

  it('take effect at once', async () => {
    const listed = async (name: string) => {
      const { status, body } = await call(server, 'listProjects', { key: keys[name] ?? '' })
      return status === 200 ? body.length : status
    }
    expect([await listed('foreigner'), await listed('owner'), await listed('shop-admin')]).toEqual([1, 403, 1])
    await changed({ mode: 'basic' })
    expect([await listed('owner'), await listed('shop-admin')]).toEqual([1, 403])
    await changed({ mode: 'flat' })
    expect([await listed('owner'), await listed('shop-admin')]).toEqual([1, 1])
    await changed({ mode: 'full', controlledBy: 'identityProvider' })
    expect(await listed('foreigner')).toBe(403)
    await changed({ groups: [team] })
    expect(await listed('foreigner')).toBe(1)
  })

  it('return 412 to a user who could not change them back', async () => {
    const { status, body } = await change({ controlledBy: 'identityProvider' }, keys.foreigner)
    expect([status, body.message]).toEqual([412, expect.stringContaining('organization:write:settings')])
    expect(await settings()).toMatchObject({ mode: 'full', controlledBy: 'burgee' })
  })
})

describe('nobody grants more than their own permissions', () => {
  test.each([
    ['owner', { groups: [owners] }, 200, undefined],
    [
      'owner',
      { groups: [{ group: 'all', role: 'viewer' }] },
      403,
      'granting viewer requires the permission project:read'
    ],
    ['owner', { groups: [team] }, 404, expect.stringContaining("Item with key 'shop' not found")],
    [
      'owner',
      { mode: 'flat' },
      403,
      'changing the permission mode of the organization requires the permission project:read'
    ],
    [
      'owner',
      { mode: 'basic' },
      403,
      'changing the permission mode of the organization requires the permission project:read'
    ],
    ['owner', { mode: 'full' }, 200, undefined],
    ['admin', { groups: [team] }, 200, undefined],
    ['admin', { groups: [team, owners] }, 403, expect.stringMatching(/^granting organization_owner requires the role/)],
    ['admin', { mode: 'flat' }, 403, expect.stringMatching(/requires the role organization_owner/)],
    ['foreigner', { groups: [team, owners] }, 200, undefined],
    ['foreigner', { mode: 'flat' }, 200, undefined],
    [
      'capped',
      { groups: [owners] },
      403,
      expect.stringMatching(/^granting organization_owner requires the permission/)
    ],
    [
      'capped',
      { mode: 'flat' },
      403,
      expect.stringMatching(/^changing the permission mode of the organization requires/)
    ]
  ])('%s changes %j: %i', async (name, permissions, status, message) => {
    const answer = await change(permissions, keys[name])
    expect([answer.status, answer.body.message]).toEqual([status, message])
  })

  it('a user cannot remove mappings that they could not grant, but can keep them', async () => {
    const { groups } = await changed({ groups: [team] })
    const taken = await change({ groups: [owners] }, keys.owner)
    expect([taken.status, taken.body.message]).toEqual([403, expect.stringMatching(/^granting publisher requires/)])
    const left = await change({ groups: [...groups, owners] }, keys.owner)
    expect(left.body.permissions.groups).toEqual([...groups, owners])
  })
})

it('a deleted project removes its group mappings', async () => {
  await call(server, 'createProject', { body: { key: 'brief', name: 'Brief' } })
  await changed({ groups: [{ ...team, project: 'brief' }, owners] })
  await call(server, 'deleteProject', { params: { key: 'brief' } })
  expect(await settings()).toMatchObject({ groups: [owners] })
})
