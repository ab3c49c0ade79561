import { type LimitedClient, serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [
    { key: 'checkout', targets: [{ serves: { 'variation-off': 1 } }] },
    { key: 'search', targets: [{ filters: [attributeFilter('user_id', 'nobody')] }] },
    { key: 'archived', status: 'archived' }
  ]
}
const inProject = { project: 'shop' }
const ofCheckout = { project: 'shop', feature: 'checkout' }
const on = { environment: 'production', variation: 'variation-on' }

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

beforeEach(() => call(server, 'deleteCurrentOverrides', { params: inProject }))

function say(svcUserId: unknown, of = server, key?: string): Promise<ApiResponse> {
  return call(of, 'updateUserProfile', { params: inProject, body: { svcUserId }, ...(key ? { key } : {}) })
}

function choose(feature: string, body: object, of = server, key?: string): Promise<ApiResponse> {
  return call(of, 'updateFeatureOverride', { params: { project: 'shop', feature }, body, ...(key ? { key } : {}) })
}

/** The value and reason of a Boolean variable for a user. */
async function served(key: string, user_id: string, environment = 'production', of = server) {
  const sdkKey = keyOf('server', environment)
  const { status, body } = await call(of, 'evaluateVariable', { params: { key }, body: { user_id }, key: sdkKey })
  return status === 200 ? [body.value, body.eval.reason] : status
}

async function mine(of = server): Promise<ApiResponse['body']> {
  return (await call(of, 'listCurrentOverrides', { params: inProject })).body
}

describe('a user profile', () => {
  it('is empty at first, and stable', async () => {
    const fresh = await serve({})
    const first = await call(fresh, 'getUserProfile', { params: inProject })
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      _id: expect.any(String),
      _project: idOf('shop'),
      idp_user: 'test-admin@clients',
      svcUserId: null,
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString()
    })
    expect((await call(fresh, 'getUserProfile', { params: { project: idOf('shop') } })).body).toEqual(first.body)
  })

  it('stores the user id of the caller', async () => {
    const { status, body } = await say('ada')
    expect(status).toBe(200)
    expect(body.svcUserId).toBe('ada')
    expect((await call(server, 'getUserProfile', { params: inProject })).body).toEqual(body)
  })

  it('is unchanged by an empty update', async () => {
    await say('ada')
    const { status, body } = await call(server, 'updateUserProfile', { params: inProject, body: {} })
    expect([status, body.svcUserId]).toEqual([200, 'ada'])
  })

  it('belongs to one project', async () => {
    await say('ada')
    await call(server, 'createProject', { body: { key: 'another', name: 'Another' } })
    const params = { project: 'another' }
    expect((await call(server, 'getUserProfile', { params })).body.svcUserId).toBe(null)
    expect((await call(server, 'updateUserProfile', { params, body: { svcUserId: 'ada' } })).status).toBe(200)
  })

  test.each([
    ['an unknown member', { svcUserId: 'ada', idp_user: 'eve' }, 'property idp_user should not exist'],
    ['a long id', { svcUserId: 'a'.repeat(201) }, /^svcUserId should have at most 200 characters/],
    ['a number', { svcUserId: 5 }, /^svcUserId should be/]
  ])('refuses %s', async (_, body, message) => {
    const refused = await call(server, 'updateUserProfile', { params: inProject, body })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  })

  test.each(['getUserProfile', 'updateUserProfile', 'listCurrentOverrides', 'deleteCurrentOverrides'] as const)(
    '%s returns 404 for an unknown project',
    async (id) => {
      const { status, body } = await call(server, id, { params: { project: 'nowhere' } })
      expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nowhere' not found")])
    }
  )
})

describe('an override', () => {
  it('requires the user id of the caller in the profile', async () => {
    const fresh = await serve(plan)
    const { status, body } = await choose('checkout', on, fresh)
    expect(status).toBe(400)
    expect(body.message).toEqual(['svcUserId of your profile should be set before an override, got null'])
    expect(await mine(fresh)).toEqual([])
  })

  it('is served to that user in that environment from the next evaluation on', async () => {
    await say('ada')
    expect(await served('checkout', 'ada')).toEqual([false, 'TARGETING_MATCH'])
    const { status, body } = await choose('checkout', on)
    expect(status).toBe(200)
    expect(body).toEqual({
      _project: idOf('shop'),
      _environment: idOf('production'),
      _feature: idOf('checkout'),
      _variation: idOf('checkout variation-on'),
      svcUserId: 'ada',
      idp_user: 'test-admin@clients',
      createdAt: NOW,
      updatedAt: NOW
    })
    expect(await served('checkout', 'ada')).toEqual([true, 'OVERRIDE'])
    expect(await served('checkout', 'ada', 'staging')).toEqual([false, 'TARGETING_MATCH'])
    expect(await served('checkout', 'bob')).toEqual([false, 'TARGETING_MATCH'])
  })

  it('applies to every kind of evaluation', async () => {
    await say('ada')
    await choose('search', on)
    expect(await served('search', 'bob')).toBe(404)
    const body = { user_id: 'ada' }
    expect((await call(server, 'evaluateVariables', { body })).body.search.value).toBe(true)
    expect((await call(server, 'evaluateFeatures', { body })).body.search.eval.reason).toBe('OVERRIDE')
    const context = { targetingKey: 'ada' }
    const flag = await call(server, 'ofrepEvaluateFlag', { params: { key: 'search' }, body: { context } })
    expect(flag.body.value).toBe(true)
    const flags = await call(server, 'ofrepEvaluateFlags', { body: { context } })
    expect(flags.body.flags.find(({ key }: { key: string }) => key === 'search').value).toBe(true)
  })

  it('changes the ETag of the user', async () => {
    await say('etta')
    const evaluate = (etag?: string) => {
      const headers = etag ? { 'if-none-match': etag } : {}
      return call(server, 'ofrepEvaluateFlags', { body: { context: { targetingKey: 'etta' } }, headers })
    }
    const { etag } = (await evaluate()).headers
    expect((await evaluate(etag)).status).toBe(304)
    await choose('checkout', on)
    expect((await evaluate(etag)).status).toBe(200)
  })

  it('accepts ids for keys, and replaces the former one', async () => {
    await say('ada')
    const first = await choose('checkout', on)
    const ids = { environment: idOf('production'), variation: idOf('checkout variation-off') }
    const params = { project: idOf('shop'), feature: idOf('checkout') }
    const second = await call(server, 'updateFeatureOverride', { params, body: ids })
    expect(second.body).toEqual({ ...first.body, _variation: idOf('checkout variation-off') })
    expect(await served('checkout', 'ada')).toEqual([false, 'OVERRIDE'])
    const { body } = await call(server, 'getCurrentFeatureOverrides', { params: ofCheckout })
    expect(body.overrides).toHaveLength(1)
  })

  it('survives a restart', async () => {
    const before = await serve(plan)
    await say('ada', before)
    await choose('checkout', on, before)
    await before.close()
    const after = await serve(before.directory)
    expect(await served('checkout', 'ada', 'production', after)).toEqual([true, 'OVERRIDE'])
  })

  it('survives changes of the rules', async () => {
    await say('ada')
    await choose('checkout', on)
    const body = { name: 'Checkout in three steps' }
    expect((await call(server, 'updateFeature', { params: ofCheckout, body })).status).toBe(200)
    expect(await served('checkout', 'ada')).toEqual([true, 'OVERRIDE'])
  })

  it('does not serve an archived feature', async () => {
    await say('ada')
    expect((await choose('archived', on)).status).toBe(200)
    expect(await served('archived', 'ada')).toBe(404)
  })

  test.each([
    ['feature', { feature: 'nothing' }, on, 'nothing'],
    ['environment', {}, { ...on, environment: 'nowhere' }, 'nowhere'],
    ['variation', {}, { ...on, variation: 'variation-x' }, 'variation-x'],
    ['variation of another feature', {}, { ...on, variation: idOf('search variation-on') }, idOf('search variation-on')]
  ])('returns 404 for an unknown item: %s', async (_, params, body, named) => {
    await say('ada')
    const before = await mine()
    const refused = await call(server, 'updateFeatureOverride', { params: { ...ofCheckout, ...params }, body })
    expect([refused.status, refused.body.message]).toEqual([
      404,
      expect.stringContaining(`Item with key '${named}' not found`)
    ])
    expect(await mine()).toEqual(before)
  })

  it('of another project is not found', async () => {
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const params = { project: 'other', feature: idOf('checkout') }
    for (const id of ['updateFeatureOverride', 'getCurrentFeatureOverrides', 'getFeatureOverrides'] as const) {
      expect((await call(server, id, { params, body: on })).status).toBe(404)
    }
    const query = { environment: 'production' }
    expect((await call(server, 'deleteFeatureOverride', { params, query })).status).toBe(404)
  })

  test.each([
    ['an unknown member', { ...on, svcUserId: 'eve' }, 'property svcUserId should not exist'],
    ['no variation', { environment: 'production' }, /^variation should be/]
  ])('refuses %s', async (_, body, message) => {
    const refused = await choose('checkout', body)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  })
})

describe('the overrides of the caller', () => {
  it('include names', async () => {
    const fresh = await serve(plan)
    await say('ada', fresh)
    await choose('checkout', on, fresh)
    expect(await mine(fresh)).toEqual([
      {
        _feature: idOf('checkout'),
        featureName: 'The checkout',
        _environment: idOf('production'),
        environmentName: 'production',
        _variation: idOf('checkout variation-on'),
        variationName: 'variation-on'
      }
    ])
  })

  it('of a feature can be filtered by environment', async () => {
    await say('ada')
    await choose('checkout', on)
    await choose('checkout', { ...on, environment: 'staging' })
    const ask = async (query: Record<string, string>) => {
      return (await call(server, 'getCurrentFeatureOverrides', { params: ofCheckout, query })).body.overrides
    }
    expect(await ask({})).toHaveLength(2)
    const staging = [{ _environment: idOf('staging'), _variation: idOf('checkout variation-on') }]
    expect(await ask({ environment: 'staging' })).toEqual(staging)
    expect(await ask({ environment: idOf('staging') })).toEqual(staging)
    const query = { environment: 'nowhere' }
    expect((await call(server, 'getCurrentFeatureOverrides', { params: ofCheckout, query })).status).toBe(404)
  })

  it('can be deleted one by one', async () => {
    await say('ada')
    await choose('checkout', on)
    await choose('checkout', { ...on, environment: 'staging' })
    const end = (query: Record<string, string>) => {
      return call(server, 'deleteFeatureOverride', { params: ofCheckout, query })
    }
    expect((await end({ environment: 'production' })).status).toBe(200)
    expect(await served('checkout', 'ada')).toEqual([false, 'TARGETING_MATCH'])
    expect(await served('checkout', 'ada', 'staging')).toEqual([true, 'OVERRIDE'])
    expect((await end({ environment: 'production' })).status).toBe(200)
    expect((await end({ environment: 'nowhere' })).status).toBe(404)
    expect((await end({})).status).toBe(400)
  })

  it('can be deleted together', async () => {
    await say('ada')
    await choose('checkout', on)
    await choose('search', { ...on, environment: 'staging' })
    expect((await call(server, 'deleteCurrentOverrides', { params: inProject })).status).toBe(200)
    expect(await mine()).toEqual([])
    expect(await served('checkout', 'ada')).toEqual([false, 'TARGETING_MATCH'])
    expect(await served('search', 'ada', 'staging')).toBe(404)
  })

  test.each([[null], ['']])('end when the user id of the profile is set to %j', async (nobody) => {
    await say('ada')
    await choose('checkout', on)
    expect((await say(nobody)).body.svcUserId).toBe(null)
    expect(await mine()).toEqual([])
    expect(await served('checkout', 'ada')).toEqual([false, 'TARGETING_MATCH'])
  })

  it('follow the caller to another user id', async () => {
    await say('ada')
    await choose('checkout', on)
    await say('lovelace')
    expect(await served('checkout', 'lovelace')).toEqual([true, 'OVERRIDE'])
    expect(await served('checkout', 'ada')).toEqual([false, 'TARGETING_MATCH'])
  })

  it('are deleted with their variation and with their feature', async () => {
    const fresh = await serve(plan)
    await say('ada', fresh)
    await choose('search', on, fresh)
    await choose('checkout', on, fresh)
    const targets = [{ audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } }, distribution: [] }]
    const off = { targets: targets.map((target) => ({ ...target, distribution: [share('search variation-off')] })) }
    const body = {
      variations: [{ key: 'variation-off', name: 'Off' }],
      configurations: { production: off, staging: off }
    }
    const params = { project: 'shop', feature: 'search' }
    expect((await call(fresh, 'updateFeature', { params, body })).status).toBe(200)
    expect((await mine(fresh)).map((override: { _feature: string }) => override._feature)).toEqual([idOf('checkout')])
    await call(fresh, 'deleteFeature', { params: ofCheckout })
    expect(await mine(fresh)).toEqual([])
  })
})

function share(variation: string) {
  return { _variation: idOf(variation), percentage: 1 }
}

describe('the overrides of a team', () => {
  let team: LimitedClient

  beforeAll(async () => {
    team = await serveLimited(plan, ['project:read', 'feature:publish'])
    await say('ada', team.server)
    await say('bob', team.server, team.key)
    await choose('checkout', on, team.server)
    await choose('checkout', { ...on, environment: 'staging' }, team.server)
    await choose('checkout', { ...on, variation: 'variation-off' }, team.server, team.key)
  })

  const ask = async (query: Record<string, string> = {}) =>
    (await call(team.server, 'getFeatureOverrides', { params: ofCheckout, query })).body

  it('are grouped by environment', async () => {
    const { overrides, uniqueTeamMembers } = await ask()
    expect(uniqueTeamMembers).toBe(2)
    expect(Object.keys(overrides).sort()).toEqual([idOf('production'), idOf('staging')].sort())
    const users = overrides[idOf('production')].map(({ svcUserId }: { svcUserId: string }) => svcUserId)
    expect(users.sort()).toEqual(['ada', 'bob'])
  })

  it('of one environment are returned with the names of their authors', async () => {
    const { overrides, uniqueTeamMembers } = await ask({ environment: 'staging', addMetadata: 'true' })
    expect(uniqueTeamMembers).toBe(1)
    expect(Object.keys(overrides)).toEqual([idOf('staging')])
    expect(overrides[idOf('staging')][0].name).toEqual(expect.any(String))
    expect((await ask({ environment: 'staging' })).overrides[idOf('staging')][0]).not.toHaveProperty('name')
  })

  it('require permission to be read', async () => {
    const { status } = await call(team.server, 'getFeatureOverrides', { params: ofCheckout, key: team.key })
    expect(status).toBe(403)
  })

  it('are listed and served for their own member only', async () => {
    const { body } = await call(team.server, 'listCurrentOverrides', { params: inProject, key: team.key })
    expect(body).toHaveLength(1)
    expect(body[0]._variation).toBe(idOf('checkout variation-off'))
    expect(await served('checkout', 'ada', 'production', team.server)).toEqual([true, 'OVERRIDE'])
    expect(await served('checkout', 'bob', 'production', team.server)).toEqual([false, 'OVERRIDE'])
  })

  it('cannot belong to two members with the same user id', async () => {
    const { status, body } = await say('ada', team.server, team.key)
    expect(status).toBe(409)
    expect(body.message).toBe("Duplicate svcUserId 'ada': another member of the team has it")
    expect(await served('checkout', 'bob', 'production', team.server)).toEqual([false, 'OVERRIDE'])
    expect((await say('ada', team.server)).status).toBe(200)
  })
})
