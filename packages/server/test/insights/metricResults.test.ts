import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, DAY, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

const params = { project: 'shop' }
const variations = { old: { steps: 'old' }, new: { steps: 'new' } }

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [
    {
      key: 'checkout',
      variables: { steps: 'String' },
      variations,
      targets: [
        { filters: [{ ...attributeFilter('user_id', 'new'), comparator: 'startWith' }], serves: { new: 1 } },
        { serves: { old: 0.5, new: 0.5 } }
      ]
    }
  ]
}

let server: TestServer

async function start(): Promise<void> {
  server = await serve(plan)
  const metric = { key: 'purchases', name: 'Purchases', event: 'purchase', optimize: 'increase' }
  const body = { ...metric, dimension: 'COUNT_PER_UNIQUE_USER' }
  expect((await call(server, 'createMetric', { params, body })).status).toBe(201)
}

const range = { startDate: new Date(NOW - DAY).toISOString(), endDate: new Date(NOW + DAY).toISOString() }

function results(query: Record<string, string> = {}): Promise<ApiResponse> {
  return call(server, 'getMetricResults', {
    params: { ...params, key: 'purchases' },
    query: { ...range, feature: 'checkout', ...query }
  })
}

function tryOut(query: Record<string, string> = {}): Promise<ApiResponse> {
  const metric = { event: 'purchase', dimension: 'COUNT_PER_UNIQUE_USER', optimize: 'increase', control: 'old' }
  return call(server, 'testMetricResults', { params, query: { ...range, feature: 'checkout', ...metric, ...query } })
}

/** Numerator and denominator of each variation. */
function counts({ body }: ApiResponse): Record<string, [number, number]> {
  const { variations } = body.result
  return Object.fromEntries(
    variations.map(({ key, numerator, denominator }: ApiResponse['body']) => [key, [numerator, denominator]])
  )
}

/** Evaluates the variable for a user; returns the value. */
async function evaluate(user_id: string, environment = 'production'): Promise<string> {
  const asked = { params: { key: 'steps' }, body: { user_id }, key: keyOf('server', environment) }
  const { status, body } = await call(server, 'evaluateVariable', asked)
  expect(status).toBe(200)
  return body.value
}

async function buy(user_id: string, value = 1, environment = 'production'): Promise<void> {
  const body = { user: { user_id }, events: [{ type: 'purchase', value }] }
  expect((await call(server, 'track', { body, key: keyOf('server', environment) })).status).toBe(201)
}

/** Some users of the old checkout. */
async function getOld(count: number): Promise<readonly string[]> {
  const found: string[] = []
  for (let index = 0; found.length < count; index++) {
    if ((await evaluate(`user ${index}`)) === 'old') found.push(`user ${index}`)
  }
  return found
}

describe('metric results', () => {
  beforeEach(start)

  it('include evaluations and events at once', async () => {
    expect(await evaluate('new ada')).toBe('new')
    expect(await evaluate('new bob')).toBe('new')
    await buy('new ada')
    await buy('new ada')
    await buy('stranger')
    expect(counts(await results()).new).toEqual([1, 2])
  })

  it('include what SDKs report, for the variation that they name', async () => {
    const [feature, old, fresh] = [idOf('checkout'), idOf('checkout old'), idOf('checkout new')]
    const saw = (_variation: string) => {
      return { type: 'variableEvaluated', target: 'steps', value: 2, metaData: { _feature: feature, _variation } }
    }
    const bought = { type: 'customEvent', customType: 'purchase', value: 5 }
    const body = {
      user: { user_id: 'ada' },
      // The variation in the event has precedence over the last exposure.
      events: [saw(old), saw(fresh), { ...bought, featureVars: { [feature]: old } }, bought]
    }
    expect((await call(server, 'sendEvents', { body, key: keyOf('client') })).status).toBe(201)
    const count = await tryOut()
    expect(counts(count)).toEqual({ old: [1, 1], new: [1, 1] })
    expect(counts(await tryOut({ dimension: 'COUNT_PER_VARIABLE_EVALUATION' }))).toEqual({ old: [1, 2], new: [1, 2] })
    expect(counts(await tryOut({ dimension: 'TOTAL_SUM' }))).toEqual({ old: [5, 1], new: [5, 1] })
  })

  it('follow a user to another variation', async () => {
    const [user = ''] = await getOld(1)
    await buy(user, 3)
    const body = {
      targets: [
        {
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: 'new', percentage: 1 }]
        }
      ]
    }
    const changed = { params: { ...params, feature: 'checkout' }, query: { environment: 'production' }, body }
    expect((await call(server, 'updateFeatureConfiguration', changed)).status).toBe(200)
    expect(await evaluate(user)).toBe('new')
    await buy(user, 40)
    const { body: found } = await tryOut({ dimension: 'TOTAL_SUM' })
    expect(found.result.variations.map(({ totalValue }: ApiResponse['body']) => totalValue)).toEqual([3, 40])
  })

  it('are of one environment, or of all', async () => {
    await evaluate('new ada')
    await evaluate('new ada', 'staging')
    await evaluate('new bob', 'staging')
    await buy('new ada')
    expect(counts(await results({ environment: 'production' })).new).toEqual([1, 1])
    expect(counts(await results({ environment: idOf('staging') })).new).toEqual([0, 2])
    expect(counts(await results()).new).toEqual([1, 3])
  })

  it('are limited to the range and the event', async () => {
    await evaluate('new ada')
    await buy('new ada')
    expect(counts(await results({ endDate: new Date(NOW).toISOString() })).new).toEqual([0, 0])
    expect(counts(await results({ startDate: new Date(NOW).toISOString() })).new).toEqual([1, 1])
    expect(counts(await tryOut({ event: 'return' })).new).toEqual([0, 1])
  })

  it('compare with the control of the feature, or with the given one', async () => {
    await Promise.all(['new ada', 'new bob'].map((user) => evaluate(user)))
    await getOld(2)
    await buy('new ada')
    const controls = async (asked: Promise<ApiResponse>) => {
      const { body } = await asked
      const { variations, control } = body.result
      return [control, ...variations.map(({ pValue }: ApiResponse['body']) => pValue === null)]
    }
    expect(await controls(results())).toEqual(['old', true, false])
    expect(await controls(tryOut({ control: 'new' }))).toEqual(['new', false, true])
    expect(await controls(tryOut({ control: idOf('checkout new') }))).toEqual(['new', false, true])
  })

  it('show a loss where less is better', async () => {
    for (const user of await getOld(3)) await buy(user)
    for (const user of ['new ada', 'new bob', 'new cyd']) await evaluate(user)
    const chance = async (optimize: string) => {
      const { body } = await tryOut({ optimize })
      return body.result.variations[1].chanceToBeatControl
    }
    expect(await chance('increase')).toBeLessThan(0.1)
    expect(await chance('decrease')).toBeGreaterThan(0.9)
  })

  it('get one more day each day, even without new events', async () => {
    await evaluate('new ada')
    const days = async () => (await results()).body.result.dataSeries.map(({ date }: { date: string }) => date)
    const first = await days()
    const midnight = Math.floor(NOW / DAY) * DAY + DAY
    server.clock.now = () => midnight
    expect(await days()).toEqual([...first, new Date(midnight).toISOString()])
  })

  it('are cached while no event is added, and say when they were computed', async () => {
    await evaluate('new ada')
    const first = (await results()).body
    expect([first.cached, first.updatedAt]).toEqual([false, new Date(NOW).toISOString()])
    server.clock.now = () => NOW + 60_000
    const second = (await results()).body
    expect(second).toEqual({ ...first, cached: true })
    await buy('new ada')
    const third = (await results()).body
    expect([third.cached, third.updatedAt]).toEqual([false, new Date(NOW + 60_000).toISOString()])
    expect(third.result.variations[1].numerator).toBe(1)
    // Another dimension is not cached yet; the same one with another name is.
    expect((await tryOut()).body.cached).toBe(true)
    expect((await tryOut({ dimension: 'TOTAL_SUM' })).body.cached).toBe(false)
  })

  it('show a variation by its current name, even from the cache', async () => {
    await results()
    const at = { params: { ...params, feature: 'checkout', key: 'new' }, body: { name: 'The shorter one' } }
    expect((await call(server, 'updateVariation', at)).status).toBe(200)
    const { body } = await results()
    expect([body.cached, body.result.variations[1].name]).toEqual([true, 'The shorter one'])
  })
})

test('too many concurrent requests for metric results are refused', async () => {
  await start()
  const events = Array(5000).fill({ type: 'purchase', value: 1 })
  const body = { batch: [{ user: { user_id: 'ada' }, events }] }
  expect((await call(server, 'sendEventBatches', { body, key: keyOf('server') })).body.accepted).toBe(5000)
  const many = Array.from({ length: 40 }, (_, index) => tryOut({ event: `event ${index}` }))
  const answers = await Promise.all(many)
  const refused = answers.filter(({ status }) => status === 429)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(refused[0]?.headers['retry-after']).toBe('10')
  expect(refused[0]?.body.message).toBe('2 of your requests for metric results are queued (limit: 2); retry in 10 s')
  expect((await results()).status).toBe(200)
})

describe('the sample ratio', () => {
  beforeAll(start)

  async function ratio(): Promise<ApiResponse['body']> {
    return (await results({ environment: 'production' })).body.result.sampleRatio
  }

  const split = (old: number) => ({
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [
      { _variation: 'old', percentage: old },
      { _variation: 'new', percentage: 1 - old }
    ]
  })

  async function configure(body: object): Promise<void> {
    const changed = { params: { ...params, feature: 'checkout' }, query: { environment: 'production' }, body }
    expect((await call(server, 'updateFeatureConfiguration', changed)).status).toBe(200)
  }

  it('is unknown where a target serves one of the variations to a group', async () => {
    const reason = 'a target serves one of the variations to a group of users'
    expect(await ratio()).toEqual({
      expected: null,
      observed: { old: 0, new: 0 },
      pValue: null,
      isMismatch: null,
      reason
    })
  })

  it('is unknown for few users', async () => {
    await configure({ targets: [split(0.5)] })
    expect(await ratio()).toEqual({
      expected: { old: 0.5, new: 0.5 },
      observed: { old: 0, new: 0 },
      pValue: null,
      isMismatch: null,
      reason: 'too few users got a variation'
    })
  })

  it('detects users who are not split as the targets say', async () => {
    await configure({ targets: [split(0.5)] })
    const [_feature, _variation] = [idOf('checkout'), idOf('checkout new')]
    const saw = { type: 'variableEvaluated', target: 'steps', value: 1, metaData: { _feature, _variation } }
    for (let index = 0; index < 40; index++) {
      const body = { user: { user_id: `user ${index}` }, events: [saw] }
      expect((await call(server, 'sendEvents', { body, key: keyOf('client') })).status).toBe(201)
    }
    const { observed, pValue, isMismatch, reason } = await ratio()
    expect([observed, isMismatch, reason]).toEqual([{ old: 0, new: 40 }, true, undefined])
    // (0 − 20)² / 20 + (40 − 20)² / 20 = 40, and the tail of chi-square beyond it with one degree of freedom.
    expect(pValue).toBeCloseTo(2.54e-10, 11)
  })

  it('is unknown where targets have different distributions', async () => {
    await configure({ targets: [split(0.3), split(0.5)] })
    expect(await ratio()).toMatchObject({
      expected: null,
      pValue: null,
      reason: 'targets have different distributions'
    })
    await configure({ targets: [split(0.3), split(0.3)] })
    expect((await ratio()).expected).toEqual({ old: 0.3, new: 0.7 })
    await configure({ status: 'inactive' })
    const reason = 'no active target distributes users between several variations'
    expect(await ratio()).toMatchObject({ expected: null, isMismatch: null, reason })
  })
})
