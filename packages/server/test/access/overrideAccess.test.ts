import { type Role, roles, rolesByPermission } from '@burgee/contract'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf, keyOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const inShop = { project: 'shop' }
const checkout = { project: 'shop', feature: 'checkout' }
const inProduction = { environment: 'production', variation: 'variation-on' }
const inDevelopment = { environment: 'development', variation: 'variation-on' }
const projectRoles = roles.filter((role) => rolesByPermission['project:read'].includes(role))

/** A project with the protected environment `production`, the open one `development`, and a person of each role. */
interface Team {
  readonly server: TestServer
  readonly keyOf: (role: Role) => string
}

async function serveTeam(overrides?: { readonly protectedPermission: 'publish' | 'read' } | null): Promise<Team> {
  const directory = await storeWith({
    // Projects that are older than the setting lack it.
    ...(overrides === undefined ? {} : { settings: { overrides: overrides ?? undefined } as never }),
    environments: { production: {}, development: {} },
    features: [{ key: 'checkout', targets: [{ serves: { 'variation-off': 1 } }] }]
  })
  const people = Object.fromEntries(projectRoles.map((role) => [role, [{ role }]]))
  await addMembers(directory, { mode: 'full', people })
  const server = await serve(directory)
  const development = { params: { project: 'shop', key: 'development' }, body: { type: 'development' } }
  expect((await call(server, 'updateEnvironment', development)).status).toBe(200)
  const keys = new Map<string, string>()
  for (const role of projectRoles) keys.set(role, await personToken(server, userIdOf(role)))
  return { server, keyOf: (role) => keys.get(role) ?? '' }
}

function identify({ server, keyOf }: Team, role: Role, svcUserId: string | null): Promise<ApiResponse> {
  return call(server, 'updateUserProfile', { params: inShop, body: { svcUserId }, key: keyOf(role) })
}

function override({ server, keyOf }: Team, role: Role, body: object): Promise<ApiResponse> {
  return call(server, 'updateFeatureOverride', { params: checkout, body, key: keyOf(role) })
}

async function served({ server }: Team, user_id: string, environment = 'production') {
  const params = { key: 'checkout' }
  const { body } = await call(server, 'evaluateVariable', {
    params,
    body: { user_id },
    key: keyOf('server', environment)
  })
  return [body.value, body.eval.reason]
}

const lacksPublish = {
  statusCode: 403,
  error: 'Forbidden',
  message: 'this operation requires the permission feature:publish',
  missingPermission: 'feature:publish'
}

describe('an override in a protected environment', () => {
  let team: Team

  beforeAll(async () => {
    team = await serveTeam()
  })

  it('by a viewer does not decide what a production user gets', async () => {
    expect((await identify(team, 'viewer', 'customer-1')).status).toBe(200)
    const { status, body } = await override(team, 'viewer', inProduction)
    expect([status, body]).toEqual([403, lacksPublish])
    expect(await served(team, 'customer-1')).toEqual([false, 'TARGETING_MATCH'])
  })

  test.each(projectRoles)('requires feature:publish: %s', async (role) => {
    const mayPublish = rolesByPermission['feature:publish'].includes(role)
    await identify(team, role, `user of ${role}`)
    expect((await override(team, role, inProduction)).status).toBe(mayPublish ? 200 : 403)
    expect((await override(team, role, inDevelopment)).status).toBe(200)
    expect(await served(team, `user of ${role}`)).toEqual(mayPublish ? [true, 'OVERRIDE'] : [false, 'TARGETING_MATCH'])
    expect(await served(team, `user of ${role}`, 'development')).toEqual([true, 'OVERRIDE'])
  })

  it('requires feature:publish in projects that are older than the setting', async () => {
    const old = await serveTeam(null)
    const { body } = await call(old.server, 'getProject', { params: { key: 'shop' } })
    expect(body.settings).not.toHaveProperty('overrides')
    await identify(old, 'viewer', 'ada')
    expect((await override(old, 'viewer', inProduction)).status).toBe(403)
  })

  it('can be removed by the member who made it, without feature:publish', async () => {
    const open = await serveTeam({ protectedPermission: 'read' })
    await identify(open, 'viewer', 'ada')
    expect((await override(open, 'viewer', inProduction)).status).toBe(200)
    const protect = { settings: { overrides: { protectedPermission: 'publish' } } }
    expect(
      (await call(open.server, 'updateProtectedSettings', { params: { key: 'shop' }, body: protect })).status
    ).toBe(200)
    const query = { environment: 'production' }
    const key = open.keyOf('viewer')
    expect((await call(open.server, 'deleteFeatureOverride', { params: checkout, query, key })).status).toBe(200)
    expect(await served(open, 'ada')).toEqual([false, 'TARGETING_MATCH'])
  })
})

describe('the setting overrides.protectedPermission', () => {
  const lowered = { settings: { overrides: { protectedPermission: 'read' } } }
  const params = { key: 'shop' }

  it('allows overrides in protected environments for everyone who can read the project', async () => {
    const team = await serveTeam()
    const key = team.keyOf('project_admin')
    const { status, body } = await call(team.server, 'updateProtectedSettings', { params, body: lowered, key })
    expect([status, body.settings.overrides]).toEqual([200, { protectedPermission: 'read' }])
    await identify(team, 'viewer', 'ada')
    expect((await override(team, 'viewer', inProduction)).status).toBe(200)
    expect((await identify(team, 'viewer', 'lovelace')).status).toBe(200)
    expect(await served(team, 'lovelace')).toEqual([true, 'OVERRIDE'])
  })

  it('requires the permission for protected settings to change', async () => {
    const { server, keyOf } = await serveTeam()
    const key = keyOf('publisher')
    const both = { settings: { ...lowered.settings, disablePassthroughRollouts: false } }
    const answers = [
      await call(server, 'updateProtectedSettings', { params, body: lowered, key }),
      await call(server, 'updateProjectSettings', { params, body: both, key })
    ]
    for (const { status, body } of answers)
      expect([status, body.missingPermission]).toEqual([403, 'project:write:settings'])
    expect((await call(server, 'updateProject', { params, body: lowered })).status).toBe(400)
    const { body } = await call(server, 'getProject', { params })
    expect(body.settings.overrides).toEqual({ protectedPermission: 'publish' })
  })

  it('refuses other values', async () => {
    const { server } = await serveTeam()
    const wrong = { settings: { overrides: { protectedPermission: 'write' } } }
    const { status, body } = await call(server, 'updateProtectedSettings', { params, body: wrong })
    expect([status, body.message]).toEqual([400, [expect.stringContaining('settings.overrides.protectedPermission')]])
  })
})

describe('the identity of a member', () => {
  it('moves no override in a protected environment without feature:publish', async () => {
    const team = await serveTeam({ protectedPermission: 'read' })
    await identify(team, 'viewer', 'ada')
    await override(team, 'viewer', inProduction)
    const body = { settings: { overrides: { protectedPermission: 'publish' } } }
    await call(team.server, 'updateProtectedSettings', { params: { key: 'shop' }, body })
    const refused = await identify(team, 'viewer', 'customer-1')
    expect([refused.status, refused.body]).toEqual([403, lacksPublish])
    expect(await served(team, 'customer-1')).toEqual([false, 'TARGETING_MATCH'])
    expect(await served(team, 'ada')).toEqual([true, 'OVERRIDE'])
    expect((await identify(team, 'viewer', null)).status).toBe(200)
    expect(await served(team, 'ada')).toEqual([false, 'TARGETING_MATCH'])
  })

  it('moves overrides in other environments, and those of publishers', async () => {
    const team = await serveTeam()
    await identify(team, 'viewer', 'ada')
    await override(team, 'viewer', inDevelopment)
    expect((await identify(team, 'viewer', 'lovelace')).status).toBe(200)
    expect(await served(team, 'lovelace', 'development')).toEqual([true, 'OVERRIDE'])
    await identify(team, 'publisher', 'grace')
    await override(team, 'publisher', inProduction)
    expect((await identify(team, 'publisher', 'hopper')).status).toBe(200)
    expect(await served(team, 'hopper')).toEqual([true, 'OVERRIDE'])
  })
})

describe('the audit log', () => {
  it('of the feature has overrides, and that of the project identities, each with the values before and after', async () => {
    const team = await serveTeam()
    await identify(team, 'publisher', 'grace')
    await override(team, 'publisher', inProduction)
    await override(team, 'publisher', { ...inProduction, variation: 'variation-off' })
    await identify(team, 'publisher', 'hopper')
    const key = team.keyOf('publisher')
    await call(team.server, 'deleteCurrentOverrides', { params: inShop, key })
    const query = { environment: 'production', sortOrder: 'asc' }
    const { body: log } = await call(team.server, 'getFeatureAudit', { params: checkout, query })
    const [idp_user, _environments] = [userIdOf('publisher'), [idOf('production')]]
    const [on, off] = [idOf('checkout variation-on'), idOf('checkout variation-off')]
    const contents = { idp_user, _environment: idOf('production'), svcUserId: aHash, _variation: on }
    const last = { ...contents, svcUserId: aHash, _variation: off }
    expect(log.map((entry: { idp_user: string }) => entry.idp_user)).toEqual(Array(4).fill(idp_user))
    expect(log.flatMap(({ changes }: { changes: unknown[] }) => changes)).toMatchObject([
      { type: 'createdOverride', previousContents: null, newContents: contents, _environments },
      {
        type: 'modifiedOverride',
        previousContents: { _variation: on },
        newContents: { _variation: off },
        _environments
      },
      {
        type: 'modifiedOverride',
        previousContents: { svcUserId: aHash },
        newContents: { svcUserId: aHash },
        _environments
      },
      { type: 'deletedOverride', previousContents: last, newContents: null, _environments }
    ])
    const { body: entries } = await call(team.server, 'listAuditEntries', { query: { project: 'shop' } })
    const profiles = entries
      .filter((entry: { _feature?: string }) => entry._feature === undefined)
      .flatMap(({ changes }: { changes: { type: string }[] }) => changes)
      .filter(({ type }: { type: string }) => type === 'modifiedUserProfile')
    expect(profiles).toMatchObject([
      { previousContents: { svcUserId: aHash }, newContents: { svcUserId: aHash } },
      { previousContents: { svcUserId: null }, newContents: { svcUserId: aHash } }
    ])
  })

  it('records no override that stays the same, and the end of one whose variation is removed', async () => {
    const { server } = await serveTeam()
    await call(server, 'updateUserProfile', { params: inShop, body: { svcUserId: 'ada' } })
    for (const _ of [1, 2]) await call(server, 'updateFeatureOverride', { params: checkout, body: inProduction })
    const audience = { filters: { operator: 'and', filters: [{ type: 'all' }] } }
    const off = { targets: [{ audience, distribution: [{ _variation: 'variation-off', percentage: 1 }] }] }
    const body = {
      variations: [{ key: 'variation-off', name: 'Off' }],
      configurations: { production: off, development: off }
    }
    expect((await call(server, 'updateFeature', { params: checkout, body })).status).toBe(200)
    const { body: log } = await call(server, 'getFeatureAudit', { params: checkout })
    const types = log.flatMap(({ changes }: { changes: { type: string }[] }) => changes.map(({ type }) => type))
    expect(types.filter((type: string) => type.endsWith('Override'))).toEqual(['deletedOverride', 'createdOverride'])
  })

  it('does not make overrides a change of the feature: change requests stay applicable, entries are not reverted', async () => {
    const { server } = await serveTeam()
    const workflow = { featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true } }
    await call(server, 'updateProtectedSettings', { params: { key: 'shop' }, body: { settings: workflow } })
    const wanted = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'Checkout' } }
    const { body: request } = await call(server, 'createChangeRequest', { params: checkout, body: wanted })
    await call(server, 'updateUserProfile', { params: inShop, body: { svcUserId: 'ada' } })
    expect((await call(server, 'updateFeatureOverride', { params: checkout, body: inProduction })).status).toBe(200)
    const params = { ...checkout, id: request._id }
    const rebased = await call(server, 'rebaseChangeRequest', { params })
    expect([rebased.status, rebased.body.errorType]).toEqual([409, 'ERR_FEATURE_UNCHANGED'])
    const { body: log } = await call(server, 'getFeatureAudit', { params: checkout })
    const reverted = await call(server, 'revertFeature', { params: { ...checkout, entry: log[0]._id } })
    expect([reverted.status, reverted.body.message]).toEqual([412, expect.stringContaining('did not change feature')])
  })
})

describe('the overrides of other members', () => {
  let team: Team

  beforeAll(async () => {
    team = await serveTeam()
    for (const role of ['publisher', 'project_admin'] as const) {
      await identify(team, role, `user of ${role}`)
      for (const body of [inProduction, inDevelopment]) await override(team, role, body)
    }
  })

  function remove(role: Role, query: Readonly<Record<string, string>>): Promise<ApiResponse> {
    const key = team.keyOf(role)
    return call(team.server, 'deleteFeatureOverrides', { params: checkout, query, key })
  }

  async function listed(environment: string): Promise<string[]> {
    const query = { environment, addMetadata: 'true' }
    const key = team.keyOf('viewer')
    const { body } = await call(team.server, 'getFeatureOverrides', { params: checkout, query, key })
    return (body.overrides[idOf(environment)] ?? []).map(
      ({ name, svcUserId }: { name: string; svcUserId: string }) => `${name}: ${svcUserId}`
    )
  }

  it('are listed with the users that they apply to', async () => {
    expect((await listed('production')).sort()).toEqual([
      'project_admin: user of project_admin',
      'publisher: user of publisher'
    ])
  })

  test.each([
    ['viewer', 'production', 'feature:write'],
    ['viewer', 'development', 'feature:write'],
    ['member', 'production', 'feature:publish']
  ] as const)('are not removed by a %s in %s', async (role, environment, missing) => {
    const before = await listed(environment)
    const { status, body } = await remove(role, { environment })
    expect([status, body.missingPermission]).toEqual([403, missing])
    expect(await listed(environment)).toEqual(before)
  })

  it('stay where another member, environment or feature is named', async () => {
    expect((await remove('publisher', { environment: 'production', idp_user: 'nobody' })).body).toEqual({ deleted: 0 })
    expect((await remove('publisher', { environment: 'nowhere' })).status).toBe(404)
    expect((await remove('publisher', {})).status).toBe(400)
    expect(await listed('production')).toHaveLength(2)
  })

  it('are removed one by one, and together, per environment', async () => {
    const query = { environment: 'production', idp_user: userIdOf('project_admin') }
    expect((await remove('publisher', query)).body).toEqual({ deleted: 1 })
    expect(await served(team, 'user of project_admin')).toEqual([false, 'TARGETING_MATCH'])
    expect(await served(team, 'user of publisher')).toEqual([true, 'OVERRIDE'])
    const { body: log } = await call(team.server, 'getFeatureAudit', { params: checkout })
    expect(log[0]).toMatchObject({
      idp_user: userIdOf('publisher'),
      changes: [{ type: 'deletedOverride', previousContents: { idp_user: userIdOf('project_admin') } }]
    })
    expect((await remove('member', { environment: 'development' })).body).toEqual({ deleted: 2 })
    expect([await listed('production'), await listed('development')]).toEqual([['publisher: user of publisher'], []])
  })
})

/** How entries name a user of an application. */
const aHash = expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/)
