import { type Operation, type Operations, operations } from '@burgee/contract'
import {
  type ApiResponse,
  type Call,
  call,
  send,
  serve,
  storeWith,
  type TestServer,
  tokenOf,
  toStoreUrl
} from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { storedData } from '@burgee/testing/storedData'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { legacyNames } from '../../src/api/http/request/legacyNames.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const shop = { project: 'shop' }
const checkout = { project: 'shop', feature: 'checkout' }
const integration = {
  dynatraceEnvironmentId: 'abc12345',
  accessToken: 'sample-token-that-nobody-may-see',
  environmentUrl: 'https://abc12345.invalid'
}
/** Names that customers could use in their own data. */
const named = { a0_user: 1, idp_user: 2, dvcUserId: { svcUserId: 3 }, observability: [{ dynatrace: 4 }], ldLink: null }

const plan = { environments: { production: {}, dynatrace: {}, observability: {} }, features: [{ key: 'checkout' }] }

/** With the setting on and off. */
let server: TestServer
let plain: TestServer

/** A server with an item of every kind that has a member with another name. */
async function serveNamed(compatLegacyNames: boolean): Promise<TestServer> {
  const directory = await storeWith(plan)
  const store = await openStore(toStoreUrl(directory))
  await store.collection('features').update(idOf('checkout'), { externalLink: 'https://example.com/checkout' })
  const timestamps = { createdAt: '2026-03-01T12:00:00.000Z', updatedAt: '2026-03-01T12:00:00.000Z' }
  await store.collection('webhooks').insert({
    ...timestamps,
    _id: idOf('webhook'),
    _project: idOf('shop'),
    name: 'Chat',
    url: 'https://hooks.invalid/',
    events: ['modifiedFeature'],
    enabled: true,
    secrets: [],
    _environments: [],
    _chatIntegration: 'channel'
  })
  await store.close()
  const served = await serve(directory, { compatLegacyNames })
  await prepare(served)
  return served
}

beforeAll(async () => {
  server = await serveNamed(true)
  plain = await serveNamed(false)
})

async function prepare(at: TestServer): Promise<void> {
  const body = { svcUserId: 'ada' }
  await call(at, 'updateUserProfile', { params: shop, body })
  const override = { environment: 'production', variation: 'variation-on' }
  await call(at, 'updateFeatureOverride', { params: checkout, body: override })
  const { dynatraceEnvironmentId: observabilityEnvironmentId, ...members } = integration
  await call(at, 'updateObservabilityIntegration', { body: { observabilityEnvironmentId, ...members } })
  const observability = { enabled: true, environmentMap: { production: 'abc12345' } }
  await call(at, 'updateProject', { params: { key: 'shop' }, body: { settings: { observability } } })
  const params = { issue_tracker: 'jira', token: 'a-token-of-the-tracker' }
  await call(at, 'connectIssueTrackerOrganization', { params, body: { baseUrl: 'https://issues.example.com' } })
}

/** A request as an existing client makes it. */
async function legacy(
  method: string,
  path: string,
  body?: object,
  { at = server, headers = {} } = {}
): Promise<ApiResponse> {
  return send(at, {
    method,
    path,
    headers: { authorization: await tokenOf(at), 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {})
  })
}

/** The operations whose responses have each member: their preconditions, and the object with the member. */
const answers: readonly {
  readonly own: string
  readonly other: string
  readonly operation: keyof Operations
  readonly given?: Call
  readonly at?: (body: ApiResponse['body']) => object
  readonly value: unknown
}[] = [
  {
    own: 'idp_user',
    other: 'a0_user',
    operation: 'getUserProfile',
    given: { params: shop },
    value: 'test-admin@clients'
  },
  { own: 'svcUserId', other: 'dvcUserId', operation: 'getUserProfile', given: { params: shop }, value: 'ada' },
  {
    own: 'svcUserId',
    other: 'dvcUserId',
    operation: 'updateFeatureOverride',
    given: { params: checkout, body: { environment: 'production', variation: 'variation-on' } },
    value: 'ada'
  },
  {
    own: 'idp_user',
    other: 'a0_user',
    operation: 'getFeatureOverrides',
    given: { params: checkout },
    at: ({ overrides }) => overrides[idOf('production')][0],
    value: 'test-admin@clients'
  },
  {
    own: 'idp_user',
    other: 'a0_user',
    operation: 'listAuditEntries',
    at: ([entry]) => entry,
    value: 'test-admin@clients'
  },
  {
    own: 'hasIssueTrackerIntegration',
    other: 'hasJiraIntegration',
    operation: 'getProject',
    given: { params: { key: 'shop' } },
    value: true
  },
  {
    own: 'issueTrackerBaseUrl',
    other: 'jiraBaseUrl',
    operation: 'listProjects',
    at: ([project]) => project,
    value: 'https://issues.example.com'
  },
  {
    own: 'observability',
    other: 'dynatrace',
    operation: 'getProject',
    given: { params: { key: 'shop' } },
    at: ({ settings }) => settings,
    value: { enabled: true, environmentMap: { production: 'abc12345' } }
  },
  {
    own: 'observabilityEnvironmentId',
    other: 'dynatraceEnvironmentId',
    operation: 'getObservabilityIntegrations',
    at: ({ environments: [environment] }) => environment,
    value: 'abc12345'
  },
  {
    own: 'externalLink',
    other: 'ldLink',
    operation: 'getFeature',
    given: { params: checkout },
    value: 'https://example.com/checkout'
  },
  {
    own: '_chatIntegration',
    other: '_slackIntegration',
    operation: 'getWebhook',
    given: { params: { ...shop, id: idOf('webhook') } },
    value: 'channel'
  }
]

describe('a response', () => {
  test.each(answers)('has $own as $other too, in $operation', async ({ own, other, operation, given, at, value }) => {
    const { body } = await call(server, operation, given)
    const item: object = at ? at(body) : body
    expect(item).toMatchObject({ [own]: value })
    // Nested objects can have other names too.
    expect(item).toHaveProperty(other, Reflect.get(item, own))
  })

  test.each(answers)(
    'has no $other in $operation when the setting is off',
    async ({ own, other, operation, given, at }) => {
      const { body } = await call(plain, operation, given)
      expect(at ? at(body) : body).toHaveProperty(own)
      expect(JSON.stringify(body)).not.toContain(`"${other}"`)
    }
  )
})

describe('a request', () => {
  const profile = '/v1/projects/shop/userProfile/current'

  it.each(['eve', null, ''])('uses dvcUserId for svcUserId: %j', async (dvcUserId) => {
    await legacy('PATCH', profile, { dvcUserId: 'adam' })
    const { status, body } = await legacy('PATCH', profile, { dvcUserId })
    expect([status, body.svcUserId, body.dvcUserId]).toEqual([200, dvcUserId || null, dvcUserId || null])
  })

  it('filters by a0_user in the audit log of the organization and of a feature', async () => {
    await call(server, 'updateFeature', { params: checkout, body: { name: 'Checkout' } })
    for (const path of ['/v1/organizations/current/audit', '/v1/projects/shop/features/checkout/audit']) {
      const all = Number((await legacy('GET', path)).headers.count)
      expect(all).toBeGreaterThan(0)
      expect((await legacy('GET', `${path}?a0_user=test-admin%40clients`)).headers.count).toBe(String(all))
      expect((await legacy('GET', `${path}?a0_user=nobody`)).headers.count).toBe('0')
    }
  })

  it.each(['dynatrace', 'observability'])(
    'connects, reads and disconnects an environment at /v1/integrations/%s',
    async (name) => {
      const path = `/v1/integrations/${name}`
      const connected = async () => {
        const { body } = await legacy('GET', path)
        return body.environments.map((environment: typeof integration) => environment.dynatraceEnvironmentId)
      }
      expect((await legacy('POST', path, { ...integration, dynatraceEnvironmentId: name })).status).toBe(201)
      expect(await connected()).toContain(name)
      expect((await legacy('DELETE', `${path}/nope`)).body.message).toContain("Item with key 'nope' not found")
      expect((await legacy('DELETE', `${path}/${name}`)).status).toBe(200)
      expect(await connected()).toEqual(['abc12345'])
    }
  )

  it.each(['/v1/integrations/dynatracex', '/v1/projects/shop/integrations/dynatrace'])(
    'is not rewritten when its path only resembles that: %s',
    async (path) => {
      expect((await legacy('GET', path)).body.message).toBe(`no route for GET ${path}; /docs describes the API`)
    }
  )

  it('uses dynatrace for the settings of observability', async () => {
    const environmentMap = { dynatrace: 'abc12345', observability: 'abc12345' }
    const settings = { dynatrace: { enabled: false, environmentMap } }
    const { status, body } = await legacy('PATCH', '/v1/projects/shop', { settings })
    expect([status, body.settings.observability]).toEqual([200, settings.dynatrace])
  })

  test.each([
    ['cli', { 'dvc-referrer': 'cli' }],
    ['chat', { 'dvc-referrer': 'slack' }],
    ['github.pr_insights', { 'dvc-referrer': 'github.pr_insights', 'dvc-referrer-metadata': '{"version":"6"}' }],
    ['api', { 'dvc-referrer': 'nonsense' }],
    ['terraform', { 'dvc-referrer': 'cli', 'burgee-referrer': 'terraform' }],
    ['mcp', { 'burgee-referrer': 'mcp' }]
  ])('comes from %s with %j', async (source, headers) => {
    const variable = { key: `from-${source}`, type: 'Number' }
    const { body } = await legacy('POST', '/v1/projects/shop/variables', variable, { headers })
    expect(body.source).toBe(source)
  })

  it('may contain both names with equal values', async () => {
    const { status, body } = await legacy('PATCH', profile, { dvcUserId: 'both', svcUserId: 'both' })
    expect([status, body.svcUserId]).toEqual([200, 'both'])
  })

  it('is refused when the two names have different values, in either order', async () => {
    const { body: before } = await legacy('GET', profile)
    for (const given of [
      { dvcUserId: 'one', svcUserId: 'other' },
      { svcUserId: 'other', dvcUserId: 'one' }
    ]) {
      const { status, body } = await legacy('PATCH', profile, given)
      const message = 'dvcUserId is another name of svcUserId and should have the same value, got "one" and "other"'
      expect([status, body.message]).toEqual([400, [expect.stringContaining(message)]])
    }
    expect((await legacy('GET', profile)).body).toEqual(before)
  })

  it('may not have members with unknown names', async () => {
    const { status, body } = await legacy('PATCH', profile, { dvcUser: 'eve' })
    expect([status, body.message]).toEqual([400, ['property dvcUser should not exist (did you mean "svcUserId"?)']])
  })
})

describe('with the setting off', () => {
  test.each([
    ['PATCH', '/v1/projects/shop/userProfile/current', { dvcUserId: 'eve' }, 'property dvcUserId should not exist'],
    ['PATCH', '/v1/projects/shop', { settings: { dynatrace: {} } }, 'property settings.dynatrace should not exist'],
    [
      'POST',
      '/v1/integrations/observability',
      { ...integration, observabilityEnvironmentId: 'abc' },
      'property dynatraceEnvironmentId should not exist'
    ]
  ])('%s %s refuses %j', async (method, path, given, message) => {
    const { status, body } = await legacy(method, path, given, { at: plain })
    expect([status, body.message]).toEqual([400, [expect.stringContaining(message)]])
  })

  it('a path with the legacy name returns 404', async () => {
    for (const method of ['GET', 'POST']) {
      const { status } = await legacy(method, '/v1/integrations/dynatrace', integration, { at: plain })
      expect(status).toBe(404)
    }
  })

  it('a header with the legacy name is ignored', async () => {
    const variable = { key: 'from-nowhere', type: 'Number' }
    const given = { at: plain, headers: { 'dvc-referrer': 'cli' } }
    const { body } = await legacy('POST', '/v1/projects/shop/variables', variable, given)
    expect(body.source).toBe('api')
  })

  it('a query with the legacy name is ignored like any unknown one', async () => {
    const path = '/v1/organizations/current/audit'
    const { headers } = await legacy('GET', `${path}?a0_user=nobody`, undefined, { at: plain })
    expect(Number(headers.count)).toBeGreaterThan(0)
  })
})

describe('user data keeps its names', () => {
  const layout = { key: 'layout', type: 'JSON', defaultValue: named }
  const filters = [{ type: 'user', subType: 'user_id', comparator: '=', values: ['a0_user', 'dvcUserId'] }]
  const target = {
    audience: { filters: { operator: 'and', filters } },
    distribution: [{ _variation: 'one', percentage: 1 }]
  }
  const banner = {
    key: 'banner',
    name: 'Banner',
    variables: [layout],
    variations: [{ key: 'one', name: 'One', variables: { layout: named } }],
    configurations: { dynatrace: { status: 'active', targets: [target] } }
  }
  const params = { ...shop, feature: 'banner' }

  beforeAll(async () => {
    expect((await call(server, 'createFeature', { params: shop, body: banner })).status).toBe(201)
  })

  it('in values of JSON variables, in requests, responses and evaluations', async () => {
    const { body } = await call(server, 'getFeature', { params })
    expect(body.variations[0].variables.layout).toEqual(named)
    const user = { params: { key: 'layout' }, body: { user_id: 'a0_user' }, key: keyOf('server', 'dynatrace') }
    expect((await call(server, 'evaluateVariable', user)).body.value).toEqual(named)
  })

  it('in the default value of a variable', async () => {
    const body = { ...layout, key: 'grid', _feature: 'banner' }
    expect((await call(server, 'createVariable', { params: shop, body })).status).toBe(201)
    const { body: feature } = await call(server, 'getFeature', { params })
    expect(feature.variations[0].variables.grid).toEqual(named)
  })

  it('in the example of a validation schema', async () => {
    const validationSchema = { schemaType: 'jsonSchema', jsonSchema: '{}', description: 'Any', exampleValue: named }
    const body = { key: 'checked', type: 'JSON', validationSchema }
    const answer = await call(server, 'createVariable', { params: shop, body })
    expect([answer.status, answer.body.validationSchema]).toEqual([201, validationSchema])
  })

  it('in values of filters', async () => {
    const query = { environment: 'dynatrace' }
    const { body } = await call(server, 'listFeatureConfigurations', { params, query })
    expect(body).toMatchObject([{ status: 'active', targets: [{ audience: target.audience }] }])
  })

  it('in the metaData of staleness', async () => {
    const { status, body } = await call(server, 'updateFeatureStaleness', { params, body: { metaData: named } })
    expect([status, body.metaData]).toEqual([200, named])
  })

  it('in keys of environments', async () => {
    const ended = { ...shop, feature: 'ended' }
    await call(server, 'createFeature', { params: shop, body: { key: 'ended', name: 'ExitResult' } })
    const body = { status: 'complete', staticVariation: 'variation-on' }
    await call(server, 'updateFeatureStatus', { params: ended, body })
    const environments = { observability: { status: 'active' }, dynatrace: 'active' }
    const answer = await call(server, 'updateStaticConfiguration', { params: ended, body: { environments } })
    const active = { status: 'active' }
    expect([answer.status, answer.body.environments]).toEqual([
      200,
      { production: { status: 'inactive' }, dynatrace: active, observability: active }
    ])
  })

  it('in the stored body of a change request', async () => {
    const settings = { featureApprovalWorkflow: { enabled: true } }
    await call(server, 'updateProjectSettings', {
      params: { key: 'shop' },
      body: { settings: { ...settings, disablePassthroughRollouts: false } }
    })
    const body = { staleness: { metaData: { ...named, more: true } } }
    const wrapped = { path: '/v2/projects/shop/features/banner', method: 'PATCH', body }
    expect((await call(server, 'createChangeRequest', { params, body: wrapped })).status).toBe(201)
    const { changeRequests } = await storedData(server.directory)
    expect(changeRequests.map((request) => request.body)).toContainEqual(body)
  })

  const keyed = ['configurations', 'environments', 'overrides', 'projects']
  // Audit entries contain parts of resources, with their members.
  const parts = ['newContents', 'previousContents']
  const open = openMembers(Object.values<Operation>(operations)).filter((name) => !parts.includes(name))

  test.each(open)('in %s, which the contract leaves open', (name) => {
    const value = { around: [{ [name]: keyed.includes(name) ? { a0_user: {}, observability: { on: true } } : named }] }
    expect([legacyNames.fromRequest(value), legacyNames.toResponse(value)]).toEqual([value, value])
  })

  it('in every member that the contract leaves open', () => {
    expect(open).toEqual(
      expect.arrayContaining([...keyed, 'variables', 'values', 'defaultValue', 'exampleValue', 'metaData'])
    )
  })
})

it('the setting applies to the management API only', async () => {
  const given = { body: { user_id: 'ada', a0_user: 'x', dvcUserId: 'y' }, key: keyOf('server') }
  const [one, other] = [await serve(plan, { compatLegacyNames: true }), await serve(plan)]
  const answer = await call(one, 'evaluateVariables', given)
  const expected = await call(other, 'evaluateVariables', given)
  expect([answer.status, answer.body]).toEqual([expected.status, expected.body])
})

/** The members whose own members the contract of the management API does not name. */
function openMembers(records: readonly Operation[]): string[] {
  const names = new Set<string>()
  for (const { credential, body, response } of records) {
    for (const schema of credential.type === 'token' ? [body, response] : []) {
      if (schema) collect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), names)
    }
  }
  return [...names].sort()
}

type Schema = Readonly<Record<string, unknown>>

function collect(root: Schema, names: Set<string>): void {
  const definitions = (root.$defs ?? {}) as Readonly<Record<string, Schema>>
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [member, inner] of Object.entries(schema)) {
      if (member === 'properties') {
        for (const [name, property] of Object.entries<Schema>(inner)) if (isOpen(property)) names.add(name)
      }
      visit(inner)
    }
  }
  /** Whether a value can be an object with any members. `seen`: recursive schemas. */
  const isOpen = (schema: Schema, seen: readonly string[] = []): boolean => {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.split('/').at(-1) ?? ''
      return !seen.includes(name) && isOpen(definitions[name] ?? {}, [...seen, name])
    }
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return true
    const same = [schema.anyOf, schema.oneOf, schema.allOf, schema.items].filter((part) => part !== undefined).flat()
    return same.some((part) => isOpen(part as Schema, seen))
  }
  visit(root)
}
