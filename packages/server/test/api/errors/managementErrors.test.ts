import { gzipSync } from 'node:zlib'
import { type Operation, type Operations, operations } from '@burgee/contract'
import { ManagementError } from '@burgee/contract/schemas'
import {
  type ApiResponse,
  type Call,
  call,
  type RawRequest,
  send,
  serve,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { idOf, type Plan } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import { storedAuditText, storedData } from '@burgee/testing/storedData'
// Long because of its tables: every status of the management API, and for the most frequent ones every cause.

import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [
    { key: 'checkout' },
    { key: 'banner', variables: { banner: 'String' }, variations: { one: { banner: 'a' } } }
  ],
  audiences: { beta: { operator: 'and', filters: [{ type: 'all' }] } }
}
const shop = { project: 'shop' }
const checkout = { project: 'shop', feature: 'checkout' }
const everybody = { operator: 'and', filters: [{ type: 'all' }] }

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

/** All that the server stores about flags and in its audit log. */
async function stored(): Promise<string> {
  return [JSON.stringify(await storedData(server.directory)), await storedAuditText(server.directory)].join('\n')
}

/** Expects an operation to refuse a request with this status, and to store nothing. */
async function expectRefusal(operation: keyof Operations, given: Call, status: number, members: object): Promise<void> {
  const before = await stored()
  const answer = await call(server, operation, given)
  expect(withoutIssues(answer.body)).toEqual({ statusCode: status, ...members })
  expect(answer.status).toBe(status)
  expect(await stored()).toBe(before)
}

/** An error without its paths, whose messages must be among those of the error. */
function withoutIssues({ issues = [], ...body }: ApiResponse['body']): object {
  const messages = issues.map(({ message }: { message: string }) => message)
  expect(messages.length > 0 ? body.message : []).toEqual(expect.arrayContaining(messages))
  return body
}

describe('400', () => {
  const bad = (message: readonly string[]) => ({ error: 'Bad Request', message })
  const long = 'x'.repeat(1001)

  test.each([
    ['nothing', 'createProject', {}, ['name should be a string, got nothing', 'key should be a string, got nothing']],
    [
      'a name of spaces',
      'createFeature',
      { name: '   ', key: 'spaces' },
      ['name should contain a visible character, got "   "']
    ],
    ['a list', 'createProject', [], ['the body should be an object, got []']],
    ['an empty key', 'createProject', { name: 'X', key: '' }, ['key should not be empty, got ""']],
    [
      'capitals',
      'createProject',
      { name: 'X', key: 'Shop' },
      ['key should have only a–z, 0–9, "-", "_" and ".", got "Shop"']
    ],
    [
      'a key with two mistakes',
      'createProject',
      { name: 'X', key: 'X'.repeat(101) },
      [
        `key should have at most 100 characters, got "${'X'.repeat(79)}…`,
        `key should have only a–z, 0–9, "-", "_" and ".", got "${'X'.repeat(79)}…`
      ]
    ],
    [
      'a name of an object',
      'createProject',
      { name: 'X', key: 'constructor' },
      ['key is a name that cannot be a key, got "constructor"']
    ],
    [
      'a list for a text, which is too short besides',
      'createProject',
      { name: [], key: 'x' },
      ['name should be a string, got []']
    ],
    [
      'a description that goes on for long',
      'createProject',
      { name: 'X', key: 'x', description: long },
      [`description should have at most 1000 characters, got "${'x'.repeat(79)}…`]
    ],
    [
      'members that only answers have',
      'createProject',
      { name: 'X', key: 'x', _id: idOf('x'), createdAt: 'now', readonly: false },
      ['property _id should not exist', 'property createdAt should not exist', 'property readonly should not exist']
    ],
    [
      'members deep inside',
      'createProject',
      { name: 'X', key: 'x', settings: { nonsense: 1, optIn: { colors: { primary: 'red', tertiary: '#fff' } } } },
      [
        'settings.optIn.colors.primary should be a hex colour such as #1d4ed8, got "red"',
        'property settings.optIn.colors.tertiary should not exist',
        'property settings.nonsense should not exist'
      ]
    ],
    [
      'items of a list',
      'createFeatures',
      ['ok', { key: 'x' }, 5, 'NOT OK', { key: 'y', name: 'Y', variables: [{ key: 'z', type: 'Date' }] }],
      [
        '1.name should be a string, got nothing',
        '2 should be a feature to create, or the key of one, got 5',
        '3 should have only a–z, 0–9, "-", "_" and ".", got "NOT OK"',
        '4.variables.0.type should be one of String, Boolean, Number, JSON, got "Date"'
      ]
    ],
    ['an object for a list', 'createFeatures', {}, ['the body should be an array, got {}']],
    ['no item', 'createFeatures', [], ['the body should have at least one feature, got []']],
    [
      'more mistakes than anybody reads',
      'createFeatures',
      Array.from({ length: 12 }, () => 5),
      [
        ...Array.from({ length: 10 }, (_, index) => `${index} should be a feature to create, or the key of one, got 5`),
        'and 2 more'
      ]
    ],
    [
      'an unknown kind of schema',
      'createVariable',
      { key: 'x', type: 'String', validationSchema: { schemaType: 'yaml' } },
      ['validationSchema.schemaType should be one of enum, regex, jsonSchema, got "yaml"']
    ],
    [
      'a value of no type',
      'createVariable',
      { key: 'x', type: 'JSON', defaultValue: [1] },
      ['defaultValue should be a string, a number, a boolean or a JSON object, got [1]']
    ]
  ] as const)('names all mistakes of %s: %s', async (_, operation, body, message) => {
    const given = { params: shop, body }
    await expectRefusal(operation, given, 400, bad(message as readonly string[]))
  })

  it('reports that null is not an object', async () => {
    const { status, body } = await sendBody('null')
    expect([status, body.message]).toEqual([400, ['the body should be an object, got null']])
  })

  const at = 'configurations.production.targets.0.audience.filters.filters.0'
  const types = 'should be one of all, user, audienceMatch, optIn, got'
  const subTypes =
    'should be one of user_id, email, platform, deviceModel, country, appVersion, platformVersion, customData, got'
  const likeness = '=, !=, exist, !exist, contain, !contain, startWith, !startWith, endWith, !endWith'
  const order = '=, !=, >, >=, <, <=, exist, !exist'
  const email = { type: 'user', subType: 'email', comparator: '=' }
  const custom = { type: 'user', subType: 'customData', dataKey: 'a', comparator: '=', values: ['a'] }

  test.each([
    [{ type: 'nobody' }, [`${at}.type ${types} "nobody"`]],
    [null, [`${at} should be an object, got null`]],
    [{ type: 'user', subType: 'shoe' }, [`${at}.subType ${subTypes} "shoe"`]],
    [{ type: 'user' }, [`${at}.subType ${subTypes} nothing`]],
    [{ ...email, comparator: '~', values: ['a'] }, [`${at}.comparator should be one of ${likeness}, got "~"`]],
    [
      { type: 'user', subType: 'appVersion', comparator: 'contain', values: ['1.2'] },
      [`${at}.comparator should be one of ${order}, got "contain"`]
    ],
    [email, [`${at}.values should have at least one value, unless comparator is exist or !exist, got nothing`]],
    [{ ...email, values: [5, 'a'] }, [`${at}.values.0 should be a string, got 5`]],
    [{ ...custom, dataKeyType: 'Date' }, [`${at}.dataKeyType should be one of String, Number, Boolean, got "Date"`]],
    [
      { ...custom, dataKeyType: 'Boolean', comparator: '>' },
      [`${at}.comparator should be one of =, !=, exist, !exist, got ">"`, `${at}.values.0 should be a boolean, got "a"`]
    ],
    [
      { ...email, subType: 'country', values: ['Canada'] },
      [`${at}.values.0 should be an ISO 3166-1 alpha-2 country code in upper case, got "Canada"`]
    ],
    [{ type: 'all', values: [] }, [`property ${at}.values should not exist: it belongs to type "user" or "optIn"`]],
    [
      { operator: 'xor', filters: [{ type: 'all' }] },
      [`${at}.operator should be one of and, or; a filter should have a type instead, got "xor"`]
    ],
    [
      { operator: 'and', filters: [{ operator: 'or', filters: [{ type: 'user', subType: 'shoe' }] }] },
      [`${at}.filters.0.filters.0.subType ${subTypes} "shoe"`]
    ]
  ])('names the place of a wrong filter and the accepted values: %j', async (filter, message) => {
    const target = {
      audience: { filters: { operator: 'and', filters: [filter] } },
      distribution: [{ _variation: 'variation-on', percentage: 1 }]
    }
    const body = { configurations: { production: { targets: [target] } } }
    await expectRefusal('updateFeature', { params: checkout, body }, 400, bad(message))
  })

  test.each([
    ['perPage=0', 'perPage should be at least 1, got "0"'],
    ['perPage=1001', 'perPage should be at most 1000, got "1001"'],
    ['perPage=abc', 'perPage should be a whole number, got "abc"'],
    ['perPage=1.5', 'perPage should be a whole number, got "1.5"'],
    ['perPage=', 'perPage should be a whole number, got ""'],
    ['perPage=1&perPage=2', 'perPage should be a whole number, got ["1","2"]'],
    ['page=0', 'page should be at least 1, got "0"'],
    ['page=-1', 'page should be at least 1, got "-1"'],
    ['page=Infinity', 'page should be a whole number, got "Infinity"'],
    ['search=ab', 'search should have at least 3 characters, got "ab"'],
    ['search=abc&search=def', 'search should be a string, got ["abc","def"]'],
    ['sortBy=color', 'sortBy should be one of createdAt, updatedAt, name, key, createdBy, propertyKey, got "color"'],
    ['sortOrder=up', 'sortOrder should be one of asc, desc, got "up"']
  ])('is returned by every list for ?%s', async (query, message) => {
    for (const path of ['/v2/projects/shop/features', '/v1/projects', '/v1/projects/shop/audiences']) {
      const { status, body } = await send(server, {
        path: `${path}?${query}`,
        headers: { authorization: await tokenOf(server) }
      })
      expect([status, withoutIssues(body)]).toEqual([400, { statusCode: 400, ...bad([message]) }])
    }
  })

  test.each([
    ['type=x', 'type should be one of release, experiment, permission, ops, got "x"'],
    ['status=x', 'status should be one of active, complete, archived, got "x"'],
    ['staleness=x', 'staleness should be one of all, unused, released, unmodified, notStale, got "x"'],
    ['includeLatestUpdate=maybe', expect.stringMatching(/^includeLatestUpdate should be one of true, .*, got "maybe"$/)]
  ])('is returned by a list of features for ?%s', async (query, message) => {
    const { status, body } = await send(server, {
      path: `/v2/projects/shop/features?${query}`,
      headers: { authorization: await tokenOf(server) }
    })
    expect([status, withoutIssues(body)]).toEqual([400, { statusCode: 400, ...bad([message as string]) }])
  })

  it('is returned for an unknown query parameter', async () => {
    const query = { user: 'ada', action: 'created', nonsense: ['a', 'b'] }
    expect((await call(server, 'listFeatures', { params: shop, query })).status).toBe(200)
  })

  test.each([
    [
      'a reference too long to be one',
      'getProject',
      { key: 'x'.repeat(101) },
      /^key should have at most 100 characters/
    ],
    [
      'an entry that is not an id',
      'revertFeature',
      { ...checkout, entry: 'latest' },
      /^entry should be an id: 24 of 0–9 and a–f, got "latest"$/
    ]
  ] as const)('is returned for a path with %s', async (_, operation, params, message) => {
    await expectRefusal(operation, { params }, 400, bad([expect.stringMatching(message)]))
  })

  it.each(['%', '%zz', '%ff', '%00'])('is returned for a path that cannot be decoded: %s', async (part) => {
    const headers = { authorization: await tokenOf(server) }
    for (const path of [`/v1/projects/${part}`, `/v1/projects?search=abc${part}`]) {
      const { status, body } = await send(server, { path, headers })
      expect([status, body.error]).toEqual([400, 'Bad Request'])
      expect(body.message).toEqual([expect.stringMatching(/in the URL is not valid percent-encoding/)])
    }
  })
})

/** Sends a raw body to the operation that creates projects. */
async function sendBody(body: RawRequest['body'], headers: RawRequest['headers'] = {}): Promise<ApiResponse> {
  const authorization = await tokenOf(server)
  const given = { authorization, 'content-type': 'application/json', ...headers }
  return send(server, { method: 'POST', path: '/v1/projects', headers: given, body: body ?? '' })
}

describe('an unreadable body', () => {
  const malformed: [string, RawRequest['body'], RegExp][] = [
    ['is empty', '', /^the body is empty; it should be JSON$/],
    ['is not JSON', '{"key":', /^the body is not JSON: /],
    ['nests too deep', `${'['.repeat(33)}${']'.repeat(33)}`, /^the body nests deeper than 32 levels$/],
    ['names __proto__', '{"name":"X","key":"x","settings":{"__proto__":{}}}', /member named "__proto__"/],
    ['names constructor', '{"name":"X","key":"x","constructor":{}}', /member named "constructor"/],
    ['has NUL', '{"name":"a\\u0000","key":"x"}', /^name should have neither NUL nor/],
    ['has a number beyond all numbers', '{"name":1e999}', /^name should be a number up to/],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /^the body is not valid UTF-8$/]
  ]

  it.each(malformed)('returns 400 when it %s', async (_, given, message) => {
    const { status, body } = await sendBody(given)
    expect([status, withoutIssues(body)]).toEqual([
      400,
      { statusCode: 400, message: [expect.stringMatching(message)], error: 'Bad Request' }
    ])
  })

  it('returns 413 when it is too large, compressed or not', async () => {
    const large = JSON.stringify({ name: 'X', key: 'x', description: 'x'.repeat(1_100_000) })
    for (const answer of [await sendBody(large), await sendBody(gzipSync(large), { 'content-encoding': 'gzip' })]) {
      const message = 'the body is larger than 1048576 bytes'
      expect([answer.status, answer.body]).toEqual([413, { statusCode: 413, message, error: 'Payload Too Large' }])
      expect(answer.headers).toMatchObject({ 'retry-after': '3600', 'retry-later': expect.any(String) })
    }
  })

  it('names the member that it has twice, however the name is written', async () => {
    const answers = [
      await sendBody('{"name":"X","key":"x","key":"y"}'),
      await sendBody('{"name":"X","key":"x","\\u006bey":"y"}'),
      await sendBody('{"name":"X","key":"x","settings":{"edgeDB":{"enabled":true,"enabled":false}}}')
    ]
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [400, ['"key" should be given once, got it several times']],
      [400, ['"key" should be given once, got it several times']],
      [400, ['"settings.edgeDB.enabled" should be given once, got it several times']]
    ])
  })

  it.each([
    ['another type', { 'content-type': 'text/plain' }, 'content-type should be application/json, got text/plain'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, /^content-type should be application\/json/],
    ['another encoding', { 'content-encoding': 'zstd' }, 'content-encoding should be gzip, deflate or br, got zstd'],
    ['other characters', { 'content-type': 'application/json; charset=latin1' }, 'charset should be utf-8, got latin1']
  ])('returns 415 when it is of %s', async (_, headers, message) => {
    const { status, body } = await sendBody('{}', headers)
    const matching = typeof message === 'string' ? message : expect.stringMatching(message)
    expect([status, body]).toEqual([415, { statusCode: 415, message: matching, error: 'Unsupported Media Type' }])
  })
})

describe('404', () => {
  const nope = (message: unknown) => ({ error: 'Not Found', message })
  const inProject = { project: 'nope', feature: 'checkout', key: 'beta', environment: 'production', id: 'x' }

  /** The operations of one project, with a valid request. The errors of the manifest have a form of their own. */
  const ofProject = Object.values<Operation>(operations).filter(
    ({ path, body, tag }) => path.includes('{project}') && !body && tag !== 'OpenFeature manifest'
  )

  test.each(ofProject.map(({ id }) => id as keyof Operations))('names the unknown project: %s', async (id) => {
    const query = validQuery(operations[id])
    const params = {
      ...inProject,
      entry: idOf('x'),
      delivery: idOf('x'),
      issue_tracker: 'jira',
      issue_id: 'SHOP-1',
      user_id: 'ada'
    }
    await expectRefusal(id, { params, query }, 404, nope(`Item with key 'nope' not found: there is no project "nope"`))
  })

  test.each([
    ['getProject', { key: 'nope' }],
    ['getEnvironment', { ...shop, key: 'nope' }],
    ['getFeature', { ...shop, feature: 'nope' }],
    ['getFeatureV1', { ...shop, feature: 'nope' }],
    ['getVariable', { ...shop, key: 'nope' }],
    ['getVariation', { ...checkout, key: 'nope' }],
    ['getAudience', { ...shop, key: 'nope' }],
    ['getCustomProperty', { ...shop, key: 'nope' }],
    ['getMetric', { ...shop, key: 'nope' }],
    ['getWebhook', { ...shop, id: 'nope' }],
    ['deleteObservabilityIntegration', { observabilityEnvironmentId: 'nope' }],
    ['getFeature', { ...shop, feature: 'staging' }],
    ['getFeature', { ...shop, feature: idOf('beta') }],
    ['getVariation', { ...checkout, key: 'one' }]
  ] as const)('names the unknown item: %s %j', async (operation, params) => {
    const reference = Object.values(params).at(-1)
    await expectRefusal(
      operation,
      { params },
      404,
      nope(expect.stringMatching(`^Item with key '${reference}' not found`))
    )
  })

  /** Valid query parameters of an operation: results take no others. */
  function validQuery({ query }: Operation): Record<string, string> {
    const shape = query?.shape ?? {}
    const range = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-02T00:00:00Z' }
    const valid = {
      environment: 'production',
      feature: 'checkout',
      metric: 'x',
      repo: 'example/shop',
      control: 'one',
      a: 'staging',
      b: 'production',
      event: 'x',
      dimension: 'TOTAL_SUM',
      optimize: 'increase',
      // The dates of evaluations are epoch milliseconds.
      ...('feature' in shape ? range : {})
    }
    return Object.fromEntries(Object.entries(valid).filter(([name]) => name in shape))
  }
})

describe('409', () => {
  const twice = (message: string, errorType: string) => ({ error: 'Conflict', message, errorType })

  test.each([
    ['createProject', { key: 'shop', name: 'X' }, 'shop', 'ERR_DUPE_PROJECT_KEY'],
    ['createEnvironment', { key: 'staging', name: 'X', type: 'staging' }, 'staging', 'ERR_DUPE_ENVIRONMENT_KEY'],
    ['createFeature', { key: 'checkout', name: 'X' }, 'checkout', 'ERR_DUPE_FEATURE_KEY'],
    ['createFeatureV1', { key: 'checkout', name: 'X', variables: [] }, 'checkout', 'ERR_DUPE_FEATURE_KEY'],
    ['createFeatures', ['new', 'checkout'], 'checkout', 'ERR_DUPE_FEATURE_KEY'],
    ['createFeatures', ['new', 'new'], 'new', 'ERR_DUPE_FEATURE_KEY'],
    ['createVariable', { key: 'checkout', type: 'Boolean' }, 'checkout', 'ERR_DUPE_VARIABLE_KEY'],
    ['createAudience', { key: 'beta', name: 'X', filters: everybody }, 'beta', 'ERR_DUPE_AUDIENCE_KEY']
  ] as const)('names the taken key, in the message and in members: %s %j', async (operation, body, key, errorType) => {
    await expectRefusal(operation, { params: shop, body }, 409, twice(`Duplicate key '${key}'`, errorType))
  })

  test.each([
    ['updateFeature', { ...shop, feature: 'banner' }, 'checkout', 'ERR_DUPE_FEATURE_KEY'],
    ['updateEnvironment', { ...shop, key: 'production' }, 'staging', 'ERR_DUPE_ENVIRONMENT_KEY'],
    ['updateVariable', { ...shop, key: 'banner' }, 'checkout', 'ERR_DUPE_VARIABLE_KEY']
  ] as const)('prevents a duplicate key: %s %j', async (operation, params, key, errorType) => {
    await expectRefusal(operation, { params, body: { key } }, 409, twice(`Duplicate key '${key}'`, errorType))
  })
})

describe('405 and 412', () => {
  const last = { error: 'Method Not Allowed', message: 'Cannot DELETE last item' }

  it('protect the last item of its kind', async () => {
    await expectRefusal('deleteProject', { params: { key: 'shop' } }, 405, last)
  })

  it('protect an item in use, and name its user', async () => {
    const message = expect.stringMatching(/^variable "checkout" belongs to feature "checkout"/)
    const members = { error: 'Precondition Failed', message }
    await expectRefusal('deleteVariable', { params: { ...shop, key: 'checkout' } }, 412, members)
  })
})

describe('any request', () => {
  /** The level of log lines about unexpected errors. */
  const ERROR = 50
  const records = Object.values<Operation>(operations).filter(({ credential }) => credential.type === 'token')
  /** Existing names and problematic texts. */
  const name = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('shop', 'checkout', 'banner', 'production', 'staging', 'beta', 'variation-on', 'one')
    },
    fc.constantFrom(
      idOf('shop'),
      idOf('checkout'),
      'jira',
      'multiple',
      'current',
      'latest',
      '.',
      '..',
      '__proto__',
      'constructor',
      '0'
    ),
    fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' })
  )
  const scalar = fc.oneof(name, fc.constantFrom('true', 'false', '-1', '1e9', 'all', 'asc', '2026-03-01T00:00:00Z'))
  const queryOf = ({ id, query }: Operation) => {
    const members = Object.keys(query?.shape ?? {})
    // A signing key that is replaced now ends the token of the test.
    const names = [...members.filter((member) => id !== 'rotateSigningKey' || member !== 'now'), 'nonsense', 'keys[]']
    return fc.array(fc.tuple(fc.constantFrom(...names), scalar), { maxLength: 4 })
  }
  const paramsOf = ({ params }: Operation) => {
    return fc.record(Object.fromEntries(Object.keys(params?.shape ?? {}).map((param) => [param, name])))
  }
  /** The example of a body with another value in one place, or any value. */
  const bodyOf = ({ body }: Operation) => {
    const example = (body?.meta()?.example ?? {}) as fc.JsonValue
    const other = fc.oneof(name, fc.jsonValue({ maxDepth: 3 }))
    return fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.nat(), other).map(([index, value]) => withOther(example, index, value)) },
      fc.jsonValue({ maxDepth: 4 })
    )
  }
  const request = fc.constantFrom(...records).chain((record) => {
    return fc.record({
      id: fc.constant(record.id as keyof Operations),
      params: paramsOf(record),
      query: queryOf(record).map((pairs) => {
        const lists: Record<string, string[]> = {}
        for (const [key, value] of pairs) lists[key] = [...(lists[key] ?? []), value]
        return lists
      }),
      body: bodyOf(record)
    })
  })

  test.each([
    ['its own names', false],
    ['the other names too', true]
  ])(
    'in %s, gets a documented response and never an internal error',
    async (_, isLegacy) => {
      const asked = await serve(plan, { compatLegacyNames: isLegacy })
      const statuses = new Set<number>()
      const each = fc.asyncProperty(request, async ({ id, ...given }) => {
        const { status, body } = await call(asked, id, given as Call)
        statuses.add(status)
        expect(status).toBeLessThan(500)
        // `call` checks that it is the error of the record.
        if (status >= 400 && operations[id].tag !== 'OpenFeature manifest')
          expect(ManagementError.safeParse(body).success).toBe(true)
      })
      await fc.assert(each, { numRuns: runs({ quick: 200, full: 900 }) })
      expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 404]))
      expect(asked.logs.filter((line) => JSON.parse(line).level >= ERROR)).toEqual([])
    },
    90_000
  )
})

/** Replaces the value at the given index of all places in a JSON value. */
function withOther(value: fc.JsonValue, index: number, other: fc.JsonValue): fc.JsonValue {
  const places = placesIn(value)
  return replaced(value, places[index % places.length] ?? [], other)
}

function replaced(value: fc.JsonValue, [step, ...steps]: readonly string[], other: fc.JsonValue): fc.JsonValue {
  if (step === undefined || typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value).map(([name, part]): [string, fc.JsonValue] => {
    return [name, name === step ? replaced(part ?? null, steps, other) : (part ?? null)]
  })
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}

/** The paths to every part of a JSON value, and to the whole. */
function placesIn(value: fc.JsonValue): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [
    [],
    ...Object.entries(value).flatMap(([step, part]) => placesIn(part ?? null).map((place) => [step, ...place]))
  ]
}

/** All operations of the management API that are not read with GET. */
const writing = Object.values<Operation>(operations).filter((record) => {
  return record.credential.type === 'token' && record.method !== 'GET'
})

describe('a dry run', () => {
  const url = ({ path }: Operation, query: string) =>
    `${path.replace(/\{project\}/, 'shop').replace(/\{\w+\}/g, 'checkout')}?${query}`

  it.each(writing.map((record) => [record.id, record] as const))(
    'is refused where there is none: %s',
    async (_, record) => {
      const before = await stored()
      const { status, body } = await send(server, {
        method: record.method,
        path: url(record, record.query && 'dryRun' in record.query.shape ? 'dry_run=true' : 'dryRun=true'),
        headers: { authorization: `Bearer ${await tokenOf(server)}`, 'content-type': 'application/json' },
        body: '{}'
      })
      expect(status).toBe(400)
      expect(record.errors[400]?.safeParse(body).error?.issues).toBeUndefined()
      expect(JSON.stringify(body)).toMatch(/nothing was changed/)
      expect(await stored()).toBe(before)
    }
  )

  it.each(['dryRun', 'dryrun', 'dry_run', 'dry-run'])(
    'is refused although the request could be made: %s',
    async (name) => {
      const { method, path } = operations.updateFeature
      const message = `${method} ${path} does not support the query parameter dryRun; nothing was changed`
      const { status, body } = await send(server, {
        method,
        path: `${path.replace('{project}', 'shop').replace(/\{\w+\}/, 'checkout')}?${name}=true`,
        headers: { authorization: `Bearer ${await tokenOf(server)}`, 'content-type': 'application/json' },
        body: '{"name":"Changed"}'
      })
      expect([status, body.message]).toEqual([400, [message]])
      expect((await call(server, 'getFeature', { params: checkout })).body.name).not.toBe('Changed')
    }
  )
})
