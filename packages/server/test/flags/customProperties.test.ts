import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const project = 'shop'
const plan = { key: 'plan', name: 'Plan', type: 'String', propertyKey: 'plan' }
let server: TestServer

beforeAll(async () => {
  server = await serve({})
  await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
  expect((await create(plan)).status).toBe(201)
})

function create(body: object, of = server): Promise<ApiResponse> {
  return call(of, 'createCustomProperty', { params: { project }, body })
}

function get(key: string): Promise<ApiResponse> {
  return call(server, 'getCustomProperty', { params: { project, key } })
}

function update(key: string, body: object): Promise<ApiResponse> {
  return call(server, 'updateCustomProperty', { params: { project, key }, body })
}

function remove(key: string): Promise<ApiResponse> {
  return call(server, 'deleteCustomProperty', { params: { project, key } })
}

/** The newest change in the audit log of the project. */
async function newestChange(): Promise<object> {
  return (await call(server, 'listAuditEntries', { query: { project } })).body[0].changes
}

/** A schema that lists these values. */
function listing(...values: (string | number)[]): object {
  const allowedValues = values.map((value) => ({ label: String(value), value }))
  return { schemaType: 'enum', required: false, enumSchema: { allowedValues, allowAdditionalValues: true } }
}

describe('a new custom property', () => {
  it('has the given members', async () => {
    const given = { key: 'seats', name: 'Seats', type: 'Number', propertyKey: 'Seat Count', schema: listing(1, 10) }
    server.clock.now = () => NOW + 1
    const { status, body } = await create(given)
    server.clock.now = () => NOW
    expect(status).toBe(201)
    expect(body).toEqual({
      ...given,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _project: idOf('shop'),
      _createdBy: 'test-admin@clients',
      createdAt: new Date(NOW + 1).toISOString(),
      updatedAt: new Date(NOW + 1).toISOString()
    })
    expect((await get('seats')).body).toEqual(body)
    expect(await newestChange()).toEqual([
      {
        type: 'createdCustomProperty',
        newContents: { _id: body._id, _project: idOf('shop'), ...given },
        previousContents: null
      }
    ])
  })

  test.each([
    [{ schemaType: null }, { schemaType: null }],
    [{ required: true }, { schemaType: null, required: true }],
    [
      { enumSchema: { allowedValues: [], allowAdditionalValues: false } },
      { schemaType: 'enum', enumSchema: { allowedValues: [], allowAdditionalValues: false } }
    ]
  ])('stores the schema %j as %j', async (schema, kept) => {
    const key = `schema-${JSON.stringify(schema).length}`
    const { status, body } = await create({ key, name: key, type: 'String', propertyKey: key, schema })
    expect([status, body.schema]).toEqual([201, kept])
  })

  const bad = { key: 'bad', name: 'Bad', type: 'String', propertyKey: 'bad' }

  test.each([
    [{ key: undefined }, 'key should be a string, got nothing'],
    [{ name: undefined }, 'name should be a string, got nothing'],
    [{ type: undefined }, 'type should be one of String, Boolean, Number'],
    [{ type: 'JSON' }, 'type should be one of String, Boolean, Number'],
    [{ propertyKey: undefined }, 'propertyKey should be a string, got nothing'],
    [{ propertyKey: '' }, 'propertyKey should not be empty'],
    [{ key: 'BAD' }, 'key should have only'],
    [{ _id: idOf('x') }, 'property _id should not exist'],
    [{ _project: idOf('x') }, 'property _project should not exist'],
    [{ hasUsage: true }, 'property hasUsage should not exist'],
    [{ schema: { type: 'enum' } }, 'property schema.type should not exist'],
    [{ schema: { schemaType: 'regex' } }, 'schema.schemaType'],
    [{ schema: { schemaType: 'enum' } }, 'schema.enumSchema is required where schemaType is enum'],
    [
      { schema: listing('a', 2) },
      'schema.enumSchema.allowedValues.1.value should be a string where type is String, got 2'
    ],
    [
      { type: 'Number', schema: listing('a', 2) },
      'schema.enumSchema.allowedValues.0.value should be a number where type is Number, got "a"'
    ],
    [
      { type: 'Boolean', schema: listing('a') },
      'schema should not be an enum where type is Boolean, got {"schemaType":"enum","required":false'
    ],
    [
      {
        schema: {
          ...listing('a'),
          enumSchema: { allowedValues: [{ label: 'A', value: 'a', more: 1 }], allowAdditionalValues: true }
        }
      },
      'property schema.enumSchema.allowedValues.0.more should not exist'
    ]
  ])('%j is refused', async (part, message) => {
    const answer = await create({ ...bad, ...part })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('bad')).status).toBe(404)
  })

  test.each([
    [{ ...plan, propertyKey: 'another' }, "Duplicate key 'plan'", 'ERR_DUPE_CUSTOM_PROPERTY_KEY'],
    [{ ...plan, key: 'another' }, "Duplicate propertyKey 'plan'", 'ERR_DUPE_CUSTOM_PROPERTY_PROPERTY_KEY']
  ])('cannot reuse a value of another one in the project: %j', async (body, message, errorType) => {
    const before = await newestChange()
    const answer = await create(body)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ message, errorType })
    expect((await get('another')).status).toBe(404)
    expect(await newestChange()).toEqual(before)
  })

  it('may equal one of another project', async () => {
    const answer = await call(server, 'createCustomProperty', { params: { project: 'other' }, body: plan })
    expect(answer.status).toBe(201)
  })

  it('requires an existing project', async () => {
    expect((await call(server, 'createCustomProperty', { params: { project: 'nope' }, body: plan })).status).toBe(404)
  })
})

describe('reading custom properties', () => {
  it('finds one by key and by id', async () => {
    const { status, body } = await get('plan')
    expect(status).toBe(200)
    expect(body).toMatchObject(plan)
    const params = { project: idOf('shop'), key: body._id }
    expect((await call(server, 'getCustomProperty', { params })).body).toEqual(body)
  })

  it('returns 404 for an unknown one and for one of another project', async () => {
    expect((await get('nope')).body.message).toContain("Item with key 'nope' not found")
    const { body } = await get('plan')
    expect((await call(server, 'getCustomProperty', { params: { project: 'other', key: body._id } })).status).toBe(404)
    expect((await call(server, 'getCustomProperty', { params: { project: 'nope', key: 'plan' } })).status).toBe(404)
    expect((await call(server, 'listCustomProperties', { params: { project: 'nope' } })).status).toBe(404)
  })
})

describe('listing custom properties', () => {
  let listed: TestServer

  beforeAll(async () => {
    listed = await serve({
      features: [
        { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.Plan Name', 'pro')] }] },
        {
          key: 'nested',
          targets: [
            {
              filters: [
                {
                  operator: 'or',
                  filters: [attributeFilter('customData.deep', 'x'), attributeFilter('email', 'a@b.c')]
                }
              ]
            }
          ]
        }
      ],
      audiences: { aged: { operator: 'and', filters: [attributeFilter('customData.age', 'old')] } }
    })
    const made = [
      ['age', 'Zone', 'Number', 'age'],
      ['plan', 'Yield', 'String', 'Plan Name'],
      ['deep', 'Xylem', 'String', 'deep'],
      ['unused', 'Width', 'Boolean', 'unused']
    ]
    for (const [index, [key, name, type, propertyKey]] of made.entries()) {
      listed.clock.now = () => NOW + index
      await create({ key, name, type, propertyKey }, listed)
    }
  })

  test.each([
    [{}, ['unused', 'deep', 'plan', 'age']],
    [{ sortOrder: 'asc' }, ['age', 'plan', 'deep', 'unused']],
    [{ sortBy: 'name', sortOrder: 'asc' }, ['unused', 'deep', 'plan', 'age']],
    [{ sortBy: 'propertyKey', sortOrder: 'asc' }, ['plan', 'age', 'deep', 'unused']],
    [{ type: 'String' }, ['deep', 'plan']],
    [{ search: 'UNU' }, ['unused']],
    [{ search: 'yiel' }, ['plan']],
    [{ type: 'Number', search: 'yiel' }, []]
  ])('%j returns the matching ones in order', async (query, keys) => {
    const { body, headers } = await call(listed, 'listCustomProperties', { params: { project }, query })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(keys)
    expect(headers.count).toBe(String(keys.length))
    for (const property of body) expect(property).not.toHaveProperty('hasUsage')
  })

  it('returns one page and the total count', async () => {
    const query = { perPage: 3, page: 2 }
    const { body, headers } = await call(listed, 'listCustomProperties', { params: { project }, query })
    expect([body.map(({ key }: { key: string }) => key), headers.count]).toEqual([['age'], '4'])
  })

  it('includes usage by targets and audiences on request', async () => {
    const query = { includeUsage: true, sortBy: 'key', sortOrder: 'asc' }
    const { body } = await call(listed, 'listCustomProperties', { params: { project }, query })
    expect(body.map(({ key, hasUsage }: { key: string; hasUsage: boolean }) => [key, hasUsage])).toEqual([
      ['age', true],
      ['deep', true],
      ['plan', true],
      ['unused', false]
    ])
  })

  it('counts a target that buckets by one as usage', async () => {
    const used = await serve({ features: [{ key: 'checkout' }] })
    await create(plan, used)
    const body = {
      targets: [
        {
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: 'variation-on', percentage: 1 }],
          bucketingKey: 'plan'
        }
      ]
    }
    const params = { project, feature: 'checkout' }
    const query = { environment: 'production' }
    expect((await call(used, 'updateFeatureConfiguration', { params, query, body })).status).toBe(200)
    const listed = await call(used, 'listCustomProperties', { params: { project }, query: { includeUsage: true } })
    expect(listed.body).toMatchObject([{ key: 'plan', hasUsage: true }])
  })

  test.each([{ page: 0 }, { perPage: 1001 }, { search: 'ab' }, { type: 'JSON' }, { includeUsage: 'maybe' }])(
    '%j is refused',
    async (query) => {
      expect((await call(listed, 'listCustomProperties', { params: { project }, query })).status).toBe(400)
    }
  )
})

describe('changing a custom property', () => {
  it('replaces the members given and keeps the others', async () => {
    const { body: before } = await create({ key: 'changing', name: 'Before', type: 'String', propertyKey: 'changing' })
    server.clock.now = () => NOW + 5
    const given = { key: 'changed', name: 'After', schema: listing('a') }
    const { status, body } = await update('changing', given)
    server.clock.now = () => NOW
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...given, updatedAt: new Date(NOW + 5).toISOString() })
    expect((await get(before._id)).body).toEqual(body)
    expect((await get('changing')).status).toBe(404)
    expect(await newestChange()).toEqual([
      {
        type: 'modifiedCustomProperty',
        newContents: given,
        previousContents: { key: 'changing', name: 'Before' },
        metadata: { _id: before._id, key: 'changing' }
      }
    ])
  })

  it('replaces its schema as a whole', async () => {
    await create({ key: 'whole', name: 'Whole', type: 'String', propertyKey: 'whole', schema: listing('a', 'b') })
    expect((await update('whole', { schema: { schemaType: null } })).body.schema).toEqual({ schemaType: null })
  })

  it('refuses a type that its listed values do not have, unless they change too', async () => {
    await create({ key: 'typed', name: 'Typed', type: 'String', propertyKey: 'typed', schema: listing('a') })
    const before = await get('typed')
    for (const type of ['Number', 'Boolean']) {
      expect((await update('typed', { name: 'Half', type })).status).toBe(400)
    }
    expect((await get('typed')).body).toEqual(before.body)
    expect((await update('typed', { type: 'Number', schema: listing(1) })).status).toBe(200)
    expect((await update('typed', { type: 'Boolean', schema: { schemaType: null } })).status).toBe(200)
  })

  test.each([
    [{ type: 'JSON' }, 'type should be one of'],
    [{ _createdBy: 'me' }, 'property _createdBy should not exist'],
    [{ schema: listing(5) }, 'should be a string where type is String, got 5']
  ])('%j is refused and changes nothing', async (body, message) => {
    const before = await get('plan')
    const answer = await update('plan', { name: 'Half', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('plan')).body).toEqual(before.body)
  })

  test.each([{ key: 'plan' }, { propertyKey: 'plan' }])('refuses a value of another one: %j', async (body) => {
    await create({ key: 'second', name: 'Second', type: 'String', propertyKey: 'second' })
    expect((await update('second', { name: 'Half', ...body })).status).toBe(409)
    expect((await get('second')).body).toMatchObject({ name: 'Second', key: 'second', propertyKey: 'second' })
  })

  it('returns 404 for an unknown one and for one of another project', async () => {
    expect((await update('nope', { name: 'x' })).status).toBe(404)
    const { body } = await get('plan')
    const elsewhere = { params: { project: 'other', key: body._id }, body: { name: 'x' } }
    expect((await call(server, 'updateCustomProperty', elsewhere)).status).toBe(404)
  })
})

describe('deleting a custom property', () => {
  it('removes it by key and by id, and frees its key', async () => {
    for (const by of ['key', '_id']) {
      const { body } = await create({ key: 'doomed', name: 'Doomed', type: 'String', propertyKey: 'doomed' })
      const answer = await remove(body[by])
      expect([answer.status, answer.body]).toEqual([200, undefined])
      expect((await get('doomed')).status).toBe(404)
    }
  })

  it('leaves an audit entry', async () => {
    await create({ key: 'recorded', name: 'Recorded', type: 'String', propertyKey: 'recorded' })
    server.clock.now = () => NOW + 9
    await remove('recorded')
    server.clock.now = () => NOW
    expect(await newestChange()).toMatchObject([
      { type: 'deletedCustomProperty', newContents: null, previousContents: { key: 'recorded' } }
    ])
  })

  it('is allowed while a target uses it, and the target still matches', async () => {
    const used = await serve({
      features: [{ key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] }]
    })
    await create(plan, used)
    expect((await call(used, 'deleteCustomProperty', { params: { project, key: 'plan' } })).status).toBe(200)
    const user = { user_id: 'ada', customData: { plan: 'pro' } }
    expect(Object.keys((await call(used, 'evaluateVariables', { body: user })).body)).toEqual(['by-plan'])
  })

  it('returns 404 for an unknown one and for one of another project', async () => {
    expect((await remove('nope')).status).toBe(404)
    const { body } = await get('plan')
    const elsewhere = { params: { project: 'other', key: body._id } }
    expect((await call(server, 'deleteCustomProperty', elsewhere)).status).toBe(404)
    expect((await get('plan')).status).toBe(200)
  })

  it('requires its own permission', async () => {
    const { server: limited, key } = await serveLimited({}, ['feature:read', 'feature:write'])
    await create(plan, limited)
    const params = { project, key: 'plan' }
    expect((await call(limited, 'deleteCustomProperty', { key, params })).status).toBe(403)
    expect((await call(limited, 'getCustomProperty', { key, params })).status).toBe(200)
  })
})
