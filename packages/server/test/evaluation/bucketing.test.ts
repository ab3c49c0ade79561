import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { allUsers, attributeFilter, DAY, idOf, keyOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({
    settings: { sdkTypeVisibility: { enabledInFeatureSettings: true }, edgeDB: { enabled: true } },
    environments: { production: {}, staging: {} },
    audiences: { 'pro-users': { operator: 'and', filters: [attributeFilter('customData.plan', 'pro')] } },
    features: [
      { key: 'plain', targets: [{ name: 'Everybody' }] },
      { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA'), attributeFilter('platform', 'iOS')] }] },
      {
        key: 'pro',
        type: 'permission',
        targets: [{ filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('pro-users')] }] }]
      },
      {
        key: 'pricing',
        type: 'experiment',
        variables: { label: 'String', percent: 'Number', layout: 'JSON' },
        variations: {
          control: { label: 'Price', percent: 0, layout: { columns: 1 } },
          offer: { label: 'Offer', percent: 12.5, layout: { columns: 3, sections: ['a', { b: null }] } }
        },
        targets: [
          { filters: [attributeFilter('user_id', 'half')], serves: { control: 0.5, offer: 0.5 } },
          { serves: { offer: 1 } }
        ]
      },
      {
        key: 'opening',
        targets: [{ rollout: { type: 'schedule', startDate: new Date(NOW + DAY).toISOString() } }]
      },
      {
        key: 'growing',
        targets: [
          {
            rollout: {
              type: 'gradual',
              startDate: new Date(NOW).toISOString(),
              startPercentage: 0,
              stages: [{ type: 'linear', date: new Date(NOW + 10 * DAY).toISOString(), percentage: 1 }]
            }
          }
        ]
      },
      {
        key: 'finished',
        status: 'complete',
        staticVariation: 'variation-off',
        targets: [{ filters: [attributeFilter('country', 'CA')] }]
      },
      { key: 'finished-and-off', status: 'complete', staticVariation: 'variation-on', offIn: ['production'] },
      { key: 'archived', status: 'archived' },
      { key: 'inactive', offIn: ['production'] },
      { key: 'for-clients', visibleTo: ['client', 'mobile'] },
      { key: 'undecidable', targets: [{ serves: { 'variation-on': 0 } }] },
      {
        key: 'in-two-steps',
        targets: [
          { filters: [attributeFilter('country', 'CA')], serves: { 'variation-off': 1 } },
          { filters: [allUsers] }
        ]
      }
    ]
  })
})

function variable(key: string, body: unknown = { user_id: 'ada' }, query = {}): Promise<ApiResponse> {
  return call(server, 'evaluateVariable', { params: { key }, body, query })
}

describe('one variable', () => {
  it('has its id, feature, type, value and the reason', async () => {
    const { status, body } = await variable('plain')
    expect(status).toBe(200)
    expect(body).toEqual({
      _id: idOf('variable plain'),
      _feature: idOf('plain'),
      key: 'plain',
      type: 'Boolean',
      value: true,
      eval: { reason: 'TARGETING_MATCH', details: 'All Users', target_id: idOf('plain target 0') }
    })
  })

  test.each([
    ['label', 'String', 'Offer'],
    ['percent', 'Number', 12.5],
    ['layout', 'JSON', { columns: 3, sections: ['a', { b: null }] }],
    ['plain', 'Boolean', true]
  ])('%s is of type %s and keeps its value', async (key, type, value) => {
    expect((await variable(key)).body).toMatchObject({ key, type, value })
  })

  test.each([
    ['plain', { user_id: 'ada' }, { reason: 'TARGETING_MATCH', details: 'All Users' }],
    ['canada', { user_id: 'ada', country: 'CA', platform: 'iOS' }, { details: 'Country AND Platform' }],
    ['pro', { user_id: 'ada', customData: { plan: 'pro' } }, { details: 'Audience Match -> Custom Data -> plan' }],
    ['label', { user_id: 'half' }, { reason: 'SPLIT', details: 'Random Distribution | User ID' }],
    ['in-two-steps', { user_id: 'ada', country: 'DE' }, { target_id: idOf('in-two-steps target 1') }]
  ])('%s has its evaluation reason', async (key, user, reason) => {
    expect((await variable(key, user)).body.eval).toMatchObject(reason)
  })

  test.each([
    ['unknown', { user_id: 'ada' }, 'variable "unknown" does not exist'],
    ['canada', { user_id: 'ada', country: 'DE', platform: 'iOS' }, 'variable "canada" is not served to this user'],
    ['canada', { user_id: 'ada', country: 'ca', platform: 'iOS' }, 'variable "canada" is not served to this user'],
    ['archived', { user_id: 'ada' }, 'variable "archived" is turned off in environment "production"'],
    ['inactive', { user_id: 'ada' }, 'variable "inactive" is turned off in environment "production"'],
    ['finished-and-off', { user_id: 'ada' }, 'variable "finished-and-off" is turned off in environment "production"'],
    ['for-clients', { user_id: 'ada' }, 'variable "for-clients" does not exist'],
    ['undecidable', { user_id: 'ada' }, expect.stringMatching(/^variable "undecidable" could not be evaluated: /)]
  ])('%s is not found for %j', async (key, user, message) => {
    const { status, body } = await variable(key, user)
    expect(status).toBe(404)
    expect(body).toEqual({ statusCode: 404, message })
  })

  it('of a complete feature has the value of its static variation for all users', async () => {
    const { body } = await variable('finished', { user_id: 'ada', country: 'DE' })
    expect(body).toMatchObject({ value: false, eval: { reason: 'TARGETING_MATCH', details: 'All Users' } })
  })

  it('is served from its start date on', async () => {
    server.clock.now = () => NOW + DAY - 1
    expect((await variable('opening')).status).toBe(404)
    server.clock.now = () => NOW + DAY
    expect((await variable('opening')).body.eval).toMatchObject({ reason: 'SPLIT', details: 'Rollout | All Users' })
    server.clock.now = () => NOW
  })
})

describe('all variables', () => {
  it('are the variables served to the user, by key', async () => {
    const { body } = await call(server, 'evaluateVariables', { body: { user_id: 'ada', country: 'CA' } })
    const keys = ['finished', 'in-two-steps', 'label', 'layout', 'percent', 'plain']
    expect(Object.keys(body).sort()).toEqual(keys)
    for (const key of keys) expect(body[key]).toEqual((await variable(key, { user_id: 'ada', country: 'CA' })).body)
  })
})

describe('all features', () => {
  it('are the features served to the user, with their variations', async () => {
    const { body } = await call(server, 'evaluateFeatures', { body: { user_id: 'ada' } })
    expect(Object.keys(body).sort()).toEqual(['finished', 'in-two-steps', 'plain', 'pricing'])
    expect(body.pricing).toMatchObject({
      _id: idOf('pricing'),
      key: 'pricing',
      type: 'experiment',
      _variation: idOf('pricing offer'),
      variationName: 'offer',
      variationKey: 'offer',
      eval: { reason: 'TARGETING_MATCH', details: 'All Users', target_id: idOf('pricing target 1') }
    })
  })

  it('grow with a rollout and never lose a user', async () => {
    const users = Array.from({ length: 40 }, (_, index) => `user ${index}`)
    let before = new Set<string>()
    for (const days of [0, 3, 6, 10]) {
      server.clock.now = () => NOW + days * DAY
      const answers = await Promise.all(users.map((user_id) => call(server, 'evaluateFeatures', { body: { user_id } })))
      const served = new Set(users.filter((_, index) => 'growing' in answers[index]?.body))
      expect([...before].filter((user) => !served.has(user))).toEqual([])
      if (days === 3 || days === 6) expect(served.size).toBeGreaterThan(before.size)
      before = served
    }
    expect(before.size).toBe(users.length)
    server.clock.now = () => NOW
  })
})

describe('stored user data', () => {
  const kept = { enableEdgeDB: 'true' }

  beforeAll(async () => {
    const body = { user_id: 'grace', country: 'CA', customData: { plan: 'pro' } }
    expect((await call(server, 'updateEdgeUser', { params: { user_id: 'grace' }, body })).status).toBe(200)
  })

  test.each([
    ['requested', { user_id: 'grace' }, kept, 200],
    ['not requested', { user_id: 'grace' }, {}, 404],
    ['refused', { user_id: 'grace' }, { enableEdgeDB: 'false' }, 404],
    ['overridden by the request', { user_id: 'grace', customData: { plan: 'free' } }, kept, 404],
    ['merged with other attributes', { user_id: 'grace', customData: { seats: 3 } }, kept, 200],
    ['of another user', { user_id: 'ada' }, kept, 404]
  ])('is used or ignored by targeting when it is %s', async (_, user, query, status) => {
    expect((await variable('pro', user, query)).status).toBe(status)
  })

  it('is used by the evaluation of all variables and features', async () => {
    const given = { body: { user_id: 'grace' }, query: kept }
    expect((await call(server, 'evaluateVariables', given)).body).toHaveProperty('pro')
    expect((await call(server, 'evaluateFeatures', given)).body).toHaveProperty('pro')
  })

  it('is overridden by the members of the request, one by one', async () => {
    const inCanada = { user_id: 'grace', platform: 'iOS' }
    expect((await variable('canada', inCanada, kept)).status).toBe(200)
    expect((await variable('canada', { ...inCanada, country: 'DE' }, kept)).status).toBe(404)
  })
})

test.each([
  [true, 200],
  [false, 404]
])('stored user data is used only if the project allows it: %s', async (enabled, status) => {
  const features = [{ key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] }]
  const project = await serve({ settings: { edgeDB: { enabled } }, edgeUsers: { grace: { country: 'CA' } }, features })
  const given = { params: { key: 'canada' }, query: { enableEdgeDB: 'true' }, body: { user_id: 'grace' } }
  expect((await call(project, 'evaluateVariable', given)).status).toBe(status)
})

it('an evaluation uses the environment of the key', async () => {
  const given = { params: { key: 'inactive' }, body: { user_id: 'ada' } }
  expect((await call(server, 'evaluateVariable', { ...given, key: keyOf('server', 'production') })).status).toBe(404)
  expect((await call(server, 'evaluateVariable', { ...given, key: keyOf('server', 'staging') })).status).toBe(200)
})

it('the response contains no private data', async () => {
  const body = { user_id: 'ada', privateCustomData: { plan: 'pro', secret: 'marker-4711' } }
  const answer = await call(server, 'evaluateVariables', { body })
  expect(answer.body).toHaveProperty('pro')
  expect(JSON.stringify(answer.body) + server.logs.join('')).not.toContain('marker-4711')
})
