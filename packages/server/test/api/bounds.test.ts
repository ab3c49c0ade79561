import { beforeAll, describe, expect, it, test } from 'vitest'
import { type Features, serveFeatures } from '../support/features.ts'

let web: Features

beforeAll(async () => {
  web = await serveFeatures()
  await web.create(feature('there'))
})

function feature(key: string, members: object = {}): object {
  return {
    key,
    name: 'N',
    variables: [],
    variations: [
      { key: 'on', name: 'On' },
      { key: 'off', name: 'Off' }
    ],
    ...members
  }
}

/** Creates this many items by their index. */
function list<T>(length: number, item: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => item(index))
}

const variables = (count: number) => list(count, (index) => ({ key: `n-${count}-${index}`, type: 'Number' }))
const variations = (count: number) => list(count, (index) => ({ key: `v-${index}`, name: 'V' }))
const all = { type: 'all' }
const everybody = { filters: { operator: 'and', filters: [all] } }
const target = { audience: everybody, distribution: [{ _variation: 'on', percentage: 1 }] }
const emails = (count: number) => ({
  type: 'user',
  subType: 'email',
  comparator: '=',
  values: list(count, (index) => `${index}@a.b`)
})
const targeting = (...targets: object[]) => ({ configurations: { development: { targets } } })
const filtering = (...filters: object[]) => targeting({ ...target, audience: { filters: { operator: 'or', filters } } })
const rollout = (count: number) => {
  const startDate = '2026-03-01T12:00:00.000Z'
  const stages = list(count, () => ({ type: 'discrete', percentage: 1, date: startDate }))
  return targeting({ ...target, rollout: { type: 'stepped', startDate, startPercentage: 0, stages } })
}
const sharing = (count: number) => ({
  variations: variations(count),
  ...targeting({
    ...target,
    distribution: list(count, (index) => ({ _variation: `v-${index}`, percentage: index === 0 ? 1 : 0 }))
  })
})
const choosing = (count: number) => ({
  variables: [
    {
      key: `choice-${count}`,
      type: 'Number',
      validationSchema: {
        schemaType: 'enum',
        description: '',
        enumValues: list(count, (index) => index),
        exampleValue: 0
      }
    }
  ]
})
const targets = 'configurations.development.targets'
const filters = `${targets}.0.audience.filters.filters`

describe('a feature', () => {
  test.each([
    ['variables', 1000, (count: number) => ({ variables: variables(count) }), 'variables'],
    ['variations', 100, (count: number) => ({ variations: variations(count) }), 'variations'],
    ['targets in an environment', 100, (count: number) => targeting(...list(count, () => target)), targets],
    ['stages of a rollout', 100, rollout, `${targets}.0.rollout.stages`],
    ['filters of an operator', 1000, (count: number) => filtering(...list(count, () => all)), filters],
    ['values of a filter', 10_000, (count: number) => filtering(emails(count)), `${filters}.0.values`],
    ['values of an enum', 1000, choosing, 'variables.0.validationSchema.enumValues'],
    ['tags', 100, (count: number) => ({ tags: list(count, (index) => `tag ${index}`) }), 'tags']
  ])('can have a list of %s with up to %i items', async (name, limit, members, place) => {
    const key = name.replaceAll(' ', '-')
    const refused = await web.create(feature(key, members(limit + 1)))
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContainEqual(expect.stringContaining(`${place} should have at most ${limit} items`))
    const { status, body } = await web.create(feature(key, members(limit)))
    expect([status, body.message]).toEqual([201, undefined])
  })

  it('can have as many distribution entries in a target as variations', async () => {
    expect((await web.create(feature('shares', sharing(100)))).status).toBe(201)
    const { body } = await web.create(feature('more-shares', sharing(101)))
    expect(body.message).toContainEqual(expect.stringContaining('distribution should have at most 100 items'))
  })

  it('cannot exceed the limit by adding variations one by one', async () => {
    await web.create(feature('full', { variations: variations(100) }))
    const variation = await web.call('createVariation', { feature: 'full' }, { body: { key: 'one-more', name: 'V' } })
    expect([variation.status, variation.body.message]).toEqual([
      412,
      'feature "full" has 100 variations, the maximum is 100'
    ])
  })

  it('cannot exceed the limit by adding variables one by one', async () => {
    await web.create(
      feature('full-of-variables', { variables: list(1000, (index) => ({ key: `f-${index}`, type: 'Number' })) })
    )
    const body = { key: 'one-more', type: 'Number', _feature: 'full-of-variables' }
    const variable = await web.call('createVariable', {}, { body })
    expect([variable.status, variable.body.message]).toEqual([
      412,
      'feature "full-of-variables" has 1000 variables, the maximum is 1000'
    ])
  })

  it('can be created together with up to a hundred others', async () => {
    const body = list(101, (index) => `many-${index}`)
    expect((await web.call('createFeatures', {}, { body })).body.message).toEqual([
      expect.stringContaining('should have at most 100 features')
    ])
  })
})

describe('a list of references', () => {
  const twice = [
    { key: 'a', name: 'A' },
    { key: 'b', name: 'B' },
    { key: 'a', name: 'C' }
  ]

  it('has unique variation keys', async () => {
    const { status, body } = await web.update('there', { variations: twice })
    expect([status, body.message]).toEqual([400, ['variations.2.key should be listed once, got "a"']])
  })

  it('has unique variation ids', async () => {
    const { _id } = (await web.get('there')).body.variations[0]
    const variations = ['a', 'b'].map((key) => ({ _id, key, name: 'N' }))
    const { status, body } = await web.update('there', { variations })
    expect([status, body.message]).toEqual([400, [`variations.1._id should be listed once, got "${_id}"`]])
  })

  it('has each variation once, whether by key or by id', async () => {
    const { _id } = (await web.get('there')).body.variations[0]
    const variations = [
      { key: 'on', name: 'On' },
      { _id, key: 'other', name: 'Other' }
    ]
    const { status, body } = await web.update('there', { variations })
    expect([status, body.message]).toEqual([400, ['variations.1 should be listed once, got variation "on" again']])
  })

  it('has unique variable keys', async () => {
    const variables = ['n', 'm', 'n'].map((key) => ({ key, type: 'Number' }))
    const { status, body } = await web.update('there', { variables })
    expect([status, body.message]).toEqual([400, ['variables.2.key should be listed once, got "n"']])
  })
})

describe('an audience', () => {
  const body = { key: 'many', name: 'Many', filters: { operator: 'and', filters: [emails(10_000)] } }
  const adding = (count: number, values: readonly string[]) => ({
    instructions: list(count, () => ({ op: 'addFilterValues', action: { filterIndex: '0', values } }))
  })

  it('can be changed by up to a hundred instructions at once', async () => {
    await web.call('createAudience', {}, { body })
    const refused = await web.call('patchAudience', { key: 'many' }, { body: adding(101, ['0@a.b']) })
    expect(refused.body.message).toEqual([expect.stringContaining('instructions should have at most 100 items')])
    const { status } = await web.call('patchAudience', { key: 'many' }, { body: adding(100, ['0@a.b']) })
    expect(status).toBe(200)
  })

  it('cannot exceed the limit of values in a filter', async () => {
    const { status, body } = await web.call('patchAudience', { key: 'many' }, { body: adding(1, ['new@a.b']) })
    expect([status, body.message]).toEqual([
      400,
      [expect.stringContaining('filters.filters.0.values should have at most 10000 items')]
    ])
  })
})

describe('a date-time', () => {
  const rolledOut = (startDate: string) => targeting({ ...target, rollout: { type: 'schedule', startDate } })

  test.each([
    ['9999-12-31T23:59:59-10:00', 'after the year 9999 in UTC'],
    ['0999-12-31T23:59:59.999Z', 'before the year 1000'],
    ['1000-01-01T00:00:00+00:01', 'before the year 1000 in UTC']
  ])('cannot be %s, %s', async (startDate) => {
    const { status, body } = await web.update('there', rolledOut(startDate))
    const place = `${targets}.0.rollout.startDate`
    expect([status, body.message]).toEqual([
      400,
      [`${place} should be in the years 1000 to 9999 of UTC, got "${startDate}"`]
    ])
  })

  test.each([
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['1000-01-01T01:00:00+01:00', '1000-01-01T00:00:00.000Z']
  ])('can be %s', async (startDate, answered) => {
    const { status, body } = await web.configure(
      'there',
      'development',
      rolledOut(startDate).configurations.development
    )
    expect([status, body.targets[0].rollout.startDate]).toEqual([200, answered])
  })

  it('causes one message if it is invalid', async () => {
    const { body } = await web.update('there', rolledOut('tomorrow'))
    expect(body.message).toEqual([expect.stringContaining('startDate should be a date-time such as')])
  })
})

describe('a page', () => {
  test.each(['0x10', '1e2', ' 5', '+5', '5.0', ''])('cannot be requested as %j', async (text) => {
    for (const name of ['page', 'perPage']) {
      const { status, body } = await web.call('listFeatures', {}, { query: { [name]: text } })
      expect([status, body.message]).toEqual([400, [expect.stringContaining(`${name} should be a whole number`)]])
    }
  })

  it('can be requested in digits', async () => {
    const { status } = await web.call('listFeatures', {}, { query: { page: '01', perPage: '10' } })
    expect(status).toBe(200)
  })
})

test.each(['', 'x'.repeat(101)])('an id in a query or an address has 1 to 100 characters, not %j', async (text) => {
  const query = { variable: text }
  const { status } = await web.call('getFeatureTotalEvaluations', { feature: 'there' }, { query })
  expect(status).toBe(400)
  if (text) expect((await web.call('getWebhook', { id: text })).status).toBe(400)
})
