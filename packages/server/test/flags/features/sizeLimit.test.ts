import { type ApiResponse, call, serve } from '@burgee/testing/harness'
import { attributeFilter } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { MAX_SIZE } from '../../../src/lib/limits/assertSize.ts'
import { type Features, serveFeatures } from '../../support/features.ts'

let web: Features

beforeAll(async () => {
  web = await serveFeatures()
})

/** Filters whose values have this many characters together. */
function filtersOf(length: number) {
  const count = Math.ceil(length / VALUE_LENGTH)
  // The values differ: a semantic patch drops repeated ones.
  const values = Array.from({ length: count }, (_, index) => {
    const part = Math.min(VALUE_LENGTH, length - index * VALUE_LENGTH)
    return `${index}`.padEnd(part, 'x').slice(0, part)
  })
  return { operator: 'and', filters: [{ type: 'user', subType: 'email', comparator: '=', values }] }
}

const VALUE_LENGTH = 1000

const targeting = (length: number) => ({
  targets: [{ audience: { filters: filtersOf(length) }, distribution: [{ _variation: 'variation-on', percentage: 1 }] }]
})
const feature = (key: string, length: number) => ({
  key,
  name: key,
  configurations: { development: targeting(length) }
})

/** Finds the largest number of characters that a request accepts, from the refusal of a larger one. */
async function largest(request: (length: number) => Promise<ApiResponse>): Promise<number> {
  const length = 600_000
  const { status, body } = await request(length)
  const [, size] = /would have (\d+) characters of JSON, the maximum is 524288; /.exec(body.message) ?? []
  expect([status, size]).toEqual([412, expect.any(String)])
  // Each value has quotes and a comma.
  const perValue = VALUE_LENGTH + 3
  const excess = Number(size) - MAX_SIZE
  return length - Math.floor(excess / perValue) * VALUE_LENGTH - (excess % perValue)
}

describe('a feature', () => {
  it('can have rules and values of up to the maximum size, and not one character more', async () => {
    const maximum = await largest((length) => web.create(feature('large', length)))
    const refused = await web.create(feature('large', maximum + 1))
    expect([refused.status, refused.body.message]).toEqual([
      412,
      `feature "large" would have ${MAX_SIZE + 1} characters of JSON, the maximum is ${MAX_SIZE}; use fewer variations, move long lists of values to audiences, or divide it into several features`
    ])
    expect((await web.create(feature('large', maximum))).status).toBe(201)
    expect((await web.update('large', { name: 'Renamed' })).status).toBe(200)
  })

  const small = { key: 'small', name: 'Small' }
  const far = targeting(600_000)
  test.each<[string, () => Promise<ApiResponse>]>([
    ['an update', () => web.update('small', { configurations: { development: far } })],
    ['an update of its configuration', () => web.configure('small', 'development', far)],
    [
      'its variations',
      () => {
        const variables = Array.from({ length: 1000 }, (_, index) => ({ key: `of-small-${index}`, type: 'Number' }))
        const variations = Array.from({ length: 100 }, (_, index) => ({ key: `v-${index}`, name: 'V' }))
        return web.update('small', { variables, variations })
      }
    ],
    [
      'a new variable',
      () => {
        const body = { key: 'one-more', type: 'String', _feature: 'small', defaultValue: 'x'.repeat(300_000) }
        return web.call('createVariable', {}, { body })
      }
    ]
  ])('cannot exceed the maximum by %s', async (_, request) => {
    await web.create(small)
    const before = await web.get('small')
    const { status, body } = await request()
    expect([status, body.message]).toEqual([412, expect.stringMatching(/^feature "small" would have \d+ characters/)])
    expect((await web.get('small')).body).toEqual(before.body)
  })

  it('cannot exceed the maximum by a promotion', async () => {
    await web.create(feature('promoted', 300_000))
    const body = { from: { environment: 'development' }, to: [{ environment: 'staging' }], features: ['promoted'] }
    const { status, body: report } = await web.call('createPromotion', {}, { body })
    expect([status, report.items[0].outcome]).toEqual([200, 'refused'])
    expect(report.items[0].error.message).toMatch(/^feature "promoted" would have \d+ characters of JSON/)
  })

  it('can be renamed, turned off and made smaller when an earlier version has stored a larger one', async () => {
    const values = Array.from({ length: 600 }, () => 'x'.repeat(VALUE_LENGTH))
    const server = await serve({
      features: [{ key: 'checkout', targets: [{ filters: [{ ...attributeFilter('email', 'x'), values }] }] }]
    })
    const update = (body: object) =>
      call(server, 'updateFeature', { params: { project: 'shop', feature: 'checkout' }, body })
    const production = (body: object) => update({ configurations: { production: body } })
    expect((await update({ name: 'Renamed' })).status).toBe(200)
    expect((await production({ status: 'inactive' })).status).toBe(200)
    expect((await production(targeting(599_999))).status).toBe(200)
    const larger = await production(targeting(610_000))
    expect([larger.status, larger.body.message]).toEqual([
      412,
      expect.stringContaining('feature "checkout" would have')
    ])
  })
})

describe('an audience', () => {
  const create = (length: number) => {
    return web.call('createAudience', {}, { body: { key: 'large', name: 'Large', filters: filtersOf(length) } })
  }

  it('can have filters of up to the maximum size, and not one character more', async () => {
    const maximum = await largest(create)
    expect((await create(maximum + 1)).body.message).toBe(
      `audience "large" would have ${MAX_SIZE + 1} characters of JSON, the maximum is ${MAX_SIZE}; divide it into several audiences, and match any of them in another one`
    )
    expect((await create(maximum)).status).toBe(201)
    const key = 'large'
    const update = await web.call('updateAudience', { key }, { body: { filters: filtersOf(maximum + 1) } })
    const instruction = { op: 'addFilterValues', action: { filterIndex: '0', values: ['a@example.com'] } }
    const patch = await web.call('patchAudience', { key }, { body: { instructions: [instruction] } })
    for (const { status, body } of [update, patch]) {
      expect([status, body.message]).toEqual([412, expect.stringContaining('audience "large" would have')])
    }
    expect((await web.call('updateAudience', { key }, { body: { filters: filtersOf(10) } })).status).toBe(200)
  })
})
