import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { configurationIn, expectRefusal, type Features, serveFeatures, serving } from '../../support/features.ts'

const at = new Date(NOW).toISOString()
const id = expect.stringMatching(/^[0-9a-f]{24}$/)

let web: Features

beforeAll(async () => {
  web = await serveFeatures()
  await call(web.server, 'createProject', { body: { key: 'other', name: 'Other' } })
  await call(web.server, 'createFeature', { params: { project: 'other' }, body: { key: 'elsewhere', name: 'E' } })
})

function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key)
}

describe('a new feature', () => {
  it('turns a Boolean variable of its own key on and off by default', async () => {
    const answer = await web.create({ key: 'plain', name: 'Plain' })
    expect(answer.status).toBe(201)
    const { body } = answer
    expect(body).toEqual({
      _id: id,
      createdAt: at,
      updatedAt: at,
      _project: id,
      _createdBy: 'test-admin@clients',
      source: 'api',
      key: 'plain',
      name: 'Plain',
      type: 'release',
      status: 'active',
      variables: [expect.objectContaining({ key: 'plain', name: 'Plain', type: 'Boolean', _feature: body._id })],
      variations: [
        { _id: id, key: 'variation-on', name: 'Variation On', variables: { plain: true } },
        { _id: id, key: 'variation-off', name: 'Variation Off', variables: { plain: false } }
      ],
      controlVariation: 'variation-on',
      tags: [],
      settings: { optInEnabled: false, publicName: '', publicDescription: '' },
      sdkVisibility: { mobile: true, client: true, server: true },
      summary: { maintainers: ['test-admin@clients'], links: [], markdown: '' },
      readonly: false,
      changeRequests: [],
      configurations: Object.values(web.environments).map((_environment) => ({
        _feature: body._id,
        _environment,
        status: 'inactive',
        targets: [],
        readonly: false,
        hasStaticConfig: false
      }))
    })
    expect((await web.get('plain')).body).toEqual(body)
    expect((await web.get(body._id)).body).toEqual(body)
    expect((await web.call('getVariable', { key: 'plain' })).body._feature).toBe(body._id)
  })

  it('has the given members, literally', async () => {
    const given = {
      key: 'given',
      name: 'Given',
      description: 'As it is',
      type: 'experiment',
      tags: ['checkout', 'growth'],
      settings: { publicName: 'Try it' },
      sdkVisibility: { mobile: false }
    }
    const variables = [
      { key: 'price', type: 'Number', description: 'In cents', tags: ['money'], persistent: true },
      { key: 'layout', type: 'JSON', name: 'Layout' }
    ]
    const variations = [
      { key: 'one', name: 'One', variables: { layout: { columns: 1 }, price: 100 } },
      { key: 'two', name: 'Two', variables: { price: 200 } }
    ]
    const { body, status } = await web.create({ ...given, variables, variations, controlVariation: 'two' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...given,
      settings: { optInEnabled: false, publicName: 'Try it', publicDescription: '' },
      sdkVisibility: { mobile: false, client: true, server: true },
      controlVariation: 'two',
      variables: [
        { key: 'price', name: 'price', description: 'In cents', tags: ['money'], persistent: true },
        { key: 'layout', name: 'Layout' }
      ],
      variations: [variations[0], { key: 'two', name: 'Two', variables: { price: 200, layout: {} } }]
    })
    expect((await web.get('given')).body).toEqual(body)
  })

  it('can have variables without variations, and the other way round', async () => {
    const variables = await web.create({ key: 'v1', name: 'V', variables: [{ key: 'lonely', type: 'String' }] })
    expect(variables.body).toMatchObject({ variations: [], controlVariation: '', variables: [{ key: 'lonely' }] })
    const variations = await web.create({ key: 'v2', name: 'V', variations: [{ key: 'only', name: 'Only' }] })
    expect(variations.body.variables).toEqual([])
    expect(variations.body.variations).toEqual([{ _id: id, key: 'only', name: 'Only', variables: {} }])
  })

  it('starts in the given state, by key or id of the environment and of the variation', async () => {
    const answer = await web.create({
      key: 'started',
      name: 'Started',
      configurations: {
        development: { status: 'active', targets: [serving('variation-on', { name: 'All Users' })] },
        [web.environments.production ?? '']: { targets: [serving('variation-off')] }
      }
    })
    expect(answer.status).toBe(201)
    const [on, off] = answer.body.variations
    expect(configurationIn(answer, web.environments.development ?? '')).toEqual({
      _feature: answer.body._id,
      _environment: web.environments.development,
      _createdBy: 'test-admin@clients',
      status: 'active',
      startedAt: at,
      updatedAt: at,
      targets: [
        {
          _id: id,
          name: 'All Users',
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: on._id, percentage: 1 }]
        }
      ],
      readonly: false,
      hasStaticConfig: false
    })
    expect(configurationIn(answer, web.environments.production ?? '')).toMatchObject({
      status: 'inactive',
      targets: [{ distribution: [{ _variation: off._id }] }]
    })
    expect(await web.evaluate('started', 'development')).toBe(true)
    expect(await web.evaluate('started', 'production')).toMatch(/started/)
  })

  it('records the kind of tool that created it and its variables', async () => {
    const headers = { 'burgee-referrer': 'cli' }
    const { body } = await web.call('createFeature', {}, { body: { key: 'by-cli', name: 'C' }, headers })
    expect([body.source, body.variables[0].source]).toEqual(['cli', 'cli'])
  })

  it('includes a free variable, and updates its given members', async () => {
    await web.call('createVariable', {}, { body: { key: 'free', type: 'String', name: 'Free', description: 'Was' } })
    const variables = [{ key: 'free', type: 'String', name: 'Taken', defaultValue: 'x' }]
    const { body } = await web.create({ key: 'takes', name: 'T', variables, variations: [{ key: 'a', name: 'A' }] })
    expect(body.variables[0]).toMatchObject({ name: 'Taken', description: 'Was', _feature: body._id })
    expect(body.variations[0].variables).toEqual({ free: 'x' })
  })

  test.each([
    ['belongs to another feature', 409, 'belongs to feature "plain"', { key: 'plain', type: 'Boolean' }],
    ['is archived', 409, 'is archived', { key: 'put-away', type: 'Boolean' }],
    ['is of another type', 412, 'already exists with type Number', { key: 'number', type: 'String' }]
  ])('cannot include a variable that %s', async (_, status, message, variable) => {
    await web.call('createVariable', {}, { body: { key: 'put-away', type: 'Boolean' } })
    await web.call('updateVariableStatus', { key: 'put-away' }, { body: { status: 'archived' } })
    await web.call('createVariable', {}, { body: { key: 'number', type: 'Number' } })
    expectRefusal(await web.create({ key: 'greedy', name: 'G', variables: [variable] }), status, message)
    expect((await web.get('greedy')).status).toBe(404)
  })

  it('initializes variables from the given default, the example of their schema, or an empty value', async () => {
    const schema = { schemaType: 'enum', enumValues: ['a', 'b'], description: 'One', exampleValue: 'b' }
    const variables = [
      { key: 's-enum', type: 'String', validationSchema: schema },
      { key: 's-given', type: 'String', validationSchema: schema, defaultValue: 'a' },
      { key: 's-string', type: 'String' },
      { key: 's-boolean', type: 'Boolean' },
      { key: 's-number', type: 'Number' },
      { key: 's-json', type: 'JSON' }
    ]
    const { body } = await web.create({ key: 'starts', name: 'S', variables, variations: [{ key: 'a', name: 'A' }] })
    expect(body.variations[0].variables).toEqual({
      's-enum': 'b',
      's-given': 'a',
      's-string': '',
      's-boolean': false,
      's-number': 0,
      's-json': {}
    })
  })

  it('is visible to server keys only where features set their visibility', async () => {
    const choosing = await serveFeatures({ sdkTypeVisibility: { enabledInFeatureSettings: true } })
    const { body } = await choosing.create({ key: 'a', name: 'A', sdkVisibility: { client: true } })
    expect(body.sdkVisibility).toEqual({ mobile: false, client: true, server: true })
  })
})

const target = serving('variation-on')
const enumSchema = { schemaType: 'enum', enumValues: ['a'], description: 'One', exampleValue: 'a' }

describe('an invalid feature', () => {
  test.each<[string, object, number, string | RegExp]>([
    ['no key', { name: 'N' }, 400, 'key should be a string'],
    ['an empty key', { key: '', name: 'N' }, 400, 'key should not be empty'],
    ['a key with capitals', { key: 'Big', name: 'N' }, 400, 'key should have only a–z'],
    ['no name', { key: 'a' }, 400, 'name should be a string'],
    ['an unknown member', { key: 'a', name: 'N', colour: 'red' }, 400, 'property colour should not exist'],
    ['a read-only member', { key: 'a', name: 'N', status: 'complete' }, 400, 'property status should not exist'],
    ['an id', { key: 'a', name: 'N', _id: idOf('a') }, 400, 'property _id should not exist'],
    ['an unknown type', { key: 'a', name: 'N', type: 'toggle' }, 400, 'type should be one of'],
    [
      'an unknown environment',
      { key: 'a', name: 'N', configurations: { nowhere: { status: 'inactive' } } },
      400,
      'configurations should name environments of project "web" by key or id, got "nowhere"'
    ],
    [
      'an unknown variation in a target',
      { key: 'a', name: 'N', configurations: { staging: { targets: [serving('variation-of')] } } },
      400,
      'configurations.staging.targets.0.distribution.0._variation should be the key or id of a variation of feature "a", got "variation-of"'
    ],
    [
      'targets missing where it is turned on',
      { key: 'a', name: 'N', configurations: { staging: { status: 'active' } } },
      412,
      'has no targets in environment "staging"'
    ],
    [
      'an unknown control',
      { key: 'a', name: 'N', controlVariation: 'on' },
      400,
      'controlVariation should be the key or'
    ],
    [
      'a value for a variable that it has not',
      { key: 'a', name: 'N', variables: [], variations: [{ key: 'on', name: 'On', variables: { gone: true } }] },
      412,
      'Variable does not belong to Feature: variation "on" has a value for "gone"'
    ],
    [
      'a value of another type',
      {
        key: 'a',
        name: 'N',
        variables: [{ key: 'flag', type: 'Boolean' }],
        variations: [{ key: 'on', name: 'On', variables: { flag: 'yes' } }]
      },
      400,
      'variation "on": variable "flag" should be a boolean, got "yes"'
    ],
    [
      'a value against the schema',
      {
        key: 'a',
        name: 'N',
        variables: [{ key: 'letter', type: 'String', validationSchema: enumSchema }],
        variations: [{ key: 'on', name: 'On', variables: { letter: 'z' } }]
      },
      400,
      'variation "on": variable "letter" should be one of "a", got "z"'
    ],
    [
      'a schema for another type',
      { key: 'a', name: 'N', variables: [{ key: 'n', type: 'Boolean', validationSchema: enumSchema }] },
      400,
      'variables.0.validationSchema.schemaType enum supports variables of type String and Number'
    ],
    [
      'a variable listed twice',
      {
        key: 'a',
        name: 'N',
        variables: [
          { key: 'n', type: 'Number' },
          { key: 'n', type: 'Number' }
        ]
      },
      400,
      'variables.1.key should be listed once, got "n"'
    ],
    [
      'a variable of another feature by its own word',
      { key: 'a', name: 'N', variables: [{ key: 'n', type: 'Number', _feature: 'b' }] },
      400,
      'variables.0._feature should be "a"'
    ],
    [
      'a variation listed twice',
      {
        key: 'a',
        name: 'N',
        variations: [
          { key: 'n', name: 'N' },
          { key: 'n', name: 'M' }
        ]
      },
      400,
      'variations.1.key should be listed once, got "n"'
    ],
    [
      'a variation with an id of its own',
      { key: 'a', name: 'N', variations: [{ _id: idOf('x'), key: 'n', name: 'N' }] },
      400,
      'variations.0._id should be that of a variation of feature "a"'
    ]
  ])('is refused with %s', async (_, body, status, message) => {
    expectRefusal(await web.create(body), status, message)
    expect((await web.get('a')).status).toBe(404)
    expect((await web.call('getVariable', { key: 'a' })).status).toBe(404)
  })

  it('is refused if it names an environment twice', async () => {
    const configurations = { staging: { targets: [target] }, [web.environments.staging ?? '']: { targets: [] } }
    expectRefusal(await web.create({ key: 'a', name: 'N', configurations }), 400, 'environment "staging" once')
  })

  it('is refused with all issues of its values at once', async () => {
    const answer = await web.create({
      key: 'a',
      name: 'N',
      variables: [{ key: 'one', type: 'Number' }],
      variations: [
        { key: 'x', name: 'X', variables: { one: '1' } },
        { key: 'y', name: 'Y', variables: { one: true } }
      ]
    })
    expect(answer.body.message).toEqual([
      'variation "x": variable "one" should be a number, got "1"',
      'variation "y": variable "one" should be a number, got true'
    ])
  })

  it('is refused if its key is taken in the project', async () => {
    await web.create({ key: 'taken', name: 'T' })
    const answer = await web.create({ key: 'taken', name: 'T' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ message: "Duplicate key 'taken'", errorType: 'ERR_DUPE_FEATURE_KEY' })
    expect((await web.create({ key: 'elsewhere', name: 'T' })).status).toBe(201)
  })
})

describe('getting a feature', () => {
  it.each([
    ['web', 'nothing', 'nothing'],
    ['nowhere', 'plain', 'nowhere'],
    ['other', 'plain', 'plain']
  ])('of project %s by %s that does not exist returns 404', async (project, feature, missing) => {
    const answer = await call(web.server, 'getFeature', { params: { project, feature } })
    expectRefusal(answer, 404, `Item with key '${missing}' not found`)
  })

  it('of another project is not found, even by id', async () => {
    const { body } = await web.get('plain')
    const answer = await call(web.server, 'getFeature', { params: { project: 'other', feature: body._id } })
    expect(answer.status).toBe(404)
  })

  it('is read-only for callers without write permission', async () => {
    const { server, key } = await serveLimited({ features: [{ key: 'a' }] }, ['feature:read'])
    const { body } = await call(server, 'getFeature', { params: { project: 'shop', feature: 'a' }, key })
    expect([body.readonly, body.configurations[0].readonly]).toEqual([true, true])
  })
})

describe('the list of features', () => {
  let listed: Features

  beforeAll(async () => {
    listed = await serveFeatures()
    const made = [
      { key: 'alpha', name: 'First', type: 'release', tags: ['checkout'] },
      { key: 'beta', name: 'Second', type: 'ops', description: 'About the Checkout' },
      { key: 'gamma', name: 'Checkout', type: 'experiment' },
      { key: 'delta', name: 'Fourth', type: 'release' }
    ]
    for (const body of made) {
      const then = listed.server.clock.now()
      listed.server.clock.now = () => then + 1000
      await listed.create(body)
    }
    await listed.setStatus('delta', 'archived')
    await listed.setStatus('alpha', 'complete', 'variation-on')
  })

  function list(query: Record<string, string | number | boolean | readonly string[]> = {}): Promise<ApiResponse> {
    return listed.call('listFeatures', {}, { query })
  }

  test.each<[Record<string, string | number | readonly string[]>, string[], number]>([
    [{}, ['delta', 'gamma', 'beta', 'alpha'], 4],
    [{ sortOrder: 'asc' }, ['alpha', 'beta', 'gamma', 'delta'], 4],
    [{ sortBy: 'key', sortOrder: 'asc' }, ['alpha', 'beta', 'delta', 'gamma'], 4],
    [{ sortBy: 'name', sortOrder: 'asc' }, ['gamma', 'alpha', 'delta', 'beta'], 4],
    [{ perPage: 3 }, ['delta', 'gamma', 'beta'], 4],
    [{ perPage: 3, page: 2 }, ['alpha'], 4],
    [{ page: 9 }, [], 4],
    [{ type: 'release' }, ['delta', 'alpha'], 2],
    [{ status: 'active' }, ['gamma', 'beta'], 2],
    [{ status: 'archived' }, ['delta'], 1],
    [{ status: 'complete', type: 'release' }, ['alpha'], 1],
    [{ keys: 'beta' }, ['beta'], 1],
    [{ keys: 'beta,gamma' }, ['gamma', 'beta'], 2],
    [{ keys: ['beta', 'alpha', 'none'] }, ['beta', 'alpha'], 2],
    [{ search: 'CHECKOUT' }, ['gamma', 'beta', 'alpha'], 3],
    [{ search: 'delt' }, ['delta'], 1],
    [{ createdBy: 'test-admin@clients' }, ['delta', 'gamma', 'beta', 'alpha'], 4],
    [{ createdBy: 'nobody' }, [], 0],
    [{ staleness: 'notStale' }, ['delta', 'gamma', 'beta', 'alpha'], 4],
    [{ staleness: 'all' }, [], 0],
    [{ staleness: 'unused' }, [], 0]
  ])('for %j is %j', async (query, keys, count) => {
    const answer = await list(query)
    expect(answer.status).toBe(200)
    expect(keysOf(answer.body)).toEqual(keys)
    expect(answer.headers.count).toBe(String(count))
  })

  it('accepts keys[] too', async () => {
    expect(keysOf((await list({ 'keys[]': ['beta', 'gamma'] })).body)).toEqual(['gamma', 'beta'])
  })

  it('has the same members as a single feature', async () => {
    const { body } = await list({ keys: 'gamma' })
    expect(body[0]).toEqual((await listed.get('gamma')).body)
  })

  it('includes the newest audit entry of each on request', async () => {
    const { body } = await list({ includeLatestUpdate: true, keys: 'alpha,beta' })
    expect(body.map(({ latestUpdate }: ApiResponse['body']) => latestUpdate.changes[0].type)).toEqual([
      'createdFeature',
      'modifiedFeatureStatus'
    ])
    expect((await list()).body[0]).not.toHaveProperty('latestUpdate')
  })

  test.each([
    [{ perPage: 0 }, 'perPage should be at least 1'],
    [{ perPage: 1001 }, 'perPage should be at most 1000'],
    [{ page: 0 }, 'page should be at least 1'],
    [{ search: 'ab' }, 'search should have at least 3 characters'],
    [{ status: 'live' }, 'status should be one of active, complete, archived'],
    [{ type: 'toggle' }, 'type should be one of']
  ])('refuses %j', async (query, message) => {
    expectRefusal(await list(query as never), 400, message)
  })

  it('of an unknown project returns 404', async () => {
    const answer = await call(listed.server, 'listFeatures', { params: { project: 'nowhere' } })
    expectRefusal(answer, 404, "Item with key 'nowhere' not found")
  })
})

describe('the summary of a feature', () => {
  it('can be changed member by member', async () => {
    await web.create({ key: 'told', name: 'Told' })
    const links = [{ url: 'https://example.com/plan', title: 'The plan' }]
    const first = await web.call('updateFeatureSummary', { feature: 'told' }, { body: { links } })
    expect(first.body).toEqual({ maintainers: ['test-admin@clients'], links, markdown: '' })
    const second = await web.call('updateFeatureSummary', { feature: 'told' }, { body: { markdown: '**Now**' } })
    expect(second.body).toEqual({ maintainers: ['test-admin@clients'], links, markdown: '**Now**' })
    const { body } = await web.update('told', { summary: { maintainers: [] } })
    expect(body.summary).toEqual({ maintainers: [], links, markdown: '**Now**' })
  })

  it('cannot change while it is archived', async () => {
    await web.create({ key: 'silent', name: 'S' })
    await web.setStatus('silent', 'archived')
    const answer = await web.call('updateFeatureSummary', { feature: 'silent' }, { body: { markdown: 'x' } })
    expectRefusal(answer, 412, 'feature "silent" is archived')
  })

  test.each([
    [{ links: [{ url: 'javascript:alert(1)', title: 'x' }] }, 'links.0.url should be an http or https URL'],
    [{ colour: 'red' }, 'property colour should not exist']
  ])('is refused as %j', async (body, message) => {
    await web.create({ key: 'refused', name: 'R' })
    expectRefusal(await web.call('updateFeatureSummary', { feature: 'refused' }, { body }), 400, message)
  })
})

describe('the staleness settings of a feature', () => {
  const staleness = async (feature: string, body?: object) => {
    if (!body) return (await web.call('getFeatureStaleness', { feature })).body
    return (await web.call('updateFeatureStaleness', { feature }, { body })).body
  }

  it('are absent if the project does not detect staleness', async () => {
    const { body } = await web.create({ key: 'fresh', name: 'Fresh' })
    expect(await staleness('fresh')).toEqual({
      key: 'fresh',
      name: 'Fresh',
      _feature: body._id,
      stale: false,
      updatedAt: at,
      disabled: false
    })
    expect(body).not.toHaveProperty('staleness')
  })

  it('can be snoozed, disabled and enabled again', async () => {
    const { body } = await web.create({ key: 'quiet', name: 'Quiet' })
    const about = { key: 'quiet', name: 'Quiet', _feature: body._id, stale: false, updatedAt: at }
    expect(await staleness('quiet', { snoozedUntil: '2026-06-01T02:00:00+02:00' })).toEqual({
      ...about,
      disabled: false,
      snoozedUntil: '2026-06-01T00:00:00.000Z'
    })
    expect(await staleness('quiet', { disabled: true, metaData: { why: 'busy' } })).toMatchObject({
      disabled: true,
      snoozedUntil: '2026-06-01T00:00:00.000Z',
      metaData: { why: 'busy' }
    })
    expect(await staleness('quiet', { snoozedUntil: null })).toEqual({
      ...about,
      disabled: true,
      metaData: { why: 'busy' }
    })
    expect(await staleness('quiet')).toMatchObject({ disabled: true })
    expect((await web.update('quiet', { staleness: { disabled: false } })).body).not.toHaveProperty('staleness')
    expect(await staleness('quiet')).toMatchObject({ disabled: false })
  })

  it('leave no audit entry when nothing is different', async () => {
    await web.create({ key: 'same', name: 'Same' })
    await staleness('same', { disabled: true })
    const count = await web.entries('same')
    await staleness('same', { disabled: true })
    expect(await web.entries('same')).toBe(count)
  })

  it('cannot be changed while the feature is archived', async () => {
    await web.create({ key: 'gone', name: 'Gone' })
    await web.setStatus('gone', 'archived')
    const answer = await web.call('updateFeatureStaleness', { feature: 'gone' }, { body: { disabled: true } })
    expectRefusal(answer, 412, 'feature "gone" is archived')
  })
})
