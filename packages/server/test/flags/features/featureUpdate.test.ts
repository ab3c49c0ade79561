import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call } from '@burgee/testing/harness'
import { attributeFilter, idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  configurationIn,
  expectRefusal,
  type Features,
  serveFeatures,
  serving,
  sharesOf
} from '../../support/features.ts'

let web: Features
let count = 0
/** The key of a feature that is new in each test: variables `${key}-color` and `${key}-size`, variations `a` and `b`. */
let key: string
let color: string
let size: string
let made: ApiResponse

beforeAll(async () => {
  web = await serveFeatures({ optIn: { enabled: true } })
})

beforeEach(async () => {
  key = `feature-${++count}`
  color = `${key}-color`
  size = `${key}-size`
  made = await web.create({
    key,
    name: 'Name',
    description: 'Description',
    tags: ['one', 'two'],
    variables: [
      { key: color, type: 'String', name: 'Colour' },
      { key: size, type: 'Number' }
    ],
    variations: [
      { key: 'a', name: 'A', variables: { [color]: 'red', [size]: 1 } },
      { key: 'b', name: 'B', variables: { [color]: 'blue', [size]: 2 } }
    ]
  })
  expect(made.status).toBe(201)
})

describe('an update', () => {
  it('changes the given members and nothing else', async () => {
    web.server.clock.now = () => NOW + 1000
    const { status, body } = await web.update(key, { name: 'New', type: 'ops', settings: { publicName: 'Try' } })
    web.server.clock.now = () => NOW
    expect(status).toBe(200)
    expect(body).toEqual({
      ...made.body,
      name: 'New',
      type: 'ops',
      settings: { ...made.body.settings, publicName: 'Try' },
      updatedAt: new Date(NOW + 1000).toISOString()
    })
    expect((await web.get(key)).body).toEqual(body)
  })

  it('without a difference leaves no audit entry', async () => {
    web.server.clock.now = () => NOW + 1000
    const same = {
      name: 'Name',
      tags: ['one', 'two'],
      settings: {},
      configurations: { staging: { status: 'inactive' } }
    }
    const { status, body } = await web.update(key, same)
    web.server.clock.now = () => NOW
    expect([status, body]).toEqual([200, made.body])
    expect(await web.entries(key)).toBe(1)
  })

  it('replaces the tags', async () => {
    expect((await web.update(key, { tags: ['three'] })).body.tags).toEqual(['three'])
    expect((await web.update(key, { tags: [] })).body.tags).toEqual([])
  })

  it('accepts the id of the feature, and can change its key', async () => {
    const { status } = await web.update(made.body._id, { key: `${key}-new` })
    expect(status).toBe(200)
    expect((await web.get(key)).status).toBe(404)
    expect((await web.get(`${key}-new`)).body._id).toBe(made.body._id)
  })

  it('names the control by key or id, and by its new key', async () => {
    const [a, b] = made.body.variations
    expect((await web.update(key, { controlVariation: b._id })).body.controlVariation).toBe('b')
    const variations = [
      { _id: a._id, key: 'a', name: 'A' },
      { _id: b._id, key: 'c', name: 'C' }
    ]
    expect((await web.update(key, { variations })).body.controlVariation).toBe('c')
    expect((await web.update(key, { variations: [{ key: 'a', name: 'A' }] })).body.controlVariation).toBe('a')
  })

  test.each<[object, number, string]>([
    [{ colour: 'red' }, 400, 'property colour should not exist'],
    [{ status: 'archived' }, 400, 'property status should not exist'],
    [{ _project: idOf('x') }, 400, 'property _project should not exist'],
    [{ settings: { optIn: true } }, 400, 'property settings.optIn should not exist'],
    [{ name: '' }, 400, 'name should not be empty'],
    [{ controlVariation: 'c' }, 400, 'controlVariation should be the key or id of a variation of feature'],
    [{ configurations: { moon: {} } }, 400, 'got "moon"'],
    [{ configurations: { production: { status: 'active' } } }, 412, 'has no targets in environment "production"']
  ])('with %j is refused', async (body, status, message) => {
    expectRefusal(await web.update(key, { ...body, description: 'Half-written' }), status, message)
    expect((await web.get(key)).body).toEqual(made.body)
    expect(await web.entries(key)).toBe(1)
  })

  it('to a key that is taken is refused', async () => {
    await web.create({ key: `${key}-other`, name: 'Other' })
    expectRefusal(await web.update(key, { key: `${key}-other` }), 409, `Duplicate key '${key}-other'`)
  })

  it('of an unknown feature, or one of another project, is refused', async () => {
    expectRefusal(await web.update('nothing', {}), 404, "Item with key 'nothing' not found")
    await call(web.server, 'createProject', { body: { key: `p-${count}`, name: 'P' } })
    const params = { project: `p-${count}`, feature: made.body._id }
    expect((await call(web.server, 'updateFeature', { params, body: {} })).status).toBe(404)
  })

  it('of an archived feature is refused', async () => {
    await web.setStatus(key, 'archived')
    expectRefusal(await web.update(key, { name: 'New' }), 412, 'is archived and cannot change')
  })
})

describe('the variables of an update', () => {
  it('replace all variables; removed ones become free, and their values are deleted', async () => {
    const added = { key: `${key}-new`, type: 'Boolean' }
    const { body } = await web.update(key, { variables: [added, { key: color, type: 'String' }] })
    expect(body.variables.map((variable: ApiResponse['body']) => variable.key)).toEqual([`${key}-new`, color])
    expect(body.variations.map((variation: ApiResponse['body']) => variation.variables)).toEqual([
      { [`${key}-new`]: false, [color]: 'red' },
      { [`${key}-new`]: false, [color]: 'blue' }
    ])
    const freed = (await web.call('getVariable', { key: size })).body
    expect(freed).toMatchObject({ status: 'active', type: 'Number' })
    expect(freed).not.toHaveProperty('_feature')
    // A removed value does not come back.
    const again = await web.update(key, { variables: [{ key: size, type: 'Number' }] })
    expect(again.body.variations[0].variables).toEqual({ [size]: 0 })
  })

  it('keep members that are not given', async () => {
    const variables = [
      { key: color, type: 'String', description: 'New' },
      { key: size, type: 'Number', name: 'Size' }
    ]
    const { body } = await web.update(key, { variables })
    expect(body.variables).toMatchObject([
      { name: 'Colour', description: 'New', _id: made.body.variables[0]._id },
      { name: 'Size', _id: made.body.variables[1]._id }
    ])
    expect(body.variations).toEqual(made.body.variations)
  })

  it('can have the values of their new type', async () => {
    const variables = [{ key: size, type: 'String' }]
    expectRefusal(
      await web.update(key, { variables }),
      412,
      `values do not fit the new type: variation "a": variable "${size}" should be a string, got 1`
    )
    const variations = [
      { key: 'a', name: 'A', variables: { [size]: 'small' } },
      { key: 'b', name: 'B', variables: { [size]: 'large' } }
    ]
    const { body } = await web.update(key, { variables, variations })
    expect(body.variations.map((variation: ApiResponse['body']) => variation.variables[size])).toEqual([
      'small',
      'large'
    ])
  })

  it('cannot get a schema that their values do not fit', async () => {
    const validationSchema = { schemaType: 'enum', enumValues: ['red'], description: 'Red', exampleValue: 'red' }
    const variables = [{ key: color, type: 'String', validationSchema }]
    const message = `variation "b": variable "${color}" should be one of "red", got "blue"`
    expectRefusal(await web.update(key, { variables }), 400, message)
    expect((await web.get(key)).body).toEqual(made.body)
  })

  it('of an archived feature can move to another one without the permission to publish', async () => {
    const plan = { features: [{ key: 'a' }, { key: 'b', offIn: ['production'] }] }
    const { server, key: token } = await serveLimited(plan, ['feature:read', 'feature:write', 'variable:write'])
    const at = (feature: string) => ({ project: 'shop', feature })
    await call(server, 'updateFeatureStatus', { params: at('a'), body: { status: 'archived' } })
    const body = { variables: [{ key: 'a', type: 'Boolean' }] }
    const answer = await call(server, 'updateFeature', { params: at('b'), body, key: token })
    expect([answer.status, answer.body.variables[0].key]).toEqual([200, 'a'])
  })

  it('of an archived feature can move to another one', async () => {
    await web.setStatus(key, 'archived')
    const { body, status } = await web.create({
      key: `${key}-heir`,
      name: 'Heir',
      variables: [{ key: color, type: 'String' }]
    })
    expect(status).toBe(201)
    expect(body.variables[0]).toMatchObject({ key: color, status: 'active', _feature: body._id })
    const { body: back } = await web.setStatus(key, 'active')
    expect(back.variables.map((variable: ApiResponse['body']) => variable.key)).toEqual([size])
    expect(back.variations[0].variables).toEqual({ [size]: 1 })
  })
})

describe('the variations of an update', () => {
  it('replace all variations, and keep values that are not given', async () => {
    const [a] = made.body.variations
    const { body } = await web.update(key, {
      variations: [
        { key: 'c', name: 'C', variables: { [size]: 3 } },
        { _id: a._id, key: 'first', name: 'First', variables: { [color]: 'pink' } }
      ]
    })
    expect(body.variations).toEqual([
      { _id: expect.any(String), key: 'c', name: 'C', variables: { [color]: '', [size]: 3 } },
      { _id: a._id, key: 'first', name: 'First', variables: { [color]: 'pink', [size]: 1 } }
    ])
    expect(body.controlVariation).toBe('first')
  })

  it('can be reordered, which is recorded in the audit log', async () => {
    const { body } = await web.update(key, {
      variations: [
        { key: 'b', name: 'B' },
        { key: 'a', name: 'A' }
      ]
    })
    expect(body.variations.map((variation: ApiResponse['body']) => variation.key)).toEqual(['b', 'a'])
    expect(await web.lastChanges(key)).toEqual([
      { type: 'modifiedFeature', newContents: { variations: ['b', 'a'] }, previousContents: { variations: ['a', 'b'] } }
    ])
  })

  test.each<[(variations: ApiResponse['body']) => object[], number, string]>([
    [() => [{ key: 'a', name: 'A', variables: { gone: 1 } }], 412, 'Variable does not belong to Feature'],
    [() => [{ _id: idOf('x'), key: 'a', name: 'A' }], 400, 'variations.0._id should be that of a variation of feature'],
    [
      ([a]) => [a._id, a._id].map((_id, i) => ({ _id, key: `k${i}`, name: 'K' })),
      400,
      'variations.1._id should be listed'
    ],
    [() => [{ key: 'a' }], 400, 'variations.0.name should be a string'],
    [() => [{ key: 'a', name: 'A', weight: 1 }], 400, 'property variations.0.weight should not exist']
  ])('are refused if invalid: %#', async (variations, status, message) => {
    expectRefusal(await web.update(key, { variations: variations(made.body.variations) }), status, message)
    expect((await web.get(key)).body).toEqual(made.body)
  })

  describe('and the distributions', () => {
    const only = (...keys: string[]) => ({ variations: keys.map((name) => ({ key: name, name })) })

    async function shares(answer: ApiResponse, environment: string): Promise<Record<string, number>[]> {
      const { targets } = configurationIn(answer, web.environments[environment] ?? '')
      return targets.map((target: ApiResponse['body']) => sharesOf(target, answer))
    }

    beforeEach(async () => {
      const targets = [serving({ a: 0.75, b: 0.25 }), serving('a'), serving('b')]
      const answer = await web.update(key, {
        configurations: { production: { status: 'active', targets }, staging: { targets } }
      })
      expect(answer.status).toBe(200)
    })

    it('stay unchanged when a variation is added, which gets a share of 0', async () => {
      const answer = await web.update(key, only('a', 'b', 'c'))
      expect(await shares(answer, 'production')).toEqual([{ a: 0.75, b: 0.25, c: 0 }, { a: 1 }, { b: 1 }])
    })

    it('are spread evenly over a new variation where the feature is turned off', async () => {
      const answer = await web.update(key, only('a', 'b', 'c'))
      expect(await shares(answer, 'staging')).toEqual([{ a: 1 / 3, b: 1 / 3, c: 1 / 3 }, { a: 1 }, { b: 1 }])
    })

    it('prevent the removal of a variation that is served somewhere', async () => {
      expectRefusal(
        await web.update(key, only('a')),
        412,
        `variation "b" of feature "${key}" is served in environment "production"`
      )
    })

    it('allow the removal of a variation that the same request stops serving', async () => {
      const answer = await web.update(key, {
        ...only('a'),
        configurations: { production: { targets: [serving('a')] } }
      })
      expect(await shares(answer, 'production')).toEqual([{ a: 1 }])
      // The control replaces a variation that was served alone.
      expect(await shares(answer, 'staging')).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }])
    })

    it('allow the removal of a variation when the same request turns its environment off', async () => {
      const answer = await web.update(key, { ...only('a'), configurations: { production: { status: 'inactive' } } })
      expect(answer.status).toBe(200)
    })

    it('serve the control where an existing variation replaces random ones', async () => {
      await web.update(key, only('a', 'b', 'z'))
      await web.configure(key, 'production', { status: 'inactive' })
      await web.configure(key, 'staging', { targets: [serving({ a: 0.5, b: 0.5 })] })
      const answer = await web.update(key, only('z'))
      expect(await shares(answer, 'staging')).toEqual([{ z: 1 }])
      expect((await web.configure(key, 'staging', { status: 'active' })).status).toBe(200)
      expect(await web.evaluate(color, 'staging')).toBe('')
    })

    it('allow the removal of a variation with a share of 0', async () => {
      await web.update(key, only('a', 'b', 'c'))
      const answer = await web.update(key, only('a', 'b'))
      expect(await shares(answer, 'production')).toEqual([{ a: 0.75, b: 0.25 }, { a: 1 }, { b: 1 }])
      expect(await shares(answer, 'staging')).toEqual([{ a: 0.5, b: 0.5 }, { a: 1 }, { b: 1 }])
    })

    it('lose the opt-ins of a removed variation', async () => {
      await web.call('updateUserProfile', {}, { body: { svcUserId: 'ada' } })
      const override = (environment: string, variation: string) => {
        return web.call('updateFeatureOverride', { feature: key }, { body: { environment, variation } })
      }
      await override('staging', 'b')
      await override('development', 'a')
      await web.update(key, { ...only('a'), configurations: { production: { status: 'inactive' } } })
      const { body } = await web.call('getCurrentFeatureOverrides', { feature: key })
      expect(body.overrides.map(({ _environment }: ApiResponse['body']) => _environment)).toEqual([
        web.environments.development
      ])
    })
  })
})

describe('a feature with opt-in', () => {
  const opened = { settings: { optInEnabled: true } }
  const optIn = (variation: string) => ({
    _id: expect.any(String),
    name: 'Opt-In Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'optIn' }] } },
    distribution: [{ _variation: variation, percentage: 1 }]
  })

  function targets(answer: ApiResponse): object[][] {
    return answer.body.configurations.map((configuration: ApiResponse['body']) => configuration.targets)
  }

  it('has an opt-in target in every environment, before all others', async () => {
    await web.update(key, { configurations: { staging: { targets: [serving('b')] } } })
    const answer = await web.update(key, opened)
    const [a] = answer.body.variations
    expect(targets(answer).map((list) => list[0])).toEqual(Array(3).fill(optIn(a._id)))
    expect(
      targets(answer)
        .map((list) => list.length)
        .sort()
    ).toEqual([1, 1, 2])
  })

  it('has it from its creation on', async () => {
    const answer = await web.create({ key: `${key}-open`, name: 'Open', ...opened })
    expect(targets(answer).flat()).toEqual(Array(3).fill(optIn(answer.body.variations[0]._id)))
  })

  it('keeps that target until opt-in is closed', async () => {
    await web.update(key, opened)
    const without = { configurations: { staging: { targets: [serving('b')] } } }
    expectRefusal(await web.update(key, without), 412, 'should include the opt-in target')
    const closed = await web.update(key, { ...without, settings: { optInEnabled: false } })
    expect(
      targets(closed)
        .map((list) => list.length)
        .sort()
    ).toEqual([0, 0, 1])
  })

  it('can serve another variation to these users', async () => {
    const [first] = targets(await web.update(key, opened))[0] as ApiResponse['body']
    const { status } = await web.configure(key, 'development', {
      targets: [{ ...first, distribution: [{ _variation: 'b', percentage: 1 }] }]
    })
    expect(status).toBe(200)
  })

  const filters = (...items: object[]) => ({ audience: { filters: { operator: 'or', filters: items } } })

  it('is turned off when opt-in is closed and it has no other target', async () => {
    await web.update(key, opened)
    for (const environment of ['staging', 'production']) await web.configure(key, environment, { status: 'active' })
    const present = configurationIn(await web.get(key), web.environments.production ?? '').targets
    await web.configure(key, 'production', { targets: [...present, serving('b')] })
    const closed = await web.update(key, { settings: { optInEnabled: false } })
    const statuses = ['staging', 'production'].map((name) => {
      return configurationIn(closed, web.environments[name] ?? '').status
    })
    expect(statuses).toEqual(['inactive', 'active'])
  })

  it('keeps targets with further audiences, whose opt-in filters match no users once it is closed', async () => {
    await web.update(key, opened)
    const [own] = configurationIn(await web.get(key), web.environments.production ?? '').targets
    const wider = serving('b', filters({ type: 'optIn' }, attributeFilter('email', 'a@b.c')))
    const deeper = serving('b', filters({ operator: 'and', filters: [{ type: 'optIn' }] }))
    const body = { status: 'active', targets: [own, wider, deeper] }
    expect((await web.configure(key, 'production', body)).status).toBe(200)
    const closed = await web.update(key, { settings: { optInEnabled: false } })
    const { status, targets } = configurationIn(closed, web.environments.production ?? '')
    expect([status, targets.map(({ audience }: ApiResponse['body']) => audience)]).toEqual([
      'active',
      [wider, deeper].map((target) => (target as ApiResponse['body']).audience)
    ])
    expect(await web.evaluate(color, 'production', { user_id: 'ada', email: 'a@b.c' })).toBe('blue')
    expect(await web.evaluate(color)).not.toBe('blue')
  })

  it('has its own target in addition to one that only mentions opt-in', async () => {
    await web.configure(key, 'staging', {
      targets: [serving('b', filters({ type: 'optIn' }, attributeFilter('country', 'CA')))]
    })
    const answer = await web.update(key, opened)
    const { targets } = configurationIn(answer, web.environments.staging ?? '')
    expect(targets.map(({ name }: { name?: string }) => name)).toEqual(['Opt-In Users', undefined])
  })

  it('has no such target if the project does not allow opt-in', async () => {
    const closed = await serveFeatures()
    const answer = await closed.create({ key: 'a', name: 'A', ...opened })
    expect(targets(answer)).toEqual([[], [], []])
  })

  it('gets the targets when the project allows opt-in', async () => {
    const closed = await serveFeatures()
    await closed.create({ key: 'a', name: 'A', ...opened })
    await closed.create({ key: 'b', name: 'B' })
    const body = { settings: { optIn: { enabled: true } } }
    await closed.call('updateProject', { key: 'web' }, { body })
    expect(targets(await closed.get('a')).map((list) => list.length)).toEqual([1, 1, 1])
    const other = await closed.get('b')
    expect(targets(other)).toEqual([[], [], []])
  })
})

describe('callers with write but not publish permission', () => {
  it.each<[object, number]>([
    [{ name: 'New' }, 200],
    [{ configurations: { off: { targets: [serving('variation-off')] } } }, 403],
    [{ configurations: { off: { status: 'inactive' } } }, 200],
    [{ configurations: { production: { targets: [serving('variation-off')] } } }, 403],
    [{ configurations: { production: { status: 'inactive' } } }, 403],
    [{ configurations: { off: { status: 'active' } } }, 403],
    [
      {
        variations: [
          { key: 'variation-on', name: 'On' },
          { key: 'variation-off', name: 'Off' }
        ]
      },
      403
    ]
  ])('changing %j in a protected environment get %i', async (body, status) => {
    const plan = { environments: { production: {}, off: {} }, features: [{ key: 'a', offIn: ['off'] }] }
    const { server, key: token } = await serveLimited(plan, ['feature:read', 'feature:write'])
    const params = { project: 'shop', feature: 'a' }
    const before = await call(server, 'getFeature', { params })
    const answer = await call(server, 'updateFeature', { params, body, key: token })
    expect(answer.status).toBe(status)
    if (status === 403) {
      expectRefusal(answer, 403, 'feature:publish')
      expect((await call(server, 'getFeature', { params })).body).toEqual(before.body)
    }
  })
})
