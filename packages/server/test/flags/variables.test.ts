import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const plan: Plan = {
  features: [
    {
      key: 'checkout',
      variables: { color: 'String', steps: 'Number' },
      variations: { 'variation-a': { color: 'blue', steps: 1 }, 'variation-b': { color: 'red', steps: 2 } }
    },
    { key: 'archived', status: 'archived' }
  ]
}
const inProject = { project: 'shop' }
const colours = { schemaType: 'enum', enumValues: ['blue', 'red'], description: 'One of ours', exampleValue: 'blue' }

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function create(body: object, of = server): Promise<ApiResponse> {
  return call(of, 'createVariable', { params: inProject, body })
}

function get(key: string, of = server): Promise<ApiResponse> {
  return call(of, 'getVariable', { params: { project: 'shop', key } })
}

function update(key: string, body: object, of = server): Promise<ApiResponse> {
  return call(of, 'updateVariable', { params: { project: 'shop', key }, body })
}

function setStatus(key: string, status: string, of = server): Promise<ApiResponse> {
  return call(of, 'updateVariableStatus', { params: { project: 'shop', key }, body: { status } })
}

/** The values of a variable, by variation of the feature `checkout`. */
async function valuesOf(key: string, of = server): Promise<unknown[]> {
  const params = { project: 'shop', feature: 'checkout' }
  const { body } = await call(of, 'listVariations', { params })
  return body.map(({ variables }: { variables: Record<string, unknown> }) => variables[key])
}

/** The changes of the newest audit entry. */
async function lastEntry(of = server): Promise<ApiResponse['body']> {
  return (await call(of, 'listAuditEntries', { query: { project: 'shop', perPage: '1' } })).body[0]
}

/** Advances the clock, so that entries have an order. */
function tick(of = server): void {
  const then = of.clock.now()
  of.clock.now = () => then + 1000
}

describe('a new variable', () => {
  it('has the given members, and its key as the default name', async () => {
    const { status, body } = await create({
      key: 'greeting',
      type: 'String',
      description: 'Says hello',
      persistent: true
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _project: idOf('shop'),
      key: 'greeting',
      name: 'greeting',
      description: 'Says hello',
      type: 'String',
      status: 'active',
      persistent: true,
      source: 'api',
      _createdBy: 'test-admin@clients',
      tags: [],
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString()
    })
    expect((await get('greeting')).body).toEqual(body)
    expect((await get(body._id)).body).toEqual(body)
  })

  it('records the kind of tool that created it', async () => {
    const headers = { 'burgee-referrer': 'cli' }
    const body = { key: 'by-cli', type: 'Boolean', tags: ['old'] }
    const answer = await call(server, 'createVariable', { params: inProject, body, headers })
    expect(answer.body).toMatchObject({ source: 'cli', tags: ['old'] })
  })

  it('is recorded in the audit log', async () => {
    tick()
    const { body } = await create({ key: 'audited', type: 'Number' })
    const { changes, _feature } = await lastEntry()
    expect(_feature).toBe(undefined)
    expect(changes).toEqual([
      {
        type: 'createdVariable',
        previousContents: null,
        newContents: expect.objectContaining({ _id: body._id, key: 'audited' })
      }
    ])
  })

  test.each([
    ['String', {}, ''],
    ['Boolean', {}, false],
    ['Number', {}, 0],
    ['JSON', {}, {}],
    ['String', { validationSchema: colours }, 'blue'],
    ['Number', { defaultValue: 7 }, 7],
    ['String', { validationSchema: colours, defaultValue: 'red' }, 'red']
  ])('of type %s with %j joins a feature with the value %j in every variation', async (type, members, value) => {
    const of = await serve(plan)
    tick(of)
    const { status, body } = await create({ key: 'joins', type, _feature: 'checkout', ...members }, of)
    expect(status).toBe(201)
    expect(body._feature).toBe(idOf('checkout'))
    expect(await valuesOf('joins', of)).toEqual([value, value])
    expect(await valuesOf('color', of)).toEqual(['blue', 'red'])
    expect((await get('joins', of)).body).toEqual(body)
    const { changes, _feature } = await lastEntry(of)
    expect(_feature).toBe(idOf('checkout'))
    expect(changes.map((change: { type: string }) => change.type)).toContain('addedVariable')
  })

  it('joins a feature by its id', async () => {
    const { body } = await create({ key: 'by-id', type: 'Boolean', _feature: idOf('checkout') })
    expect(body._feature).toBe(idOf('checkout'))
  })

  it('is evaluated with its feature', async () => {
    await create({ key: 'reaches', type: 'Number', _feature: 'checkout', defaultValue: 3 })
    const evaluated = await call(server, 'evaluateVariable', { params: { key: 'reaches' }, body: { user_id: 'ada' } })
    expect(evaluated.body.value).toBe(3)
  })

  test.each([
    ['no key', { type: 'String' }, 400, [/^key should be/]],
    ['no type', { key: 'a' }, 400, [/^type should be/]],
    ['an invalid type', { key: 'a', type: 'Text' }, 400, [/^type should be one of String, Boolean, Number, JSON/]],
    ['a key of other characters', { key: 'A b', type: 'String' }, 400, [/^key should have only/]],
    [
      'a member that is read only',
      { key: 'a', type: 'String', status: 'archived' },
      400,
      ['property status should not exist']
    ],
    ['an id', { key: 'a', type: 'String', _id: idOf('a') }, 400, ['property _id should not exist']],
    [
      'a default of another type',
      { key: 'a', type: 'String', defaultValue: 5 },
      400,
      ['defaultValue of variable "a" should be a string, got 5']
    ],
    [
      'a default that its schema refuses',
      { key: 'a', type: 'String', validationSchema: colours, defaultValue: 'x', _feature: 'checkout' },
      400,
      [/^defaultValue of variable "a" should be one of/]
    ],
    [
      'a feature that is not there',
      { key: 'a', type: 'String', _feature: 'nothing' },
      404,
      /^Item with key 'nothing' not found: there is no feature "nothing" in project "shop"$/
    ],
    ['an archived feature', { key: 'a', type: 'String', _feature: 'archived' }, 412, /archived/]
  ])('is refused with %s', async (_, body, expected, message) => {
    const refused = await create(body)
    expect(refused.status).toBe(expected)
    const matches = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text))
    expect(refused.body.message).toEqual(Array.isArray(message) ? message.map(matches) : matches(message))
    expect((await get('a')).status).toBe(404)
  })

  it('is refused when its key is taken', async () => {
    const { status, body } = await create({ key: 'color', type: 'String', _feature: 'checkout' })
    expect([status, body.message]).toEqual([409, "Duplicate key 'color'"])
    expect(await valuesOf('color')).toEqual(['blue', 'red'])
  })

  it('is refused in an unknown project', async () => {
    const answer = await call(server, 'createVariable', {
      params: { project: 'nowhere' },
      body: { key: 'a', type: 'String' }
    })
    expect([answer.status, answer.body.message]).toEqual([
      404,
      expect.stringContaining("Item with key 'nowhere' not found")
    ])
  })

  it('requires the permission to write variables', async () => {
    const { server: limited, key } = await serveLimited(plan, ['variable:read', 'feature:write'])
    const answer = await call(limited, 'createVariable', { key, params: inProject, body: { key: 'a', type: 'String' } })
    expect(answer.status).toBe(403)
    expect((await call(limited, 'listVariables', { key, params: inProject })).headers.count).toBe('3')
  })
})

describe('listing variables', () => {
  let of: TestServer

  beforeAll(async () => {
    of = await serve(plan)
    for (const [key, type] of [
      ['beta', 'JSON'],
      ['alpha', 'String']
    ] as const) {
      tick(of)
      await create({ key, type, name: `Name of ${key}` }, of)
    }
    await setStatus('beta', 'archived', of)
  })

  async function keys(query: Record<string, string | number>): Promise<unknown[]> {
    const { status, body, headers } = await call(of, 'listVariables', { params: inProject, query })
    expect(status).toBe(200)
    return [headers.count, ...body.map(({ key }: { key: string }) => key)]
  }

  test.each([
    [{ sortBy: 'key', sortOrder: 'asc' }, ['5', 'alpha', 'archived', 'beta', 'color', 'steps']],
    [{ perPage: 2 }, ['5', 'alpha', 'beta']],
    [{ sortBy: 'key', sortOrder: 'asc', perPage: 2, page: 3 }, ['5', 'steps']],
    [{ page: 9 }, ['5']],
    [{ search: 'OF BE' }, ['1', 'beta']],
    [{ search: 'colo' }, ['1', 'color']],
    [{ type: 'String', sortBy: 'key' }, ['2', 'color', 'alpha']],
    [{ status: 'archived' }, ['1', 'beta']],
    [{ feature: 'checkout', sortBy: 'key' }, ['2', 'steps', 'color']],
    [{ feature: idOf('checkout'), type: 'Number' }, ['1', 'steps']],
    [{ createdBy: 'test-admin@clients', sortBy: 'key' }, ['2', 'beta', 'alpha']]
  ])('with %j returns %j', async (query, expected) => {
    expect(await keys(query)).toEqual(expected)
  })

  test.each([
    [{ perPage: 0 }, /^perPage should be at least 1/],
    [{ search: 'ab' }, /^search should have at least 3 characters/],
    [{ type: 'Text' }, /^type should be one of/],
    [{ status: 'gone' }, /^status should be one of/]
  ])('refuses %j', async (query, message) => {
    const { status, body } = await call(of, 'listVariables', { params: inProject, query })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(message)]])
  })

  it('returns 404 for an unknown feature or project', async () => {
    expect((await call(of, 'listVariables', { params: inProject, query: { feature: 'nothing' } })).status).toBe(404)
    expect((await call(of, 'listVariables', { params: { project: 'nowhere' } })).status).toBe(404)
  })
})

describe('changing a variable', () => {
  it('changes the given members and nothing else', async () => {
    const { body: before } = await create({ key: 'changes', type: 'String', description: 'Before', tags: ['a'] })
    tick()
    const { status, body } = await update('changes', { name: 'After', tags: [] })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'After', tags: [], updatedAt: new Date(server.clock.now()).toISOString() })
    expect((await lastEntry()).changes).toMatchObject([
      {
        type: 'modifiedVariable',
        previousContents: { name: 'changes', tags: ['a'] },
        newContents: { name: 'After', tags: [] }
      }
    ])
  })

  it('changes neither the variable nor the audit log without a difference', async () => {
    const { body: before } = await create({ key: 'same', type: 'String' })
    tick()
    const entry = await lastEntry()
    expect((await update('same', { name: 'same', type: 'String' })).body).toEqual(before)
    expect((await get('same')).body).toEqual(before)
    expect(await lastEntry()).toEqual(entry)
  })

  it('changes its key, which applications can use at once', async () => {
    const of = await serve(plan)
    tick(of)
    expect((await update('color', { key: 'colour' }, of)).body).toMatchObject({
      key: 'colour',
      _feature: idOf('checkout')
    })
    expect((await get('color', of)).status).toBe(404)
    expect(await valuesOf('colour', of)).toEqual(['blue', 'red'])
    const evaluate = (key: string) => call(of, 'evaluateVariable', { params: { key }, body: { user_id: 'ada' } })
    expect((await evaluate('colour')).body.value).toBe('blue')
    expect((await evaluate('color')).status).toBe(404)
    const { _feature, changes } = await lastEntry(of)
    expect(_feature).toBe(idOf('checkout'))
    expect(changes.map((change: { type: string }) => change.type)).toContain('modifiedVariable')
  })

  it('refuses a key that is taken', async () => {
    const { status, body } = await update('color', { key: 'steps', name: 'Half' })
    expect([status, body.message]).toEqual([409, "Duplicate key 'steps'"])
    expect((await get('color')).body.name).toBe('color')
  })

  it('changes its type while no feature uses it', async () => {
    await create({ key: 'free', type: 'String' })
    expect((await update('free', { type: 'JSON' })).body.type).toBe('JSON')
  })

  it('refuses a type that the values of its feature do not have', async () => {
    const { status, body } = await update('color', { type: 'Number' })
    expect(status).toBe(412)
    expect(body.message).toMatch(/variation "variation-a": variable "color" should be a number, got "blue"/)
    expect((await get('color')).body.type).toBe('String')
  })

  it('refuses a schema that values of its feature do not match', async () => {
    const validationSchema = { ...colours, enumValues: ['blue', 'green'] }
    const { status, body } = await update('color', { validationSchema })
    expect(status).toBe(400)
    expect(body.message).toEqual([
      'variation "variation-b": variable "color" should be one of "blue", "green", got "red"'
    ])
    expect((await get('color')).body).not.toHaveProperty('validationSchema')
  })

  it('accepts a schema that all values match, and checks later ones', async () => {
    const of = await serve(plan)
    expect((await update('color', { validationSchema: colours }, of)).body.validationSchema).toEqual(colours)
    const params = { project: 'shop', feature: 'checkout', key: 'variation-a' }
    const refused = await call(of, 'updateVariation', { params, body: { variables: { color: 'green' } } })
    expect(refused.status).toBe(400)
    expect(await valuesOf('color', of)).toEqual(['blue', 'red'])
    expect((await update('color', { validationSchema: null }, of)).body).not.toHaveProperty('validationSchema')
    const taken = await call(of, 'updateVariation', { params, body: { variables: { color: 'green' } } })
    expect(taken.status).toBe(200)
  })

  it('refuses a type that does not suit its schema', async () => {
    await create({ key: 'schemed', type: 'String', validationSchema: colours })
    const { status, body } = await update('schemed', { type: 'JSON' })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(/schemaType enum supports variables of type/)]])
    expect((await update('schemed', { type: 'JSON', validationSchema: null })).body.type).toBe('JSON')
  })

  it('is refused while its feature is archived', async () => {
    expect((await update('archived', { name: 'New' })).status).toBe(412)
    expect((await get('archived')).body.name).toBe('archived')
  })

  test.each([
    [{ status: 'archived' }, 'property status should not exist'],
    [{ defaultValue: 1 }, 'property defaultValue should not exist'],
    [{ source: 'cli' }, 'property source should not exist'],
    [{ name: '' }, 'name should not be empty, got ""']
  ])('refuses %j', async (body, message) => {
    const refused = await update('color', body)
    expect([refused.status, refused.body.message]).toEqual([400, [message]])
  })
})

describe('the metadata of a variable', () => {
  const facts = { owner: 'payments', tier: 2.5, isCritical: true }

  it('is part of every evaluation, and updates at once', async () => {
    const of = await serve(plan)
    const evaluated = async () => {
      const one = await call(of, 'evaluateVariable', { params: { key: 'color' }, body: { user_id: 'ada' } })
      const all = await call(of, 'evaluateVariables', { body: { user_id: 'ada' } })
      expect(all.body.color).toEqual(one.body)
      return one.body
    }
    expect(await evaluated()).not.toHaveProperty('metadata')
    expect((await update('color', { metadata: facts }, of)).body.metadata).toEqual(facts)
    expect((await get('color', of)).body.metadata).toEqual(facts)
    expect(await evaluated()).toMatchObject({ value: 'blue', metadata: facts })
    expect((await update('color', { metadata: { tier: 1 } }, of)).body.metadata).toEqual({ tier: 1 })
    expect((await evaluated()).metadata).toEqual({ tier: 1 })
    expect((await update('color', { metadata: null }, of)).body).not.toHaveProperty('metadata')
    expect(await evaluated()).not.toHaveProperty('metadata')
  })

  it('can be set and removed on a variable without a feature', async () => {
    expect((await create({ key: 'loose', type: 'String', metadata: facts })).body.metadata).toEqual(facts)
    expect((await update('loose', { name: 'Loose' })).body.metadata).toEqual(facts)
    expect((await update('loose', { metadata: null })).body).not.toHaveProperty('metadata')
    expect((await get('loose')).body).not.toHaveProperty('metadata')
  })

  it('can be set with the variables of a feature too', async () => {
    const body = { key: 'nested', name: 'Nested', variables: [{ key: 'nested', type: 'Boolean', metadata: facts }] }
    const { body: made } = await call(server, 'createFeature', { params: inProject, body })
    expect(made.variables[0].metadata).toEqual(facts)
    const variables = [{ key: 'nested', type: 'Boolean', metadata: { owner: 'search' } }]
    const at = { project: 'shop', feature: 'nested' }
    expect((await call(server, 'updateFeature', { params: at, body: { variables } })).status).toBe(200)
    expect((await get('nested')).body.metadata).toEqual({ owner: 'search' })
  })

  it('is recorded in the audit log', async () => {
    await create({ key: 'told', type: 'String', metadata: facts })
    tick()
    await update('told', { metadata: { owner: 'search' } })
    expect((await lastEntry()).changes).toMatchObject([
      {
        type: 'modifiedVariable',
        previousContents: { metadata: facts },
        newContents: { metadata: { owner: 'search' } }
      }
    ])
  })

  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`fact ${index}`, index]))
  test.each<[unknown, RegExp]>([
    ['payments', /metadata should be an object/],
    [['payments'], /metadata should be an object/],
    [{ owner: null }, /metadata\.owner should be a string, a number or a boolean/],
    [{ owner: { team: 'payments' } }, /metadata\.owner should be a string, a number or a boolean/],
    [{ owner: 'x'.repeat(1001) }, /metadata\.owner should have at most 1000 characters/],
    [{ '': 1 }, /should have names of 1 to 100 characters/],
    [{ ['x'.repeat(101)]: 1 }, /should have names of 1 to 100 characters/],
    [{ evalReasonDetails: 'mine' }, /metadata should have no member named _feature, evalReasonDetails,/],
    [many, /metadata should have at most 50 members/]
  ])('%j is refused', async (metadata, message) => {
    const { status, body } = await create({ key: 'refused-facts', type: 'String', metadata })
    expect(status).toBe(400)
    expect(body.message.join()).toMatch(message)
  })
})

describe('the status of a variable', () => {
  it('changes to archived and back', async () => {
    await create({ key: 'rests', type: 'String' })
    tick()
    expect((await setStatus('rests', 'archived')).body.status).toBe('archived')
    expect((await lastEntry()).changes).toMatchObject([
      { type: 'modifiedVariable', previousContents: { status: 'active' }, newContents: { status: 'archived' } }
    ])
    expect((await setStatus('rests', 'archived')).status).toBe(200)
    expect((await setStatus('rests', 'active')).body.status).toBe('active')
  })

  it('stays active while a feature uses it', async () => {
    const { status, body } = await setStatus('color', 'archived')
    expect(status).toBe(412)
    expect(body.message).toMatch(/^variable "color" belongs to feature "checkout"/)
    expect((await get('color')).body.status).toBe('active')
    expect((await setStatus('color', 'active')).status).toBe(200)
  })

  test.each([
    ['gone', /^status should be one of active, archived/],
    ['', /^status should be one of/]
  ])('cannot be %j', async (status, message) => {
    const refused = await setStatus('color', status)
    expect([refused.status, refused.body.message]).toEqual([400, [expect.stringMatching(message)]])
  })
})

describe('deleting a variable', () => {
  it('removes it', async () => {
    await create({ key: 'goes', type: 'String' })
    tick()
    const params = { project: 'shop', key: 'goes' }
    const deleted = await call(server, 'deleteVariable', { params, headers: { 'if-match': '*' } })
    expect(deleted.status).toBe(200)
    expect((await get('goes')).status).toBe(404)
    expect((await lastEntry()).changes).toMatchObject([
      { type: 'deletedVariable', previousContents: { key: 'goes' }, newContents: null }
    ])
    expect((await call(server, 'deleteVariable', { params })).status).toBe(404)
  })

  it('is refused while a feature uses it', async () => {
    const { status, body } = await call(server, 'deleteVariable', { params: { project: 'shop', key: 'color' } })
    expect(status).toBe(412)
    expect(body.message).toBe(
      'variable "color" belongs to feature "checkout"; remove it from that feature before it can be deleted'
    )
    expect((await get('color')).status).toBe(200)
  })

  it('is possible once its feature does not use it', async () => {
    const of = await serve(plan)
    const params = { project: 'shop', feature: 'checkout' }
    const body = { variables: [{ key: 'steps', type: 'Number' }] }
    expect((await call(of, 'updateFeature', { params, body })).status).toBe(200)
    expect((await get('color', of)).body).not.toHaveProperty('_feature')
    expect((await call(of, 'deleteVariable', { params: { project: 'shop', key: 'color' } })).status).toBe(200)
  })
})

describe('a variable of another project', () => {
  test.each([
    ['getVariable', undefined],
    ['updateVariable', { name: 'Mine' }],
    ['updateVariableStatus', { status: 'archived' }],
    ['deleteVariable', undefined]
  ] as const)('is not found for %s', async (id, body) => {
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const key = idOf('variable color')
    const { status, body: refusal } = await call(server, id, { params: { project: 'other', key }, body })
    expect([status, refusal.message]).toEqual([404, expect.stringContaining(`Item with key '${key}' not found`)])
    expect((await get('color')).body.status).toBe('active')
  })

  it('does not reserve its key for others', async () => {
    await call(server, 'createProject', { body: { key: 'third', name: 'Third' } })
    const body = { key: 'color', type: 'JSON' }
    expect((await call(server, 'createVariable', { params: { project: 'third' }, body })).status).toBe(201)
  })
})
