import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { idOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const params = { project: 'shop' }
const HOUR = 3_600_000

const plan: Plan = {
  features: [{ key: 'new-checkout' }, { key: 'search', variations: { old: { search: false }, new: { search: true } } }]
}

const purchases = {
  key: 'purchases',
  name: 'Purchases',
  event: 'purchase',
  dimension: 'COUNT_PER_UNIQUE_USER',
  optimize: 'increase'
}

let server: TestServer

async function start(): Promise<void> {
  server = await serve(plan)
}

function create(body: object): Promise<ApiResponse> {
  return call(server, 'createMetric', { params, body })
}

function get(key: string): Promise<ApiResponse> {
  return call(server, 'getMetric', { params: { ...params, key } })
}

function associate(metric: string, feature: string): Promise<ApiResponse> {
  return call(server, 'createMetricAssociation', { params, body: { metric, feature } })
}

function dissociate(metric: string, feature: string): Promise<ApiResponse> {
  return call(server, 'deleteMetricAssociation', { params, query: { metric, feature } })
}

/** The keys of metric and feature of each association. */
async function associations(query: Record<string, string> = {}): Promise<[string, string][]> {
  const { status, body } = await call(server, 'listMetricAssociations', { params, query })
  expect(status).toBe(200)
  return body.map(({ metric, feature }: ApiResponse['body']) => [metric.key, feature.key])
}

/** Advances the clock, so that the next audit entry is the newest. */
function later(): void {
  const next = server.clock.now() + 1000
  server.clock.now = () => next
}

async function changes(): Promise<ApiResponse['body']> {
  return (await call(server, 'listAuditEntries', { query: { project: 'shop' } })).body[0].changes
}

describe('a metric', () => {
  beforeEach(start)

  it('has the given members, and is found by key and id', async () => {
    const { status, body } = await create({ ...purchases, description: 'Who buys' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...purchases,
      description: 'Who buys',
      countsFrom: 'firstExposure',
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _project: idOf('shop'),
      source: 'api',
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString()
    })
    expect((await get('purchases')).body).toEqual(body)
    expect((await get(body._id)).body).toEqual(body)
    expect(await changes()).toMatchObject([{ type: 'createdMetric', newContents: { key: 'purchases' } }])
  })

  it.each([
    ['a dimension that there is not', { dimension: 'MEDIAN' }],
    ['a direction that there is not', { optimize: 'sideways' }],
    ['an event without a name', { event: '' }],
    ['a member that there is not', { colour: 'red' }]
  ])('is refused with %s', async (_, members) => {
    expect((await create({ ...purchases, ...members })).status).toBe(400)
  })

  it('is refused when its key is taken', async () => {
    await create(purchases)
    const { status, body } = await create(purchases)
    expect([status, body.message, body.errorType]).toEqual([409, "Duplicate key 'purchases'", 'ERR_DUPE_METRIC_KEY'])
  })

  it('is changed by the members given', async () => {
    const { body: before } = await create(purchases)
    server.clock.now = () => NOW + HOUR
    const address = { ...params, key: 'purchases' }
    const { status, body } = await call(server, 'updateMetric', { params: address, body: { optimize: 'decrease' } })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, optimize: 'decrease', updatedAt: new Date(NOW + HOUR).toISOString() })
    expect((await get('purchases')).body).toEqual(body)
    expect(await changes()).toEqual([
      {
        type: 'modifiedMetric',
        newContents: { optimize: 'decrease' },
        previousContents: { optimize: 'increase' },
        metadata: { _id: before._id, key: 'purchases' }
      }
    ])
  })

  it('cannot have the key of another one', async () => {
    await create(purchases)
    await create({ ...purchases, key: 'returns' })
    const address = { ...params, key: 'returns' }
    expect((await call(server, 'updateMetric', { params: address, body: { key: 'purchases' } })).status).toBe(409)
  })

  it('is listed, by dimension too', async () => {
    await create(purchases)
    await create({ ...purchases, key: 'revenue', name: 'Revenue', dimension: 'TOTAL_SUM' })
    const list = async (query: Record<string, string>) => {
      const { body, headers } = await call(server, 'listMetrics', { params, query })
      return [headers.count, body.map(({ key }: ApiResponse['body']) => key)]
    }
    expect(await list({ sortBy: 'key', sortOrder: 'asc' })).toEqual(['2', ['purchases', 'revenue']])
    expect(await list({ dimension: 'TOTAL_SUM' })).toEqual(['1', ['revenue']])
    expect(await list({ search: 'reve' })).toEqual(['1', ['revenue']])
  })

  it('is deleted with its own associations only', async () => {
    const { body: metric } = await create(purchases)
    await create({ ...purchases, key: 'returns' })
    await associate('purchases', 'new-checkout')
    await associate('purchases', 'search')
    await associate('returns', 'search')
    later()
    expect((await call(server, 'deleteMetric', { params: { ...params, key: 'purchases' } })).status).toBe(200)
    expect((await get('purchases')).status).toBe(404)
    expect(await associations()).toEqual([['returns', 'search']])
    const logged = await changes()
    expect(logged.map(({ type }: ApiResponse['body']) => type)).toEqual([
      'deletedMetricAssociation',
      'deletedMetricAssociation',
      'deletedMetric'
    ])
    expect(logged[0].previousContents).toMatchObject({ _metric: metric._id })
    await server.close()
    const store = await openStore(toStoreUrl(server.directory))
    const { items } = await store.collection('metricAssociations').list()
    await store.close()
    expect(items.map(({ _feature }) => _feature)).toEqual([idOf('search')])
    expect(items[0]?._metric).not.toBe(metric._id)
  })

  it.each(['getMetric', 'updateMetric', 'deleteMetric'] as const)(
    'is not found by %s when there is none',
    async (id) => {
      const { status, body } = await call(server, id, { params: { ...params, key: 'nothing' } })
      expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nothing' not found")])
    }
  )
})

describe('an association', () => {
  beforeEach(async () => {
    await start()
    await create(purchases)
    await create({ ...purchases, key: 'returns' })
  })

  it('has the whole of its metric and its feature', async () => {
    const { body: metric } = await get('purchases')
    later()
    const { status, body } = await associate('purchases', idOf('new-checkout'))
    expect(status).toBe(201)
    expect(body).toMatchObject({ _project: idOf('shop'), metric, createdAt: new Date(NOW + 1000).toISOString() })
    expect(body.feature).toMatchObject({
      _id: idOf('new-checkout'),
      variations: [
        { key: 'variation-on', variables: { 'new-checkout': true } },
        { key: 'variation-off', variables: { 'new-checkout': false } }
      ],
      variables: [{ key: 'new-checkout', type: 'Boolean' }],
      configurations: [{ _environment: idOf('production'), status: 'active' }]
    })
    const [listed] = (await call(server, 'listMetricAssociations', { params })).body
    expect(listed).toEqual(body)
    expect(await changes()).toMatchObject([
      { type: 'createdMetricAssociation', newContents: { _metric: metric._id, _feature: idOf('new-checkout') } }
    ])
  })

  it('is made once', async () => {
    await associate('purchases', 'new-checkout')
    const { status, body } = await associate('purchases', 'new-checkout')
    expect([status, body.message]).toEqual([
      409,
      'metric "purchases" is already associated with feature "new-checkout"'
    ])
    expect(await associations()).toHaveLength(1)
  })

  it('is listed by metric, by feature and by both', async () => {
    await associate('purchases', 'new-checkout')
    await associate('purchases', 'search')
    await associate('returns', 'search')
    expect(await associations({ metric: 'returns' })).toEqual([['returns', 'search']])
    expect(await associations({ feature: idOf('new-checkout') })).toEqual([['purchases', 'new-checkout']])
    expect(await associations({ metric: 'purchases', feature: 'search' })).toEqual([['purchases', 'search']])
    expect(await associations({ metric: 'returns', feature: 'new-checkout' })).toEqual([])
    expect(await associations()).toHaveLength(3)
  })

  it('is deleted', async () => {
    await associate('purchases', 'search')
    await associate('returns', 'search')
    later()
    expect((await dissociate('purchases', 'search')).status).toBe(200)
    expect(await associations()).toEqual([['returns', 'search']])
    expect(await changes()).toMatchObject([{ type: 'deletedMetricAssociation', newContents: null }])
    const { status, body } = await dissociate('purchases', 'search')
    expect([status, body.message]).toEqual([404, 'metric "purchases" is not associated with feature "search"'])
  })

  it('requires an existing metric and feature', async () => {
    expect((await associate('nothing', 'search')).body.message).toContain("Item with key 'nothing' not found")
    expect((await associate('purchases', 'nothing')).body.message).toContain("Item with key 'nothing' not found")
    expect((await dissociate('nothing', 'search')).status).toBe(404)
    const query = { feature: 'nothing' }
    expect((await call(server, 'listMetricAssociations', { params, query })).status).toBe(404)
    expect((await call(server, 'createMetricAssociation', { params, body: { metric: 'purchases' } })).status).toBe(400)
    expect((await call(server, 'deleteMetricAssociation', { params, query: { metric: 'purchases' } })).status).toBe(400)
  })
})

describe('results', () => {
  const range = { startDate: '2026-02-26T18:00:00.000Z', endDate: '2026-03-01T06:00:00.000Z' }
  const test = {
    ...range,
    feature: 'search',
    control: 'old',
    event: 'purchase',
    dimension: 'COUNT_PER_VARIABLE_EVALUATION',
    optimize: 'increase'
  }

  beforeAll(async () => {
    await start()
    await create(purchases)
  })

  function results(query: Record<string, string>): Promise<ApiResponse> {
    return call(server, 'getMetricResults', { params: { ...params, key: 'purchases' }, query })
  }

  function tryOut(query: Record<string, string>): Promise<ApiResponse> {
    return call(server, 'testMetricResults', { params, query })
  }

  const nothing = {
    numerator: 0,
    denominator: 0,
    rate: 0,
    percentDifference: null,
    chanceToBeatControl: null,
    pValue: null,
    isSignificant: null,
    confidenceInterval: null,
    relativeConfidenceInterval: null,
    sequentialPValue: null
  }
  const empty = {
    result: {
      control: 'old',
      dataSeries: ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'].map((day) => {
        return { date: `${day}T00:00:00.000Z`, values: {} }
      }),
      variations: [
        { key: 'old', name: 'old', ...nothing },
        { key: 'new', name: 'new', ...nothing, reason: 'the variation or the control has no users' }
      ],
      sampleRatio: {
        expected: null,
        observed: { old: 0, new: 0 },
        pValue: null,
        isMismatch: null,
        reason: 'no active target distributes users between several variations'
      }
    },
    cached: false,
    updatedAt: new Date(NOW).toISOString()
  }

  it('are 0 for every variation, and empty for every day of the range', async () => {
    const { status, body } = await results({ ...range, feature: 'search' })
    expect(status).toBe(200)
    expect(body).toMatchObject(empty)
    const again = (await results({ ...range, feature: idOf('search'), environment: 'production' })).body
    expect(again).toMatchObject({ ...empty, cached: true })
  })

  it('exclude the day that begins at the end of the range', async () => {
    const whole = { startDate: '2026-02-01T00:00:00Z', endDate: '2026-02-03T00:00:00Z', feature: 'search' }
    const { body } = await results(whole)
    expect(body.result.dataSeries.map(({ date }: ApiResponse['body']) => date)).toEqual([
      '2026-02-01T00:00:00.000Z',
      '2026-02-02T00:00:00.000Z'
    ])
  })

  it('accept dates with an offset', async () => {
    const { body } = await results({
      startDate: '2026-02-01T23:30:00-01:00',
      endDate: '2026-02-02T22:00:00-01:00',
      feature: 'search'
    })
    expect(body.result.dataSeries).toMatchObject([{ date: '2026-02-02T00:00:00.000Z' }])
  })

  it('can be computed without a metric', async () => {
    const { status, body } = await tryOut(test)
    expect(status).toBe(200)
    expect(body).toMatchObject(empty)
    expect((await tryOut({ ...test, control: idOf('search new') })).status).toBe(200)
  })

  it('can span at most 400 days', async () => {
    const long = { startDate: '2025-01-01T12:00:00.000Z', endDate: '2026-02-05T12:00:00.000Z', feature: 'search' }
    expect((await results(long)).body.result.dataSeries).toHaveLength(401)
    const { status, body } = await results({ ...long, endDate: '2026-02-05T12:00:00.001Z' })
    expect([status, body.message]).toEqual([
      400,
      ['endDate should be at most 400 days after startDate, got 2025-01-01T12:00:00.000Z to 2026-02-05T12:00:00.001Z']
    ])
  })

  it.each([
    ['an end before the start', { endDate: '2026-02-20T00:00:00.000Z' }, 400, /^endDate should be after startDate/],
    ['an end at the start', { endDate: range.startDate }, 400, /^endDate should be after startDate/],
    ['an invalid date', { startDate: 'yesterday' }, 400, /^startDate should be a date-time/],
    ['an invalid day', { startDate: '2026-02-30T00:00:00.000Z' }, 400, /^startDate should be a date-time/],
    ['a year of old', { startDate: '0001-01-01T00:00:00.000Z' }, 400, /^startDate should be in the years/],
    [
      'a feature that is not there',
      { feature: 'nothing' },
      404,
      /^Item with key 'nothing' not found: there is no feature "nothing" in project "shop"$/
    ],
    [
      'an environment that is not there',
      { environment: 'nothing' },
      404,
      /^Item with key 'nothing' not found: there is no environment "nothing" in/
    ]
  ])('are refused with %s', async (_, members, status, message) => {
    for (const answer of [
      await results({ ...range, feature: 'search', ...members }),
      await tryOut({ ...test, ...members })
    ]) {
      expect(answer.status).toBe(status)
      expect([answer.body.message].flat()).toEqual([expect.stringMatching(message)])
    }
  })

  it.each(['feature', 'startDate', 'endDate'])('require a %s', async (member) => {
    const { [member]: _, ...query } = { ...range, feature: 'search' } as Record<string, string>
    const { status, body } = await results(query)
    expect(status).toBe(400)
    expect(body.message.join()).toContain(member)
  })

  it('require an existing metric', async () => {
    const address = { params: { ...params, key: 'nothing' }, query: { ...range, feature: 'search' } }
    expect((await call(server, 'getMetricResults', address)).status).toBe(404)
  })

  it('require a control of the feature', async () => {
    const { status, body } = await tryOut({ ...test, control: 'variation-on' })
    expect([status, body.message]).toEqual([
      400,
      ['control should be a variation of feature "search": one of old, new, or the id of one; got "variation-on"']
    ])
  })
})

test('callers who may only read cannot change metrics', async () => {
  const { server: limited, key } = await serveLimited(plan, ['feature:read'])
  expect((await call(limited, 'listMetrics', { params, key })).status).toBe(200)
  expect((await call(limited, 'createMetric', { params, key, body: purchases })).status).toBe(403)
  const body = { metric: 'purchases', feature: 'search' }
  expect((await call(limited, 'createMetricAssociation', { params, key, body })).status).toBe(403)
})
