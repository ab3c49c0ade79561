import { type ApiResponse, call, serve } from '@burgee/testing/harness'
import { attributeFilter, DAY, idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { expectRefusal, type Features, serveFeatures, serving } from '../../support/features.ts'

const at = new Date(NOW).toISOString()
const id = expect.stringMatching(/^[0-9a-f]{24}$/)

let web: Features
let count = 0
let key: string
let made: ApiResponse
let on: string
let off: string

beforeAll(async () => {
  web = await serveFeatures()
  const filters = { operator: 'and', filters: [attributeFilter('country', 'CA')] }
  await web.call('createAudience', {}, { body: { key: 'canada', name: 'Canada', filters } })
})

beforeEach(async () => {
  key = `feature-${++count}`
  made = await web.create({ key, name: 'Feature' })
  ;[on, off] = made.body.variations.map(({ _id }: ApiResponse['body']) => _id)
})

function list(query: Record<string, string> = {}, feature = key): Promise<ApiResponse> {
  return web.call('listFeatureConfigurations', { feature }, { query })
}

describe('the configurations of a feature', () => {
  it('are returned for each environment, oldest first', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.map(({ _environment }: ApiResponse['body']) => _environment)).toEqual(
      ['development', 'staging', 'production'].map((environment) => web.environments[environment])
    )
    expect(body[0]).toEqual({
      _feature: made.body._id,
      _environment: web.environments.development,
      status: 'inactive',
      targets: [],
      readonly: false,
      hasStaticConfig: false
    })
  })

  it.each(['key', 'id'])('are filtered by the %s of an environment', async (kind) => {
    const environment = kind === 'key' ? 'staging' : (web.environments.staging ?? '')
    const { body } = await list({ environment })
    expect(body.map(({ _environment }: ApiResponse['body']) => _environment)).toEqual([web.environments.staging])
  })

  it('return 404 for an unknown environment or feature', async () => {
    expectRefusal(await list({ environment: 'moon' }), 404, "Item with key 'moon' not found")
    expectRefusal(await list({}, 'nothing'), 404, "Item with key 'nothing' not found")
  })

  it('are created and deleted with their environment', async () => {
    await web.call('createEnvironment', {}, { body: { key: 'qa', name: 'QA', type: 'staging' } })
    expect((await list({ environment: 'qa' })).body).toMatchObject([{ status: 'inactive', targets: [] }])
    await web.configure(key, 'qa', { targets: [serving('variation-on')], status: 'active' })
    await web.call('deleteEnvironment', { key: 'qa' })
    expect((await list()).body).toHaveLength(3)
  })
})

describe('turning a feature', () => {
  it('on serves its targets, and sets the start date', async () => {
    const { status, body } = await web.configure(key, 'production', {
      status: 'active',
      targets: [serving('variation-on')]
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'active', startedAt: at, updatedAt: at, _createdBy: 'test-admin@clients' })
    expect(await web.evaluate(key)).toBe(true)
    expect(await web.evaluate(key, 'staging')).toMatch(key)
  })

  it('off keeps its targets and start date', async () => {
    const before = await web.configure(key, 'production', { status: 'active', targets: [serving('variation-on')] })
    web.server.clock.now = () => NOW + 1000
    const { body } = await web.configure(key, 'production', { status: 'inactive' })
    const later = new Date(NOW + 1000).toISOString()
    expect(body).toEqual({ ...before.body, status: 'inactive', updatedAt: later })
    expect(await web.evaluate(key)).toMatch(key)
    expect((await web.configure(key, 'production', { status: 'active' })).body.startedAt).toBe(at)
    web.server.clock.now = () => NOW
  })

  it('on without targets is refused', async () => {
    const refused = await web.configure(key, 'production', { status: 'active' })
    expectRefusal(refused, 412, `feature "${key}" has no targets in environment "production"`)
    expectRefusal(await web.configure(key, 'production', { status: 'active', targets: [] }), 412, 'has no targets')
    expect((await web.get(key)).body).toEqual(made.body)
  })

  it('on while clearing its targets serves no users', async () => {
    await web.configure(key, 'production', { status: 'active', targets: [serving('variation-on')] })
    const { body } = await web.configure(key, 'production', { targets: [] })
    expect(body).toMatchObject({ status: 'active', targets: [] })
    expect(await web.evaluate(key)).toMatch(key)
    expectRefusal(await web.configure(key, 'production', { status: 'active' }), 412, 'has no targets')
  })

  it('in production updates the feature', async () => {
    const staging = await web.configure(key, 'staging', { targets: [serving('variation-on')] })
    expect(staging.status).toBe(200)
    expect((await web.get(key)).body).not.toHaveProperty('prodTargetingUpdatedAt')
    await web.configure(key, 'production', { targets: [serving('variation-on')] })
    expect((await web.get(key)).body.prodTargetingUpdatedAt).toBe(at)
  })
})

describe('targets', () => {
  it('are stored with all members', async () => {
    const rollout = {
      type: 'stepped',
      startDate: '2026-03-01T13:00:00+01:00',
      startPercentage: 0.1,
      stages: [{ type: 'discrete', percentage: 0.5, date: '2026-03-02T12:00:00.000Z' }]
    }
    const target = {
      name: 'Canada',
      audience: {
        name: 'Those in Canada',
        filters: {
          operator: 'or',
          filters: [
            { type: 'audienceMatch', comparator: '!=', _audiences: ['canada'] },
            {
              operator: 'and',
              filters: [{ type: 'audienceMatch', _audiences: ['canada'] }, attributeFilter('email', 'a@b.c')]
            }
          ]
        }
      },
      rollout,
      bucketingKey: 'company',
      distribution: [
        { _variation: 'variation-on', percentage: 0.5 },
        { _variation: off, percentage: 0.5 }
      ]
    }
    const { body, status } = await web.configure(key, 'staging', { targets: [target] })
    expect(status).toBe(200)
    const { _id: canada } = (await web.call('getAudience', { key: 'canada' })).body
    expect(body.targets).toEqual([
      {
        ...target,
        _id: id,
        audience: {
          name: 'Those in Canada',
          filters: {
            operator: 'or',
            filters: [
              { type: 'audienceMatch', comparator: '!=', _audiences: [canada] },
              {
                operator: 'and',
                filters: [{ type: 'audienceMatch', _audiences: [canada] }, attributeFilter('email', 'a@b.c')]
              }
            ]
          }
        },
        rollout: { ...rollout, startDate: '2026-03-01T12:00:00.000Z' },
        distribution: [
          { _variation: on, percentage: 0.5 },
          { _variation: off, percentage: 0.5 }
        ]
      }
    ])
    const again = await web.configure(key, 'staging', { targets: body.targets })
    expect(again.body).toEqual(body)
  })

  it('with an existing id stay the same, and so do the variations of their users', async () => {
    const half = { 'variation-on': 0.5, 'variation-off': 0.5 }
    const first = await web.configure(key, 'production', { status: 'active', targets: [serving(half)] })
    const [{ _id }] = first.body.targets
    const users = Array.from({ length: 50 }, (_, index) => ({ user_id: `user-${index}` }))
    const values = () => Promise.all(users.map((user) => web.evaluate(key, 'production', user)))
    const before = await values()
    const renamed = await web.configure(key, 'production', { targets: [serving(half, { _id, name: 'Half' })] })
    expect(renamed.body.targets).toMatchObject([{ _id, name: 'Half' }])
    expect(await values()).toEqual(before)
    const anew = await web.configure(key, 'production', { targets: [serving(half)] })
    expect(anew.body.targets[0]._id).not.toBe(_id)
    expect(await values()).not.toEqual(before)
  })

  it('keep a given id, even when they are restored after a removal', async () => {
    const { body } = await web.configure(key, 'staging', { targets: [serving('variation-on')] })
    const copied = await web.configure(key, 'production', { targets: body.targets })
    expect(copied.body.targets).toEqual(body.targets)
    await web.configure(key, 'production', { targets: [] })
    expect((await web.configure(key, 'production', { targets: body.targets })).body.targets).toEqual(body.targets)
  })

  it.each([
    ['a stage before it starts', ['2026-02-01T00:00:00.000Z']],
    ['stages out of order', ['2026-06-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z']]
  ])('are refused with a rollout that has %s, and thus would end too early', async (_, dates) => {
    const stages = dates.map((date) => ({ type: 'linear', percentage: 1, date }))
    const rollout = { type: 'gradual', startDate: '2026-04-01T00:00:00.000Z', startPercentage: 0, stages }
    const answer = await web.configure(key, 'production', { targets: [serving('variation-on', { rollout })] })
    expectRefusal(answer, 400, /^targets.0.rollout.stages should be sorted by date/)
  })

  it('accept null for no rollout', async () => {
    const { body } = await web.configure(key, 'staging', { targets: [serving('variation-on', { rollout: null })] })
    expect(body.targets[0]).not.toHaveProperty('rollout')
  })

  it('serve an audience alone', async () => {
    const filters = { operator: 'and', filters: [{ type: 'audienceMatch', _audiences: ['canada'] }] }
    const targets = [serving('variation-on', { audience: { filters } })]
    await web.configure(key, 'production', { status: 'active', targets })
    expect(await web.evaluate(key, 'production', { user_id: 'ada', country: 'CA' })).toBe(true)
    expect(await web.evaluate(key, 'production', { user_id: 'ada', country: 'DE' })).toMatch(key)
  })

  it('with shares that nearly add up cover all users', async () => {
    const three = ['x', 'y', 'z'].map((name) => ({ key: name, name, variables: { [`${key}-t`]: name } }))
    await web.create({
      key: `${key}-3`,
      name: 'T',
      variables: [{ key: `${key}-t`, type: 'String' }],
      variations: three
    })
    const targets = [serving({ x: 0.3333, y: 0.3333, z: 0.3333 })]
    expect((await web.configure(`${key}-3`, 'production', { status: 'active', targets })).status).toBe(200)
    const values = await Promise.all(
      Array.from({ length: 100 }, (_, index) => web.evaluate(`${key}-t`, 'production', { user_id: String(index) }))
    )
    expect(new Set(values)).toEqual(new Set(['x', 'y', 'z']))
  })

  const matching = (...filters: object[]) => ({ audience: { filters: { operator: 'and', filters } } })
  const gradual = { type: 'gradual', startDate: new Date(NOW + DAY).toISOString() }
  const stage = (type: string) => ({ type, percentage: 1, date: new Date(NOW + 2 * DAY).toISOString() })

  test.each<[object, string]>([
    [serving('variation-of'), 'targets.0.distribution.0._variation should be the key or id of a variation of feature'],
    [serving(idOf('x')), 'targets.0.distribution.0._variation should be the key or id'],
    [
      serving({ 'variation-on': 0.5, 'variation-off': 0.4 }),
      'targets.0.distribution should have percentages that add up'
    ],
    [serving({ 'variation-on': 1.5, 'variation-off': -0.5 }), 'percentage should be from 0 to 1'],
    [serving({}), 'targets.0.distribution should have at least one share'],
    [serving('variation-on', { weight: 1 }), 'property targets.0.weight should not exist'],
    [serving('variation-on', { _id: 'short' }), 'targets.0._id should be an id'],
    [
      serving('variation-on', matching({ type: 'audienceMatch', _audiences: ['canada', 'mars'] })),
      'targets.0.audience.filters.filters.0._audiences.1 should be the key or id of an audience of project "web", got "mars"'
    ],
    [
      serving('variation-on', matching({ operator: 'or', filters: [{ type: 'audienceMatch', _audiences: ['mars'] }] })),
      'targets.0.audience.filters.filters.0.filters.0._audiences.0 should be the key or id'
    ],
    [serving('variation-on', matching({ type: 'user', subType: 'mood' })), 'subType should be one of'],
    [serving('variation-on', matching(attributeFilter('country', 'Canada'))), 'ISO 3166-1 alpha-2 country code'],
    [serving('variation-on', matching()), 'at least one filter'],
    [serving('variation-on', { rollout: gradual }), 'rollout.startPercentage should be given'],
    [serving('variation-on', { rollout: { ...gradual, type: 'sudden' } }), 'rollout.type should be one of'],
    [
      serving('variation-on', { rollout: { ...gradual, type: 'schedule', startPercentage: 0.2 } }),
      'rollout.startPercentage should not be given when type is schedule, which includes all users from startDate on; for a start percentage, use type gradual or stepped, got 0.2'
    ],
    [
      serving('variation-on', { rollout: { type: 'schedule', startPercentage: 0.2 } }),
      'rollout.startDate should be a date-time such as 2026-03-01T12:00:00.000Z, got nothing\ntargets.0.rollout.startPercentage should not be given when type is schedule'
    ],
    [
      serving('variation-on', { rollout: { ...gradual, type: 'schedule', stages: [stage('linear')] } }),
      'rollout.stages should not be given when type is schedule, which includes all users from startDate on; for linear stages, use type gradual'
    ],
    [
      serving('variation-on', { rollout: { ...gradual, type: 'schedule', stages: [stage('discrete')] } }),
      'rollout.stages should not be given when type is schedule, which includes all users from startDate on; for discrete stages, use type stepped'
    ],
    [
      serving('variation-on', { rollout: { ...gradual, type: 'stepped', startPercentage: 0.2 } }),
      'rollout.stages should have at least one stage when type is gradual or stepped, got nothing'
    ],
    [
      serving('variation-on', matching({ ...attributeFilter('email', 'ada@example.com'), comparator: 'exist' })),
      'filters.0.values should not be given when comparator is exist or !exist, got ["ada@example.com"]'
    ],
    [
      serving('variation-on', matching({ type: 'user', subType: 'appVersion', comparator: 'exist' })),
      'filters.0.comparator should be one of =, !=, >, >=, <, <=: versions cannot be tested for existence, got "exist"'
    ],
    [
      serving('variation-on', matching({ type: 'optIn', _audiences: ['canada'] })),
      'filters.0._audiences should be empty in a filter of type optIn'
    ],
    [
      serving('variation-on', matching({ type: 'optIn', values: ['ada'] })),
      'filters.0.values should be empty in a filter of type optIn'
    ]
  ])('are refused as %j', async (target, message) => {
    expectRefusal(await web.configure(key, 'production', { targets: [target] }), 400, message)
    expect((await web.get(key)).body).toEqual(made.body)
  })

  it('are refused with a variation by its key and by its id', async () => {
    const answer = await web.configure(key, 'production', { targets: [serving({ 'variation-on': 0.5, [on]: 0.5 })] })
    expectRefusal(answer, 400, 'targets.0.distribution.1._variation should name a variation once')
  })

  it('are refused with all issues at once', async () => {
    const targets = [serving('x'), serving('y')]
    expect((await web.configure(key, 'production', { targets })).body.message).toHaveLength(2)
  })
})

describe('an update of a configuration', () => {
  it.each<[object, Record<string, string>, number, string]>([
    [{ status: 'on' }, { environment: 'production' }, 400, 'status should be one of active, inactive'],
    [{ state: 'active' }, { environment: 'production' }, 400, 'property state should not exist'],
    [{ startedAt: at }, { environment: 'production' }, 400, 'property startedAt should not exist'],
    [{}, {}, 400, 'environment should be a string'],
    [{}, { environment: 'moon' }, 404, "Item with key 'moon' not found"]
  ])('with %j in %j is refused', async (body, query, status, message) => {
    const answer = await web.call('updateFeatureConfiguration', { feature: key }, { query, body })
    expectRefusal(answer, status, message)
  })

  it('accepts ids of the environment and the feature', async () => {
    const { status } = await web.configure(made.body._id, web.environments.production ?? '', {
      targets: [serving(on)]
    })
    expect(status).toBe(200)
  })

  it('of another project is refused', async () => {
    await call(web.server, 'createProject', { body: { key: `p-${count}`, name: 'P' } })
    const params = { project: `p-${count}`, feature: made.body._id }
    const query = { environment: 'production' }
    expect((await call(web.server, 'updateFeatureConfiguration', { params, query, body: {} })).status).toBe(404)
    expect((await call(web.server, 'listFeatureConfigurations', { params })).status).toBe(404)
  })

  it('of an archived feature is refused', async () => {
    await web.setStatus(key, 'archived')
    expectRefusal(await web.configure(key, 'production', { status: 'inactive' }), 412, 'is archived and cannot change')
  })

  it('is recorded in the audit log with its environment', async () => {
    const first = await web.configure(key, 'production', { targets: [serving('variation-on', { name: 'One' })] })
    const [{ _id }] = first.body.targets
    await web.configure(key, 'production', {
      status: 'active',
      targets: [serving('variation-off', { name: 'Two' }), serving('variation-on', { name: 'Three', _id })]
    })
    const changes = await web.lastChanges(key)
    expect(changes).toEqual(
      [
        {
          type: 'addedTarget',
          newContents: { targets: [expect.objectContaining({ name: 'Two' })] },
          previousContents: null
        },
        {
          type: 'modifiedTarget',
          newContents: { targets: [expect.objectContaining({ _id, name: 'Three' })] },
          previousContents: { targets: [expect.objectContaining({ _id, name: 'One' })] }
        },
        { type: 'enabledEnvironment', newContents: { status: 'active' }, previousContents: { status: 'inactive' } }
      ].map((change) => ({ ...change, _environments: [web.environments.production] }))
    )
  })
})

test('a stored rollout with members that its type ignores is still served and returned', async () => {
  const rollout = { type: 'schedule', startDate: at, startPercentage: 0.2 }
  const server = await serve({ features: [{ key: 'early', targets: [{ rollout }] }] })
  const params = { project: 'shop', feature: 'early' }
  for (const user_id of ['ada', 'grace', 'joan']) {
    const { body } = await call(server, 'evaluateVariable', { params: { key: 'early' }, body: { user_id } })
    expect(body).toMatchObject({ value: true })
  }
  const renamed = await call(server, 'updateFeature', { params, body: { name: 'Early birds' } })
  expect(renamed.body.configurations[0].targets).toMatchObject([{ rollout }])
})
