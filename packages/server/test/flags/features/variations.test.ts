import { type ApiResponse, call } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
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
let key: string
let made: ApiResponse

beforeAll(async () => {
  web = await serveFeatures()
})

beforeEach(async () => {
  key = `feature-${++count}`
  made = await web.create({ key, name: 'Feature' })
})

function create(body: object, feature = key): Promise<ApiResponse> {
  return web.call('createVariation', { feature }, { body })
}

function get(variation: string, feature = key): Promise<ApiResponse> {
  return web.call('getVariation', { feature, key: variation })
}

function update(variation: string, body: object, feature = key): Promise<ApiResponse> {
  return web.call('updateVariation', { feature, key: variation }, { body })
}

describe('a new variation', () => {
  it('is appended to its feature, which is returned', async () => {
    const { status, body } = await create({ key: 'third', name: 'Third', variables: { [key]: true } })
    expect(status).toBe(201)
    const third = { _id: expect.any(String), key: 'third', name: 'Third', variables: { [key]: true } }
    expect(body).toEqual({ ...made.body, variations: [...made.body.variations, third] })
    expect((await get('third')).body).toEqual(third)
  })

  it('has empty values by default', async () => {
    expect((await create({ key: 'third', name: 'Third' })).body.variations[2].variables).toEqual({ [key]: false })
  })

  it('joins a served random distribution with a share of 0, and one that is off with an equal share', async () => {
    const targets = [serving({ 'variation-on': 0.5, 'variation-off': 0.5 })]
    await web.update(key, { configurations: { production: { status: 'active', targets }, staging: { targets } } })
    const answer = await create({ key: 'third', name: 'Third' })
    const shares = (environment: string) => {
      return sharesOf(configurationIn(answer, web.environments[environment] ?? '').targets[0], answer)
    }
    expect(shares('production')).toEqual({ 'variation-on': 0.5, 'variation-off': 0.5, third: 0 })
    expect(shares('staging')).toEqual({ 'variation-on': 1 / 3, 'variation-off': 1 / 3, third: 1 / 3 })
  })

  test.each<[object, number, string]>([
    [{ name: 'N' }, 400, 'key should be a string'],
    [{ key: 'n' }, 400, 'name should be a string'],
    [{ key: 'N', name: 'N' }, 400, 'key should have only'],
    [{ key: 'n', name: 'N', _id: idOf('x') }, 400, 'property _id should not exist'],
    [{ key: 'n', name: 'N', weight: 1 }, 400, 'property weight should not exist'],
    [{ key: 'n', name: 'N', variables: { gone: true } }, 412, 'Variable does not belong to Feature'],
    [{ key: 'variation-on', name: 'N' }, 409, "Duplicate key 'variation-on'"]
  ])('is refused as %j', async (body, status, message) => {
    expectRefusal(await create(body), status, message)
    expect((await web.get(key)).body).toEqual(made.body)
  })

  it('is refused with an invalid value of a variable', async () => {
    const answer = await create({ key: 'n', name: 'N', variables: { [key]: 'yes' } })
    expectRefusal(answer, 400, `variation "n": variable "${key}" should be a boolean, got "yes"`)
  })

  it('is refused in an archived feature, and in an unknown one', async () => {
    expectRefusal(await create({ key: 'n', name: 'N' }, 'nothing'), 404, "Item with key 'nothing' not found")
    await web.setStatus(key, 'archived')
    expectRefusal(await create({ key: 'n', name: 'N' }), 412, 'is archived and cannot change')
  })
})

describe('the variations of a feature', () => {
  it('are listed in order', async () => {
    const { status, body } = await web.call('listVariations', { feature: key })
    expect([status, body]).toEqual([200, made.body.variations])
    expect((await web.call('listVariations', { feature: made.body._id })).body).toEqual(body)
  })

  it('are found by key or id', async () => {
    const [on] = made.body.variations
    expect((await get('variation-on')).body).toEqual(on)
    expect((await get(on._id, made.body._id)).body).toEqual(on)
  })

  it('return 404 if unknown', async () => {
    expectRefusal(await get('variation-of'), 404, "Item with key 'variation-of' not found")
    expectRefusal(await get('variation-on', 'nothing'), 404, "Item with key 'nothing' not found")
    await web.create({ key: `${key}-other`, name: 'O' })
    expect((await get(made.body.variations[0]._id, `${key}-other`)).status).toBe(404)
    await call(web.server, 'createProject', { body: { key: `p-${count}`, name: 'P' } })
    const params = { project: `p-${count}`, feature: made.body._id }
    expect((await call(web.server, 'listVariations', { params })).status).toBe(404)
  })
})

describe('an update of a variation', () => {
  it('changes the given members at the same position', async () => {
    const [on, off] = made.body.variations
    const { status, body } = await update('variation-on', { name: 'New' })
    expect([status, body]).toEqual([200, { ...made.body, variations: [{ ...on, name: 'New' }, off] }])
    const second = await update(on._id, { variables: { [key]: false }, _id: on._id })
    expect(second.body.variations).toEqual([{ ...on, name: 'New', variables: { [key]: false } }, off])
  })

  it('takes effect on evaluations', async () => {
    await web.configure(key, 'production', { status: 'active', targets: [serving('variation-on')] })
    expect(await web.evaluate(key)).toBe(true)
    await update('variation-on', { variables: { [key]: false } })
    expect(await web.evaluate(key)).toBe(false)
  })

  it('can change its key, and targets still refer to it', async () => {
    await web.configure(key, 'production', { status: 'active', targets: [serving('variation-on')] })
    const { body } = await update('variation-on', { key: 'on' })
    expect(body).toMatchObject({ controlVariation: 'on', variations: [{ key: 'on' }, { key: 'variation-off' }] })
    expect(await web.evaluate(key)).toBe(true)
  })

  test.each<[object, number, string]>([
    [{ key: 'variation-off' }, 409, "Duplicate key 'variation-off'"],
    [{ _id: idOf('x') }, 400, 'the id of variation "variation-on"'],
    [{ name: '' }, 400, 'name should not be empty'],
    [{ weight: 1 }, 400, 'property weight should not exist'],
    [{ variables: { gone: true } }, 412, 'Variable does not belong to Feature']
  ])('is refused as %j', async (body, status, message) => {
    expectRefusal(await update('variation-on', body), status, message)
    expect((await web.get(key)).body).toEqual(made.body)
  })

  it('is refused with an invalid value of a variable', async () => {
    expectRefusal(await update('variation-on', { variables: { [key]: 1 } }), 400, 'should be a boolean, got 1')
  })

  it('of an unknown one is refused', async () => {
    expectRefusal(await update('variation-of', {}), 404, "Item with key 'variation-of' not found")
    expectRefusal(await update('variation-on', {}, 'nothing'), 404, "Item with key 'nothing' not found")
  })

  it('is recorded in the audit log as stored', async () => {
    const [on] = made.body.variations
    const [variable] = made.body.variables
    await update('variation-on', { variables: { [key]: false } })
    const kept = (value: boolean) => ({
      variations: [
        { _id: on._id, key: 'variation-on', name: 'Variation On', variables: [{ _var: variable._id, value }] }
      ]
    })
    expect(await web.lastChanges(key)).toEqual([
      { type: 'modifiedVariation', newContents: kept(false), previousContents: kept(true) }
    ])
  })
})
