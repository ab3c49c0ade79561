import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

const params = { project: 'shop' }
const HOUR = 3_600_000

const staff = { type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] }
const adults = {
  type: 'user',
  subType: 'customData',
  dataKey: 'age',
  dataKeyType: 'Number',
  comparator: '>=',
  values: [18]
}

function match(...references: string[]): object {
  return { type: 'audienceMatch', _audiences: references }
}

function all(...filters: object[]): object {
  return { operator: 'and', filters }
}

/** A project in which `new-checkout` targets the audience `beta`, in two environments. */
const plan: Plan = {
  environments: { production: {}, staging: {} },
  audiences: {
    beta: {
      operator: 'or',
      filters: [attributeFilter('user_id', 'ada'), { operator: 'and', filters: [attributeFilter('country', 'CA')] }]
    },
    idle: { operator: 'and', filters: [attributeFilter('user_id', 'zoe')] }
  },
  features: [
    { key: 'plain' },
    {
      key: 'new-checkout',
      targets: [
        { filters: [attributeFilter('user_id', 'bob')], serves: { 'variation-on': 1 } },
        { filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('beta')] }] }
      ]
    }
  ]
}

let server: TestServer

async function start(): Promise<void> {
  server = await serve(plan)
}

function create(body: object): Promise<ApiResponse> {
  return call(server, 'createAudience', { params, body })
}

function get(key: string): Promise<ApiResponse> {
  return call(server, 'getAudience', { params: { ...params, key } })
}

function update(key: string, body: object): Promise<ApiResponse> {
  return call(server, 'updateAudience', { params: { ...params, key }, body })
}

function remove(key: string): Promise<ApiResponse> {
  return call(server, 'deleteAudience', { params: { ...params, key } })
}

function usage(key: string): Promise<ApiResponse> {
  return call(server, 'getAudienceUsage', { params: { ...params, key } })
}

function patch(key: string, ...instructions: object[]): Promise<ApiResponse> {
  return call(server, 'patchAudience', { params: { ...params, key }, body: { instructions } })
}

function adding(filterIndex: string, ...values: unknown[]): object {
  return { op: 'addFilterValues', action: { filterIndex, values } }
}

function removing(filterIndex: string, ...values: unknown[]): object {
  return { op: 'removeFilterValues', action: { filterIndex, values } }
}

/** Whether `new-checkout` is served to a user, over HTTP. */
async function isServed(user_id: string): Promise<boolean> {
  const { status } = await call(server, 'evaluateVariable', { params: { key: 'new-checkout' }, body: { user_id } })
  return status === 200
}

async function entries(): Promise<ApiResponse['body']> {
  return (await call(server, 'listAuditEntries', { query: { project: 'shop' } })).body
}

describe('a new audience', () => {
  beforeEach(start)

  it('has the given members and its creator', async () => {
    const given = { key: 'staff', name: 'Staff', description: 'Us', tags: ['people'], filters: all(staff) }
    const { status, body } = await create(given)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...given,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _project: idOf('shop'),
      _createdBy: 'test-admin@clients',
      source: 'api',
      readonly: false,
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString()
    })
    expect((await get('staff')).body).toEqual(body)
    expect((await get(body._id)).body).toEqual(body)
    const [{ changes }] = await entries()
    expect(changes).toMatchObject([{ type: 'createdAudience', newContents: { key: 'staff', filters: all(staff) } }])
  })

  it('needs a key, a name and filters', async () => {
    const { status, body } = await create({})
    expect(status).toBe(400)
    expect(body.message.join()).toMatch(/name.*key.*filters|key.*name.*filters/)
  })

  it('is refused when its key is taken', async () => {
    const { status, body } = await create({ key: 'beta', name: 'Beta', filters: all(staff) })
    expect([status, body.message, body.errorType]).toEqual([409, "Duplicate key 'beta'", 'ERR_DUPE_AUDIENCE_KEY'])
  })

  it('keeps other audiences by id, whether they were named by key or by id, at every depth', async () => {
    const nested = { operator: 'or', filters: [match('beta', idOf('idle'))] }
    const { body } = await create({ key: 'both', name: 'Both', filters: all(staff, match(idOf('beta')), nested) })
    expect(body.filters.filters[1]._audiences).toEqual([idOf('beta')])
    expect(body.filters.filters[2].filters[0]._audiences).toEqual([idOf('beta'), idOf('idle')])
  })

  it('is refused with a list of all unknown audiences that it names', async () => {
    const filters = all(match('beta', 'nobody'), { operator: 'or', filters: [match('ghost')] })
    const { status, body } = await create({ key: 'lost', name: 'Lost', filters })
    expect([status, body.message]).toEqual([
      400,
      [
        'filters.filters.0._audiences.1 should be the key or id of an audience, got "nobody"',
        'filters.filters.1.filters.0._audiences.0 should be the key or id of an audience, got "ghost"'
      ]
    ])
    expect((await get('lost')).status).toBe(404)
  })

  it('cannot have the opt-in filter, which is for targets', async () => {
    expect((await create({ key: 'in', name: 'In', filters: all({ type: 'optIn' }) })).status).toBe(400)
  })

  it('does not see the audiences of another project', async () => {
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const foreign = { params: { project: 'other' }, body: { key: 'a', name: 'A', filters: all(match(idOf('beta'))) } }
    expect((await call(server, 'createAudience', foreign)).status).toBe(400)
  })
})

describe('an audience that is changed', () => {
  beforeEach(start)

  it('has the given members, and keeps the others', async () => {
    const { body: before } = await get('beta')
    server.clock.now = () => NOW + HOUR
    const { status, body } = await update('beta', { name: 'Testers', tags: ['early'] })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      name: 'Testers',
      tags: ['early'],
      updatedAt: new Date(NOW + HOUR).toISOString()
    })
    const [{ changes }] = await entries()
    expect(changes).toEqual([
      {
        type: 'modifiedAudience',
        newContents: { name: 'Testers', tags: ['early'] },
        previousContents: { name: 'beta', tags: [] },
        metadata: { _id: idOf('beta'), key: 'beta' }
      }
    ])
  })

  it('is found under its new key, and targets still refer to it', async () => {
    await update('beta', { key: 'testers' })
    expect((await get('beta')).status).toBe(404)
    expect((await get('testers')).body._id).toBe(idOf('beta'))
    expect(await isServed('ada')).toBe(true)
  })

  it('cannot take the key of another one', async () => {
    expect((await update('beta', { key: 'idle' })).status).toBe(409)
    expect((await get('beta')).status).toBe(200)
  })

  it('affects evaluations as soon as the request is answered', async () => {
    expect([await isServed('ada'), await isServed('eve')]).toEqual([true, false])
    await update('beta', { filters: all(attributeFilter('user_id', 'eve')) })
    expect([await isServed('ada'), await isServed('eve')]).toEqual([false, true])
  })

  it('affects evaluations through another audience too', async () => {
    await update('beta', { filters: all(match('idle')) })
    expect([await isServed('ada'), await isServed('zoe')]).toEqual([false, true])
  })

  it('cannot refer to itself directly', async () => {
    const { status, body } = await update('idle', { filters: all(match('idle')) })
    expect([status, body.message]).toEqual([
      400,
      ['filters should not refer back to the audience itself, got idle → idle']
    ])
  })

  it('cannot refer to itself through others; the message lists the cycle', async () => {
    await create({ key: 'one', name: 'One', filters: all(match('idle')) })
    await create({ key: 'two', name: 'Two', filters: all(match('beta', 'one')) })
    const { status, body } = await update('idle', { filters: all(staff, { operator: 'or', filters: [match('two')] }) })
    expect([status, body.message]).toEqual([
      400,
      ['filters should not refer back to the audience itself, got idle → two → one → idle']
    ])
    expect((await get('idle')).body.filters).toEqual(all(attributeFilter('user_id', 'zoe')))
  })

  it('may be referenced twice, if there is no cycle', async () => {
    await create({ key: 'left', name: 'Left', filters: all(match('idle')) })
    await create({ key: 'right', name: 'Right', filters: all(match('idle')) })
    expect((await create({ key: 'top', name: 'Top', filters: all(match('left', 'right')) })).status).toBe(201)
    expect((await update('left', { filters: all(match('idle', 'right')) })).status).toBe(200)
  })

  it.each(['getAudience', 'updateAudience', 'deleteAudience', 'getAudienceUsage'] as const)(
    'is not found by %s under an unknown key',
    async (id) => {
      const { status, body } = await call(server, id, { params: { ...params, key: 'nobody' } })
      expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nobody' not found")])
    }
  )
})

describe('the usage of an audience', () => {
  beforeEach(start)

  it('names features with their targets by environment', async () => {
    const targets = [idOf('new-checkout target 1')]
    expect((await usage('beta')).body).toEqual({
      features: [
        {
          key: 'new-checkout',
          name: 'The new-checkout',
          id: idOf('new-checkout'),
          environments: {
            production: { id: idOf('production'), name: 'production', targets },
            staging: { id: idOf('staging'), name: 'staging', targets }
          }
        }
      ],
      audiences: []
    })
  })

  it('names audiences, but not their own references', async () => {
    const { body: made } = await create({ key: 'outer', name: 'Outer', filters: all(match('idle')) })
    await update('beta', { filters: all(match('outer')) })
    expect((await usage('idle')).body).toEqual({
      features: [],
      audiences: [{ key: 'outer', name: 'Outer', id: made._id }]
    })
  })

  it('is included in lists only on request', async () => {
    // A target refers to one of them, an audience to another, and the third is unused.
    await create({ key: 'outer', name: 'Outer', filters: all(match('idle')) })
    const list = async (query: Record<string, boolean>) => {
      const { body, headers } = await call(server, 'listAudiences', { params, query })
      expect(headers.count).toBe('3')
      return Object.fromEntries(body.map((audience: ApiResponse['body']) => [audience.key, audience.hasUsage]))
    }
    expect(await list({ includeUsage: true })).toEqual({ beta: true, idle: true, outer: false })
    expect(await list({ includeUsage: false })).toEqual({ beta: undefined, idle: undefined, outer: undefined })
    expect(await list({})).toEqual({ beta: undefined, idle: undefined, outer: undefined })
  })
})

test('a list of audiences is searched, sorted and paged', async () => {
  await start()
  const query = { search: 'ETA', sortBy: 'key', sortOrder: 'asc' }
  const { body, headers } = await call(server, 'listAudiences', { params, query })
  expect([headers.count, body.map(({ key }: ApiResponse['body']) => key)]).toEqual(['1', ['beta']])
  const second = await call(server, 'listAudiences', { params, query: { sortBy: 'key', perPage: 1, page: 2 } })
  expect([second.headers.count, second.body[0].key]).toEqual(['2', 'beta'])
})

describe('an audience that is deleted', () => {
  beforeEach(start)

  it('is no longer found', async () => {
    expect((await remove('idle')).status).toBe(200)
    expect((await get('idle')).status).toBe(404)
    const [{ changes }] = await entries()
    expect(changes).toMatchObject([{ type: 'deletedAudience', newContents: null, previousContents: { key: 'idle' } }])
  })

  it('stays while a target refers to it', async () => {
    const { status, body } = await remove('beta')
    expect([status, body.message]).toEqual([
      412,
      'audience "beta" is in use; remove it from feature "new-checkout" first'
    ])
    expect((await get('beta')).status).toBe(200)
  })

  it('stays while another audience refers to it', async () => {
    await create({ key: 'outer', name: 'Outer', filters: all(match('idle')) })
    await create({ key: 'upper', name: 'Upper', filters: all(match('idle')) })
    const { status, body } = await remove('idle')
    expect([status, body.message]).toEqual([
      412,
      'audience "idle" is in use; remove it from audience "outer" and audience "upper" first'
    ])
    await remove('outer')
    await remove('upper')
    expect((await remove('idle')).status).toBe(200)
  })

  it('lists five users by name and counts the rest', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await create({ key, name: key, filters: all(match('idle')) })
    }
    expect((await remove('idle')).body.message).toMatch(/audience "e" and 2 more first$/)
  })
})

describe('a semantic patch', () => {
  beforeEach(start)

  it('adds values, and is published before its response', async () => {
    server.clock.now = () => NOW + HOUR
    expect(await isServed('eve')).toBe(false)
    const { status, body } = await patch('beta', adding('0', 'eve', 'mia'))
    expect(status).toBe(200)
    expect(body.filters.filters[0].values).toEqual(['ada', 'eve', 'mia'])
    expect(body.updatedAt).toBe(new Date(NOW + HOUR).toISOString())
    expect((await get('beta')).body).toEqual(body)
    expect(await isServed('eve')).toBe(true)
    const [{ changes }] = await entries()
    expect(changes).toMatchObject([{ type: 'modifiedAudience', newContents: { filters: body.filters } }])
  })

  it('reaches filters inside operators', async () => {
    const { body } = await patch('beta', adding('1.0', 'US'))
    expect(body.filters.filters[1].filters[0].values).toEqual(['CA', 'US'])
    expect(body.filters.filters[0].values).toEqual(['ada'])
  })

  it('follows its instructions in order', async () => {
    const { status, body } = await patch('beta', adding('0', 'eve'), removing('0', 'ada'), adding('0', 'ada'))
    expect([status, body.filters.filters[0].values]).toEqual([200, ['eve', 'ada']])
    // In the opposite order, the filter would temporarily have no values.
    expect((await patch('idle', removing('0', 'zoe'), adding('0', 'eve'))).status).toBe(400)
  })

  it('changes nothing when it adds existing values or removes missing ones', async () => {
    const { body: before } = await get('beta')
    const logged = await entries()
    server.clock.now = () => NOW + HOUR
    const { status, body } = await patch('beta', adding('0', 'ada'), removing('0', 'nobody'))
    expect([status, body]).toEqual([200, before])
    expect(await entries()).toEqual(logged)
  })

  it('adds a value once that is given twice', async () => {
    const { body } = await patch('beta', adding('0', 'eve', 'eve'))
    expect(body.filters.filters[0].values).toEqual(['ada', 'eve'])
  })

  it('is applied as a whole or not at all', async () => {
    const { body: before } = await get('beta')
    expect((await patch('beta', adding('0', 'eve'), adding('7', 'eve'))).status).toBe(400)
    expect((await get('beta')).body).toEqual(before)
    expect(await isServed('eve')).toBe(false)
  })

  it('accepts numbers and booleans where the attribute has them', async () => {
    const flagged = { ...adults, dataKey: 'flagged', dataKeyType: 'Boolean', comparator: '=', values: [true] }
    await create({ key: 'typed', name: 'Typed', filters: all(adults, flagged) })
    const { body } = await patch('typed', adding('0', 21), adding('1', false))
    expect(body.filters.filters.map((filter: ApiResponse['body']) => filter.values)).toEqual([
      [18, 21],
      [true, false]
    ])
  })

  it('returns 404 for an unknown audience', async () => {
    expect((await patch('nobody', adding('0', 'x'))).status).toBe(404)
  })
})

describe('a semantic patch that is refused', () => {
  beforeAll(async () => {
    await start()
    const exists = { type: 'user', subType: 'email', comparator: 'exist' }
    const inside = { operator: 'or', filters: [attributeFilter('country', 'CA')] }
    const filters = all(staff, adults, { type: 'all' }, match('idle'), exists, inside)
    await create({ key: 'many', name: 'Many', filters })
  })

  const index = 'instructions.0.action.filterIndex'
  const values = 'instructions.0.action.values'

  it.each([
    [
      'an unknown op',
      { op: 'replaceFilterValues', action: {} },
      /^instructions\.0\.op should be one of addFilterValues/
    ],
    ['an index out of range', adding('6', 'x'), `${index} should have an index from 0 to 5, got 6`],
    ['an index out of range inside an operator', adding('5.1', 'x'), `${index} should have the index 0, got 1`],
    [
      'an index of an operator',
      adding('5', 'x'),
      `${index} should continue after 5, which is an operator, with the index 0`
    ],
    [
      'an index that goes on after a filter',
      adding('0.0', 'x'),
      `${index} should end at 0, which is a filter: only operators contain filters`
    ],
    ['a huge index', adding('9'.repeat(99), 'x'), /should have an index from 0 to 5/],
    ['an invalid index', adding('first', 'x'), /filterIndex should be the index of a filter/],
    [
      'a filter for all users',
      adding('2', 'x'),
      `${index} should lead to a filter with values, got "2", a filter of type all`
    ],
    [
      'a filter for audiences',
      adding('3', 'x'),
      `${index} should lead to a filter with values, got "3", a filter of type audienceMatch`
    ],
    [
      'a filter that asks whether there is a value',
      removing('4', 'x'),
      `${index} should lead to a filter with values, got "4", a filter of comparator exist`
    ],
    ['a value of the wrong type', adding('0', 'ok', 7), `${values}.1 should be a string, got 7`],
    ['a text among numbers', adding('1', '21'), `${values}.0 should be a number, got "21"`],
    ['a boolean among numbers', removing('1', true), `${values}.0 should be a number, got true`],
    [
      'the removal of the last value',
      removing('0', '@example.com', 'other'),
      `${values} should leave at least one value in the filter at 0, got all of its values`
    ],
    ['a value that such a filter cannot have', adding('5.0', 'Canada'), /country code/],
    ['no values', adding('0'), /values should not be empty/],
    ['an empty value', adding('0', ''), /values\.0 should/]
  ])('has %s, and changes nothing', async (_, instruction, message) => {
    const { body: before } = await get('many')
    const { status, body } = await patch('many', instruction)
    expect(status).toBe(400)
    expect(body.message).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
    expect((await get('many')).body).toEqual(before)
  })
})

test('callers who may only read audiences see them as readonly, and cannot change them', async () => {
  const { server: limited, key } = await serveLimited(plan, ['audience:read'])
  const address = { params: { ...params, key: 'beta' }, key }
  expect((await call(limited, 'getAudience', address)).body.readonly).toBe(true)
  expect((await call(limited, 'updateAudience', { ...address, body: { name: 'Mine' } })).status).toBe(403)
  expect(
    (await call(limited, 'patchAudience', { ...address, body: { instructions: [adding('0', 'x')] } })).status
  ).toBe(403)
  expect((await call(limited, 'deleteAudience', address)).status).toBe(403)
})
