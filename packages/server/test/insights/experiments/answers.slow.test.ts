import { type ApiResponse, call, jobsToCheck, send, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { attributeFilter, DAY, idOf, keyOf, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const params = { project: 'shop' }

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [
    {
      key: 'checkout',
      variables: { steps: 'String' },
      variations: { old: { steps: 'old' }, new: { steps: 'new' }, third: { steps: 'third' } },
      targets: [{ filters: [{ ...attributeFilter('user_id', 'new'), comparator: 'startWith' }], serves: { new: 1 } }]
    }
  ]
}

/** A midnight. */
const START = Date.parse('2026-03-02T00:00:00.000Z')

const iso = (moment: number) => new Date(moment).toISOString()

type Query = Record<string, string>

function resultsOf(server: TestServer, query: Query): Promise<ApiResponse> {
  const metric = { event: 'purchase', dimension: 'COUNT_PER_UNIQUE_USER', optimize: 'increase', control: 'old' }
  const range = { startDate: iso(START), endDate: iso(START + DAY) }
  // A copy has its own token: clocks of these tests move by days.
  return call({ ...server }, 'testMetricResults', {
    params,
    query: { feature: 'checkout', ...metric, ...range, ...query }
  })
}

interface Report {
  readonly user_id: string
  /** What the user gets; nothing if absent. */
  readonly got?: string | undefined
  /** How often. */
  readonly times?: number | undefined
  readonly values?: readonly number[] | undefined
  readonly platform?: string | undefined
  readonly attributes?: object | undefined
}

/** Reports what users got and did at a given time. */
async function report(server: TestServer, at: number, reports: readonly Report[], environment = 'production') {
  server.clock.now = () => at
  const batch = reports.map(({ user_id, got, times = 1, values = [], platform, attributes }) => {
    const metaData = { _feature: idOf('checkout'), _variation: idOf(`checkout ${got}`) }
    const exposed = got ? [{ type: 'variableEvaluated', target: 'steps', value: times, metaData }] : []
    const events = values.map((value) => ({ type: 'customEvent', customType: 'purchase', value }))
    return { user: { user_id, ...(platform ? { platform } : {}), ...attributes }, events: [...exposed, ...events] }
  })
  const key = keyOf('client', environment)
  expect((await call(server, 'sendEventBatches', { key, body: { batch } })).body.refused).toBe(0)
}

function users(prefix: string, count: number, buyers: number, got: string): readonly Report[] {
  return Array.from({ length: count }, (_, index) => {
    return { user_id: `${prefix} ${index}`, got, values: index < buyers ? [1] : [] }
  })
}

function variationOf({ body }: ApiResponse, key: string): ApiResponse['body'] {
  return body.result.variations.find((variation: ApiResponse['body']) => variation.key === key)
}

/** Numerators and denominators. */
function counts({ body }: ApiResponse): Record<string, [number, number]> {
  const { variations } = body.result
  return Object.fromEntries(
    variations.map(({ key, numerator, denominator }: ApiResponse['body']) => [key, [numerator, denominator]])
  )
}

describe('events before the exposure', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve(plan)
    // Everyone bought before they got a variation; ada buys again after it.
    await report(server, START + 1, [
      { user_id: 'ada', values: [5] },
      { user_id: 'bob', values: [7] }
    ])
    await report(server, START + 2, [
      { user_id: 'ada', got: 'new' },
      { user_id: 'bob', got: 'old' }
    ])
    await report(server, START + 3, [{ user_id: 'ada', values: [11] }])
  })

  const dimensions = ['COUNT_PER_UNIQUE_USER', 'SUM_PER_UNIQUE_USER', 'TOTAL_SUM'] as const

  it.each(dimensions)('do not count by default in %s, and count with startDate', async (dimension) => {
    const after = await resultsOf(server, { dimension })
    expect(after.body.result.query.countsFrom).toBe('firstExposure')
    const value = dimension === 'COUNT_PER_UNIQUE_USER' ? [0, 1] : [0, 11]
    expect([counts(after).old?.[0], counts(after).new?.[0]]).toEqual(value)
    const all = await resultsOf(server, { dimension, countsFrom: 'startDate' })
    const whole = dimension === 'COUNT_PER_UNIQUE_USER' ? [1, 1] : [7, 16]
    expect([counts(all).old?.[0], counts(all).new?.[0]]).toEqual(whole)
  })

  it('do not count in averages either', async () => {
    for (const dimension of ['AVERAGE_PER_UNIQUE_USER', 'TOTAL_AVERAGE']) {
      expect(counts(await resultsOf(server, { dimension })).new).toEqual([11, 1])
    }
  })

  it('count from the first exposure in new metrics, and as before in metrics that say so', async () => {
    const body = { key: 'fresh', name: 'Fresh', event: 'purchase', dimension: 'TOTAL_SUM', optimize: 'increase' }
    const created = await call(server, 'createMetric', { params, body })
    expect(created.body.countsFrom).toBe('firstExposure')
    const query = { feature: 'checkout', startDate: iso(START), endDate: iso(START + DAY) }
    const of = () => call(server, 'getMetricResults', { params: { ...params, key: 'fresh' }, query })
    expect(counts(await of()).new).toEqual([11, 1])
    const changed = { params: { ...params, key: 'fresh' }, body: { countsFrom: 'startDate' } }
    expect((await call(server, 'updateMetric', changed)).body.countsFrom).toBe('startDate')
    expect(counts(await of()).new).toEqual([16, 1])
    expect((await of()).body.result.query).toMatchObject({ metric: 'fresh', countsFrom: 'startDate' })
  })
})

describe('a selection', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve(plan)
    const filters = {
      operator: 'and',
      filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }]
    }
    const body = { key: 'canada', name: 'Canada', filters }
    expect((await call(server, 'createAudience', { params, body })).status).toBe(201)
    await report(server, START + 1, [
      { user_id: 'ada', got: 'new', platform: 'web', values: [1], attributes: { country: 'CA' } },
      { user_id: 'bob', got: 'new', platform: 'ios', values: [1], attributes: { country: 'FR' } },
      { user_id: 'cyd', got: 'new', platform: 'ios', attributes: { country: 'CA' } }
    ])
    // Evaluated by the server, which knows the country of this request only.
    const body2 = { user_id: 'new dan', country: 'CA' }
    const evaluated = { params: { key: 'steps' }, body: body2, key: keyOf('server') }
    expect((await call(server, 'evaluateVariable', evaluated)).status).toBe(200)
    await report(server, START + 2, [{ user_id: 'new dan', values: [1], attributes: { country: 'FR' } }])
    await report(server, START + 3, [{ user_id: 'eve', got: 'new' }], 'staging')
  })

  it.each([
    [{}, [3, 5]],
    [{ environment: 'production' }, [3, 4]],
    [{ platform: 'web' }, [1, 1]],
    [{ platform: 'ios' }, [1, 2]],
    [{ platform: 'unknown', environment: 'production' }, [1, 1]],
    [{ sdkType: 'api' }, [1, 1]],
    [{ sdkType: 'client', environment: 'production' }, [2, 3]],
    [{ audience: 'canada' }, [2, 3]],
    [{ audience: 'canada', platform: 'ios' }, [0, 1]],
    [{ platform: 'android' }, [0, 0]]
  ] as [Query, [number, number]][])('of %o has %o users with an event', async (query, found) => {
    const answer = await resultsOf(server, query)
    expect([answer.status, counts(answer).new]).toEqual([200, found])
  })

  it('by platform selects evaluations too', async () => {
    const of = (query: Query) => resultsOf(server, { dimension: 'COUNT_PER_VARIABLE_EVALUATION', ...query })
    expect(counts(await of({ platform: 'ios' })).new).toEqual([1, 2])
    const refused = await of({ audience: 'canada' })
    expect([refused.status, refused.body.message[0]]).toEqual([
      400,
      expect.stringMatching(/^audience should not be set with the dimension COUNT_PER_VARIABLE_EVALUATION.*"canada"$/)
    ])
  })

  it('with an audience that does not exist returns 404', async () => {
    expect((await resultsOf(server, { audience: 'mars' })).status).toBe(404)
  })

  it('is in the response, with what was omitted', async () => {
    const { query, warnings } = (await resultsOf(server, { platform: 'ios', effect: '0.2' })).body.result
    expect(query).toEqual({
      feature: 'checkout',
      event: 'purchase',
      dimension: 'COUNT_PER_UNIQUE_USER',
      optimize: 'increase',
      countsFrom: 'firstExposure',
      environments: ['production', 'staging'],
      isPooled: true,
      startDate: iso(START),
      endDate: iso(START + DAY),
      platform: 'ios',
      effect: 0.2
    })
    expect(warnings[0]).toMatch(/production, staging; pass environment/)
    const one = (await resultsOf(server, { environment: 'production' })).body.result
    expect([one.query.isPooled, one.query.environments, one.warnings]).toEqual([false, ['production'], []])
  })

  it('of evaluation counts says whether environments are counted together', async () => {
    const of = async (query: Query) => {
      const { body } = await call({ ...server }, 'getProjectTotalEvaluations', { params, query })
      return body.isPooled
    }
    expect([await of({}), await of({ environment: 'production' })]).toEqual([true, undefined])
  })

  const paths = [
    '/v1/projects/shop/features/checkout/results/total-evaluations',
    '/v1/projects/shop/results/evaluations',
    '/v1/projects/shop/results/total-evaluations',
    '/v1/projects/shop/test-metric-results',
    '/v1/projects/shop/metrics/any/results'
  ]

  it.each(paths)('by a parameter that %s does not have returns 400', async (path) => {
    const headers = { authorization: `Bearer ${await tokenOf(server)}` }
    const { status, body } = await send(server, { path: `${path}?segment=web`, headers })
    expect([status, String(body.message)]).toEqual([400, expect.stringContaining('segment')])
  })
})

describe('the figures', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve(plan)
    await report(server, START + 1, [...users('o', 500, 50, 'old'), ...users('n', 500, 52, 'new')])
    await report(server, START + DAY + 1, [...users('p', 500, 50, 'old'), ...users('m', 500, 98, 'new')])
    await report(server, START + DAY + 2, users('o', 20, 0, 'new'))
  })

  const range = { endDate: iso(START + 2 * DAY), environment: 'production' }

  it('of each day have counts, interval and p-value', async () => {
    const { dataSeries } = (await resultsOf(server, range)).body.result
    expect(dataSeries).toHaveLength(2)
    const [, fresh] = dataSeries[0].variations
    expect(fresh).toMatchObject({ key: 'new', numerator: 52, denominator: 500, rate: 0.104 })
    expect(fresh.pValue).toBeCloseTo(0.8347, 3)
    expect(fresh.confidenceInterval.low).toBeLessThan(0)
    const [, last] = dataSeries[1].variations
    expect(last).toMatchObject({ numerator: 150, denominator: 1020 })
    const final = variationOf(await resultsOf(server, range), 'new')
    expect(last.pValue).toBe(final.pValue)
    expect(last.confidenceInterval).toEqual(final.confidenceInterval)
    expect(last.sequentialPValue).toBe(final.sequentialPValue)
  })

  it('count users with several variations, and warn', async () => {
    const { exposures, warnings } = (await resultsOf(server, range)).body.result
    expect(exposures).toEqual({ users: 2000, multiple: 20, share: 0.01, isWarning: false })
    expect(warnings).toEqual([])
    const [first] = [await resultsOf(server, { ...range, endDate: iso(START + DAY) })]
    expect(first.body.result.exposures).toEqual({ users: 1000, multiple: 0, share: 0, isWarning: false })
  })

  it('have a decision that is corrected for the number of comparisons', async () => {
    const answer = await resultsOf(server, range)
    expect(answer.body.result.comparisons).toBe(2)
    const fresh = variationOf(answer, 'new')
    expect(fresh).toMatchObject({ test: 'zTest', isSignificant: true, decision: 'undecided' })
    expect(fresh.adjustedPValue).toBeCloseTo(Math.min(1, 2 * fresh.pValue), 12)
    expect(fresh.adjustedSequentialPValue).toBeCloseTo(Math.min(1, 2 * fresh.sequentialPValue), 12)
    expect(fresh.decisionReason).toMatch(/adjusted for 2 comparisons/)
    expect(fresh.sequentialConfidenceInterval.low).toBeLessThan(fresh.confidenceInterval.low)
    expect(variationOf(answer, 'third')).toMatchObject({ decision: 'undecided', pValue: null, test: null })
    expect(variationOf(answer, 'old')).toMatchObject({ decision: null, power: null })
  })

  it('contain the number of users that an effect requires', async () => {
    const { power } = variationOf(await resultsOf(server, { ...range, effect: '0.1' }), 'new')
    // 10 % and 10 % more need 14,749 users a side (two-sided, 80 %); halved for two comparisons, more.
    expect(power.effect).toBe(0.1)
    expect(power.users).toBeGreaterThan(2 * 14_749)
    expect(power.users).toBeLessThan(2.5 * 14_749)
    expect(power.sequentialUsers).toBeGreaterThan(power.users)
    expect(power.power).toBeGreaterThan(0.05)
    expect(power.power).toBeLessThan(0.2)
    expect(power.minimumDetectableRelativeEffect).toBeCloseTo(power.minimumDetectableEffect / 0.1, 9)
  })

  it('with an effect that is not positive return 400', async () => {
    for (const effect of ['0', '-1', 'much', ''])
      expect((await resultsOf(server, { ...range, effect })).status).toBe(400)
    const { body } = await resultsOf(server, { ...range, effect: '0' })
    expect(body.message).toEqual(['effect should be greater than 0, got "0"'])
  })
})

describe('evaluations of one user', () => {
  it('are compared by user where users are known', async () => {
    const server = await serve(plan)
    const of = (got: string) => {
      return Array.from({ length: 400 }, (_, index): Report => {
        return { user_id: `${got} ${index}`, got, times: 10, values: index % 5 === 0 ? [1, 1, 1, 1, 1] : [] }
      })
    }
    await report(server, START + 1, [...of('old'), ...of('new')])
    const query = { dimension: 'COUNT_PER_VARIABLE_EVALUATION', environment: 'production' }
    const known = await resultsOf(server, query)
    expect(counts(known)).toMatchObject({ old: [400, 4000], new: [400, 4000] })
    expect(variationOf(known, 'new')).not.toHaveProperty('warning')
    const { low, high } = variationOf(known, 'new').confidenceInterval
    // A fifth of the users have a rate of a half, the others of 0: the variance of a user is 0.5² · 0.2 · 0.8.
    const width = 2 * 1.96 * Math.sqrt((2 * 0.25 * 0.16) / 400)
    expect((high - low) / width).toBeGreaterThan(0.99)
    expect((high - low) / width).toBeLessThan(1.05)
    // Counts of a server SDK have no users.
    const metaData = { _feature: idOf('checkout'), _variation: idOf('checkout new') }
    const events = [{ type: 'aggVariableEvaluated', target: 'steps', value: 500, metaData }]
    const body = { batch: [{ user: { user_id: 'host' }, events }] }
    expect((await call(server, 'sendEventBatches', { key: keyOf('server'), body })).body.refused).toBe(0)
    const unknown = variationOf(await resultsOf(server, query), 'new')
    expect(unknown.warning).toMatch(/compared as if they were independent/)
    expect(unknown).toMatchObject({ decision: 'invalid', decisionReason: unknown.warning })
  })

  it('are known when this server evaluates', async () => {
    const server = await serve(plan)
    server.clock.now = () => START + 1
    for (let index = 0; index < 12; index++) {
      const body = { user_id: `new ${index % 3}` }
      expect(
        (await call(server, 'evaluateVariable', { params: { key: 'steps' }, body, key: keyOf('server') })).status
      ).toBe(200)
    }
    const query = { dimension: 'COUNT_PER_VARIABLE_EVALUATION', environment: 'production' }
    const found = variationOf(await resultsOf(server, query), 'new')
    expect([found.numerator, found.denominator, found.warning]).toEqual([0, 12, undefined])
  })
})

test('the smallest always-valid p-value stays, whenever it was computed, even after a restart', async () => {
  const server = await serve(plan)
  const hour = DAY / 24
  const query = { environment: 'production' }
  const sequentialAt = async (at: number, where = server) => {
    where.clock.now = () => at
    const answer = await resultsOf(where, query)
    return [
      variationOf(answer, 'new').sequentialPValue,
      answer.body.result.dataSeries.at(-1).variations[1].sequentialPValue
    ]
  }
  await report(server, START + hour, [...users('o', 400, 20, 'old'), ...users('n', 400, 60, 'new')])
  const [early] = await sequentialAt(START + hour)
  expect(early).toBeLessThan(0.01)
  // The lift vanishes.
  await report(server, START + 5 * hour, [...users('p', 400, 60, 'old'), ...users('m', 400, 20, 'new')])
  expect(await sequentialAt(START + 5 * hour)).toEqual([early, early])
  // A range that ends before it does not know it.
  const until = await resultsOf(server, { ...query, endDate: iso(START + hour / 2) })
  expect(variationOf(until, 'new').sequentialPValue).toBeNull()
  await server.close()
  const again = await serve(server.directory)
  expect(await sequentialAt(START + 6 * hour, again)).toEqual([early, early])
  expect(await sequentialAt(START + 3 * DAY, again)).toEqual([early, early])
})

describe('an experiment of 120 days, with events kept for 30', () => {
  const LENGTH = 120
  let server: TestServer
  /** By day: the users and buyers of each variation. */
  const query = {
    endDate: iso(START + (LENGTH + 1) * DAY),
    environment: 'production',
    dimension: 'SUM_PER_UNIQUE_USER'
  }

  beforeAll(async () => {
    server = await serve(plan, { eventsRetentionDays: 30 })
    await run(server, 0, 1)
    // Requests on two days show that the range is not a moving one.
    expect((await resultsOf(server, query)).status).toBe(200)
    await run(server, 1, 60)
    await server.close()
    server = await serve(server.directory, { eventsRetentionDays: 30 }, START + 60 * DAY)
    await run(server, 60, LENGTH)
  }, 60_000)

  /** On each day two users come, one of each variation; the users of the first ten days buy for 1 every day. */
  async function run(at: TestServer, from: number, to: number): Promise<void> {
    for (let day = from; day < to; day++) {
      const fresh = ['old', 'new'].map((got): Report => ({ user_id: `${got} ${day}`, got }))
      const first = Array.from({ length: Math.min(day, 10) }, (_, index) => index)
      const buyers = first.flatMap((index) =>
        ['old', 'new'].map((got): Report => ({ user_id: `${got} ${index}`, values: [1] }))
      )
      await report(at, START + day * DAY + DAY / 2, [...fresh, ...buyers])
      if (day % 20 !== 1) continue
      await jobsToCheck(at)
      expect((await resultsOf(at, query)).status).toBe(200)
    }
  }

  it('includes all users and events, and one total for each user', async () => {
    const answer = await resultsOf(server, query)
    const { coverage, dataSeries, warnings } = answer.body.result
    expect([coverage, warnings]).toEqual([{ since: iso(START), isComplete: true }, []])
    const total = Array.from({ length: 10 }, (_, index) => LENGTH - 1 - index)
    const sum = total.reduce((one, other) => one + other, 0)
    const variation = variationOf(answer, 'new')
    expect(variation).toMatchObject({ numerator: sum, denominator: LENGTH })
    const mean = sum / LENGTH
    const squares = total.reduce((one, own) => one + (own - mean) ** 2, 0) + (LENGTH - 10) * mean ** 2
    expect(variation.stdev).toBeCloseTo(Math.sqrt(squares / (LENGTH - 1)), 9)
    expect(dataSeries).toHaveLength(LENGTH)
    expect(dataSeries[4].variations[1]).toMatchObject({ numerator: 1 + 2 + 3 + 4, denominator: 5 })
  })

  it('answers for an earlier end from the same table', async () => {
    const answer = await resultsOf(server, { ...query, endDate: iso(START + 5 * DAY) })
    expect(counts(answer)).toMatchObject({ new: [10, 5], old: [10, 5] })
    expect(answer.body.result.coverage.isComplete).toBe(true)
  })

  it('reports that events expired before the first request', async () => {
    const { coverage, warnings } = (await resultsOf(server, { ...query, event: 'return' })).body.result
    expect(coverage).toMatchObject({ isComplete: false, reason: expect.stringMatching(/have expired/) })
    // Those that were too old at the restart on day 60; expired events are deleted within an hour.
    expect(Date.parse(coverage.since)).toBeGreaterThanOrEqual(START + 30 * DAY)
    expect(warnings).toEqual([coverage.reason])
  })

  it('keeps the events of an erased user, without the user', async () => {
    const before = counts(await resultsOf(server, query))
    const erased = { params: { ...params, user_id: 'new 3' } }
    expect((await call({ ...server }, 'eraseUserData', erased)).status).toBe(200)
    expect(counts(await resultsOf(server, query))).toEqual(before)
    // The same id is a new user.
    await report(server, START + LENGTH * DAY + 1, [{ user_id: 'new 3', got: 'new', values: [1] }])
    const after = counts(await resultsOf(server, query))
    expect(after.new).toEqual([(before.new?.[0] ?? 0) + 1, (before.new?.[1] ?? 0) + 1])
  })
})

test('a variation that is added to a long experiment counts from its first user on', async () => {
  const server = await serve(plan)
  const query = { endDate: iso(START + 10 * DAY), environment: 'production' }
  await report(server, START + 1, [{ user_id: 'ada', got: 'old' }])
  expect((await resultsOf(server, query)).status).toBe(200)
  const body = { key: 'fourth', name: 'Fourth', variables: { steps: 'fourth' } }
  const created = { params: { ...params, feature: 'checkout' }, body }
  const added = await call({ ...server }, 'createVariation', created)
  expect(added.status).toBe(201)
  const { _id } = added.body.variations.find((variation: ApiResponse['body']) => variation.key === 'fourth')
  server.clock.now = () => START + 2
  const metaData = { _feature: idOf('checkout'), _variation: _id }
  const events = [{ type: 'variableEvaluated', target: 'steps', metaData }]
  const sent = { key: keyOf('client'), body: { batch: [{ user: { user_id: 'bob' }, events }] } }
  expect((await call(server, 'sendEventBatches', sent)).body.accepted).toBe(1)
  // The server closes the day without a request that knows of the variation.
  server.clock.now = () => START + DAY + DAY / 12
  await jobsToCheck(server)
  await report(server, START + 3 * DAY, [{ user_id: 'cyd', got: 'old' }])
  expect(counts(await resultsOf(server, query))).toMatchObject({ old: [0, 2], fourth: [0, 1] })
})
