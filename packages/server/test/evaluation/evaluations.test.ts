import { type ApiResponse, type Call, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, DAY, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

const HOUR = 3_600_000

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [
    { key: 'checkout', variables: { checkout: 'Boolean', steps: 'Number' }, variations: variations('checkout') },
    { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'off', offIn: ['production', 'staging'] }
  ]
}

function variations(key: string) {
  return { 'variation-on': { [key]: true, steps: 3 }, 'variation-off': { [key]: false, steps: 5 } }
}

const on = idOf('checkout variation-on')
const off = idOf('checkout variation-off')

let common: TestServer
/** The server under test: the shared one, unless a test starts its own. */
let server: TestServer
/** The time of the events. On the shared server, every test has a day of its own. */
let moment = NOW
let tests = 0

beforeAll(async () => {
  common = await serve(plan)
})

beforeEach(() => {
  server = common
  moment = Date.parse('2025-12-10T12:30:00.000Z') + tests++ * 2 * DAY
})

/** Calls at the time of the events. */
function act(id: Parameters<typeof call>[1], given: Call): Promise<ApiResponse> {
  server.clock.now = () => moment
  return call(server, id, given)
}

/** Evaluates a variable on the server. */
function evaluate(variable: string, body: object = {}, key = keyOf('server')): Promise<ApiResponse> {
  return act('evaluateVariable', { params: { key: variable }, body: { user_id: 'ada', ...body }, key })
}

function ofrep(key: string, context: object = { targetingKey: 'ada' }): Promise<ApiResponse> {
  return act('ofrepEvaluateFlag', { params: { key }, body: { context } })
}

/** Reports an evaluation as server SDKs count them. */
function counted(target: string, variation: string | undefined, value: number, given: Call = {}): Promise<ApiResponse> {
  const type = variation === undefined ? 'aggVariableDefaulted' : 'aggVariableEvaluated'
  const events = [{ type, target, value, metaData: { _variation: variation ?? 'DEFAULT' } }]
  return act('sendEventBatches', { body: { batch: [{ user: { user_id: 'process' }, events }] }, ...given })
}

type Query = Readonly<Record<string, string | number>>

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of both shapes.
async function evaluationsBy(id: Parameters<typeof call>[1], query: Query, feature = 'checkout'): Promise<any[]> {
  // Tokens expire within days.
  server.clock.now = () => NOW
  const { status, body } = await call(server, id, { params: { project: 'shop', feature }, query })
  expect([status, body.cached, body.updatedAt]).toEqual([200, false, new Date(NOW).toISOString()])
  return body.result.evaluations
}

/** A range around the time of the events. */
const then = () => ({ startDate: moment - HOUR, endDate: moment + HOUR })

/** The evaluations of each variation of a feature. */
async function ofFeature(feature = 'checkout', query: Query = then()): Promise<Record<string, number>> {
  const periods = await evaluationsBy('getFeatureTotalEvaluations', query, feature)
  const sums: Record<string, number> = {}
  for (const { values } of periods) {
    for (const [name, count] of Object.entries<number>(values)) sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

async function ofProject(query: Query = then()): Promise<number> {
  const periods = await evaluationsBy('getProjectTotalEvaluations', query)
  return periods.reduce((sum, { value }) => sum + value, 0)
}

async function users(query: Query = then()): Promise<number> {
  const periods = await evaluationsBy('getProjectEvaluations', query)
  return periods.reduce((sum, { value }) => sum + value, 0)
}

const none = { 'variation-on': 0, 'variation-off': 0, default: 0 }

describe('evaluations on the server', () => {
  it('are counted at once by SDK and OFREP requests', async () => {
    for (const round of [1, 2, 3, 4]) {
      await evaluate('checkout')
      await ofrep('steps')
      expect(await ofFeature()).toEqual({ ...none, 'variation-on': 2 * round })
    }
    expect([await ofProject(), await users()]).toEqual([8, 1])
  })

  test.each<[string, string, Record<string, number>]>([
    ['not served to the user', 'canada', { ...none, default: 2 }],
    ['turned off', 'off', { ...none, default: 2 }]
  ])('count as the default where the variable is %s', async (_, key, values) => {
    expect((await evaluate(key)).status).toBe(404)
    expect((await ofrep(key)).status).toBe(200)
    expect(await ofFeature(key)).toEqual(values)
    expect([await ofProject(), await users()]).toEqual([2, 1])
  })

  it('without a user add no user', async () => {
    expect((await ofrep('checkout', {})).status).toBe(200)
    expect(await ofFeature()).toEqual({ ...none, 'variation-on': 1 })
    expect([await ofProject(), await users()]).toEqual([1, 0])
  })

  it('of unknown variables count for the project', async () => {
    for (let index = 0; index < 20; index++) await evaluate(`nothing-${index}`)
    await ofrep('nothing')
    expect([await ofProject(), await users()]).toEqual([21, 1])
    expect(await ofFeature()).toEqual(none)
  })

  test.each(['evaluateVariables', 'evaluateFeatures', 'ofrepEvaluateFlags'] as const)(
    'of all variables at once are not counted: %s',
    async (id) => {
      const body = { user_id: 'ada', context: { targetingKey: 'ada' } }
      expect((await act(id, { body })).status).toBe(200)
      expect([await ofProject(), await users()]).toEqual([0, 0])
    }
  )

  it('are not counted if the request is refused', async () => {
    expect((await evaluate('checkout', { user_id: 5 })).status).toBe(400)
    expect((await evaluate('checkout', {}, 'server-unknown')).status).toBe(401)
    expect((await ofrep('checkout', { targetingKey: 'x'.repeat(201) })).status).toBe(400)
    expect(await ofProject()).toBe(0)
  })

  it('survive a stop right afterwards', async () => {
    moment = NOW
    server = await serve(plan)
    await evaluate('checkout')
    await server.close()
    server = await serve(server.directory)
    expect(await ofFeature()).toEqual({ ...none, 'variation-on': 1 })
    expect(await users()).toBe(1)
  })

  it('are counted without a directory too', async () => {
    const { status } = await call(await serve({}, { store: 'memory:', demo: true }), 'getProjectTotalEvaluations', {
      params: { project: 'demo' }
    })
    expect(status).toBe(200)
  })
})

describe('evaluations in applications', () => {
  it('are counted as server SDKs report them, without users', async () => {
    expect((await counted('checkout', on, 1000)).body.accepted).toBe(1)
    await counted('steps', off, 200)
    await counted('checkout', undefined, 30)
    await counted('nothing', undefined, 4)
    expect(await ofFeature()).toEqual({ 'variation-on': 1000, 'variation-off': 200, default: 30 })
    expect([await ofProject(), await users()]).toEqual([1234, 0])
  })

  it('are counted as client SDKs report them, for their user', async () => {
    const events = [
      { type: 'variableEvaluated', target: 'checkout', value: 2, featureVars: { [idOf('checkout')]: off } },
      { type: 'variableDefaulted', target: 'canada', value: 1 }
    ]
    const body = { user: { user_id: 'ada', sdkType: 'client', platform: 'web' }, events }
    expect((await act('sendEvents', { body, key: keyOf('client') })).body.accepted).toBe(2)
    expect(await ofFeature()).toEqual({ ...none, 'variation-off': 2 })
    expect(await ofFeature('canada')).toEqual({ ...none, default: 1 })
    expect([await ofProject(), await users()]).toEqual([3, 1])
  })

  it('without a user can be reported together with users', async () => {
    await counted('checkout', on, 10)
    const event = { type: 'variableEvaluated', target: 'checkout', value: 0, featureVars: { [idOf('checkout')]: on } }
    const batch = ['ada', 'eve', 'ada'].map((user_id) => ({ user: { user_id }, events: [event] }))
    expect((await act('sendEventBatches', { body: { batch } })).body.accepted).toBe(3)
    expect(await ofFeature()).toEqual({ ...none, 'variation-on': 10 })
    expect([await ofProject(), await users(), await users({ ...then(), sdkType: 'server' })]).toEqual([10, 2, 2])
    const wrong = { user: { user_id: 'ada' }, events: [{ ...event, value: -1 }] }
    expect((await act('sendEventBatches', { body: { batch: [wrong] } })).body.mistakes).toEqual([
      { path: 'batch[0].events[0]', message: expect.stringContaining('a whole number from 0 to 1000000000') }
    ])
  })

  it('are counted by /v1/track, unlike its other events', async () => {
    const events = [
      { type: 'variableEvaluated', target: 'checkout', metaData: { _variation: on } },
      { type: 'purchase' }
    ]
    expect((await act('track', { body: { user: { user_id: 'ada' }, events } })).status).toBe(201)
    expect(await ofFeature()).toEqual({ ...none, 'variation-on': 1 })
    expect([await ofProject(), await users()]).toEqual([1, 1])
  })

  it('count once when a payload is repeated, with the same response', async () => {
    moment = NOW
    server = await serve(plan)
    const given = { headers: { 'idempotency-key': 'payload-1' } }
    const first = await counted('checkout', on, 7, given)
    const second = await counted('checkout', on, 7, given)
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(await ofProject()).toBe(7)
    await server.close()
    server = await serve(server.directory)
    expect((await counted('checkout', on, 7, given)).body).toEqual(first.body)
    expect(await ofProject()).toBe(7)
    await counted('checkout', on, 7, { headers: { 'idempotency-key': 'payload-2' } })
    await counted('checkout', on, 7, { ...given, key: keyOf('server', 'staging') })
    expect(await ofProject()).toBe(21)
    await counted('checkout', on, 7, { ...given, key: keyOf('client') })
    expect(await ofProject()).toBe(28)
  })

  it('count if another payload has the same id', async () => {
    const given = { headers: { 'idempotency-key': 'everybody' } }
    const report = (user_id: string) => ({ user: { user_id }, events: [{ type: 'variableDefaulted', target: 'off' }] })
    const single = (user_id: string, key = keyOf('client')) =>
      act('sendEvents', { ...given, body: report(user_id), key })
    for (const user_id of ['eve', 'ada', 'ada', 'eve']) expect((await single(user_id)).body.accepted).toBe(1)
    expect(await users()).toBe(2)
    expect(await ofProject()).toBe(2)
    // Each operation distinguishes users separately.
    const key = keyOf('client')
    for (const _ of [1, 2]) await act('sendEventBatches', { ...given, body: { batch: [report('ada')] }, key })
    expect(await ofProject()).toBe(3)
    for (const _ of [1, 2]) await act('track', { ...given, body: report('ada') })
    expect(await ofProject()).toBe(4)
  })

  it('with public keys are counted by key type, and displace no others', async () => {
    const events = [{ type: 'aggVariableDefaulted', target: 'checkout', value: 1 }]
    const send = (type: 'server' | 'client' | 'mobile', platforms: readonly string[]) => {
      const batch = platforms.map((platform) => ({ user: { user_id: 'x', platform, sdkType: 'server' }, events }))
      return act('sendEventBatches', { body: { batch }, key: keyOf(type) })
    }
    const junk = Array.from({ length: 25 }, (_, index) => `junk ${index}`)
    await send('client', junk)
    await send('mobile', ['iOS'])
    await send('server', ['NodeJS'])
    const by = async (query: Query) => (await ofFeature('checkout', { ...then(), ...query })).default
    expect(await by({ sdkType: 'client' })).toBe(25)
    expect(await by({ sdkType: 'mobile', platform: 'iOS' })).toBe(1)
    expect(await by({ sdkType: 'server', platform: 'NodeJS' })).toBe(1)
    expect(await by({ platform: 'other' })).toBe(5)
  })

  it.each(['client', 'mobile'] as const)('with a %s key are at most a million', async (type) => {
    const given = { key: keyOf(type) }
    expect((await counted('checkout', on, 1_000_000, given)).body.accepted).toBe(1)
    expect((await counted('checkout', on, 1_000_001, given)).body.mistakes).toEqual([
      { path: 'batch[0].events[0]', message: expect.stringContaining('from 1 to 1000000 in') }
    ])
    expect(await ofProject()).toBe(1_000_000)
  })

  it.each<[string, string]>([
    ['-1', '-1'],
    ['0', '0'],
    ['1.5', '1.5'],
    ['1e300', '1e\\+300'],
    ['1000000001', '1000000001']
  ])('are refused individually if their number is %s', async (value, shown) => {
    const { status, body } = await counted('checkout', on, Number(value))
    expect([status, body.accepted, body.refused]).toEqual([201, 0, 1])
    const message = new RegExp(`^value should be a whole number from 1 to 1000000000 in .+, got ${shown}$`)
    expect(body.mistakes).toEqual([{ path: 'batch[0].events[0]', message: expect.stringMatching(message) }])
    expect((await counted('checkout', on, 1_000_000_000)).body.accepted).toBe(1)
    expect(await ofProject()).toBe(1_000_000_000)
  })

  it('are refused without a variable', async () => {
    const body = { user: { user_id: 'ada' }, events: [{ type: 'variableEvaluated' }] }
    const answer = await act('track', { body })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining('events.0.target should be the key of the variable')
    ])
    expect((await act('sendEvents', { body })).body.refused).toBe(1)
    expect(await ofProject()).toBe(0)
  })

  it('of a thousand unknown variables are stored as one count', async () => {
    const events = Array.from({ length: 1000 }, (_, index) => ({
      type: 'variableDefaulted',
      target: `nothing-${index}`
    }))
    await act('sendEvents', { body: { user: { user_id: 'ada' }, events } })
    expect([await ofProject(), await users()]).toEqual([1000, 1])
  })
})

describe('results', () => {
  it('can be filtered by their source', async () => {
    await evaluate('checkout')
    await evaluate('checkout', { sdkType: 'mobile', platform: 'Android' })
    await evaluate('steps', { user_id: 'eve', sdkType: 'server', platform: 'NodeJS' }, keyOf('server', 'staging'))
    await counted('checkout', on, 10, { key: keyOf('client') })
    const total = async (query: Query) => [
      (await ofFeature('checkout', { ...then(), ...query }))['variation-on'],
      await ofProject({ ...then(), ...query }),
      await users({ ...then(), ...query })
    ]
    expect(await total({})).toEqual([13, 13, 2])
    expect(await total({ environment: 'production' })).toEqual([12, 12, 1])
    expect(await total({ environment: idOf('staging') })).toEqual([1, 1, 1])
    expect(await total({ sdkType: 'api' })).toEqual([1, 1, 1])
    expect(await total({ sdkType: 'mobile' })).toEqual([1, 1, 1])
    expect(await total({ sdkType: 'server' })).toEqual([1, 1, 1])
    expect(await total({ sdkType: 'client' })).toEqual([10, 10, 0])
    expect(await total({ sdkType: 'mobile', environment: 'staging' })).toEqual([0, 0, 0])
    const by = async (query: Query) => (await ofFeature('checkout', { ...then(), ...query }))['variation-on']
    expect(await by({ platform: 'Android' })).toBe(1)
    expect(await by({ platform: 'NodeJS' })).toBe(1)
    expect(await by({ platform: 'unknown' })).toBe(11)
    expect(await by({ platform: 'Solaris' })).toBe(0)
    expect(await by({ variable: 'steps' })).toBe(1)
    expect(await by({ variable: idOf('variable checkout') })).toBe(12)
    expect(await by({ variable: 'steps', platform: 'Android' })).toBe(0)
  })

  it('are grouped by hour, day and month, including empty periods', async () => {
    server = await serve(plan)
    const moments = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-03T05:30:00.000Z']
    for (const each of moments) {
      moment = Date.parse(each)
      await evaluate('checkout')
      await counted('canada', undefined, 10)
    }
    const startDate = Date.parse('2026-01-31T23:00:00.000Z')
    const endDate = Date.parse('2026-02-03T06:00:00.000Z')
    const by = async (period: string) => {
      const periods = await evaluationsBy('getProjectTotalEvaluations', { startDate, endDate, period })
      return periods.map(({ date, value }) => [date.slice(0, 13), value])
    }
    expect(await by('month')).toEqual([
      ['2026-01-01T00', 11],
      ['2026-02-01T00', 22]
    ])
    expect(await by('day')).toEqual([
      ['2026-01-31T00', 11],
      ['2026-02-01T00', 11],
      ['2026-02-02T00', 0],
      ['2026-02-03T00', 11]
    ])
    const hours = await by('hour')
    expect(hours).toHaveLength(55)
    expect(hours.filter(([, value]) => value !== 0)).toEqual([
      ['2026-01-31T23', 11],
      ['2026-02-01T00', 11],
      ['2026-02-03T05', 11]
    ])
    // A user counts once in each period.
    expect(await users({ startDate, endDate, period: 'hour' })).toBe(3)
    expect(await users({ startDate, endDate, period: 'month' })).toBe(2)
    // The default range contains the last February, and January before it.
    expect(await ofProject({ period: 'month' })).toBe(33)
    expect(await ofProject({})).toBe(0)
  })

  it('cover all hours that overlap the range', async () => {
    const noon = Date.parse('2026-02-10T12:00:00.000Z')
    for (let hour = -1; hour <= 2; hour++) {
      moment = noon + hour * HOUR + HOUR / 2
      await counted('checkout', on, 10 ** (hour + 1))
    }
    const half = HOUR / 2
    for (const period of ['hour', 'day', 'month']) {
      expect(await ofProject({ startDate: noon, endDate: noon + HOUR, period })).toBe(10)
      expect(await ofProject({ startDate: noon + half + 1, endDate: noon + HOUR + 1, period })).toBe(110)
      expect(await ofProject({ startDate: noon - 1, endDate: noon, period })).toBe(1)
      expect(await ofProject({ startDate: noon - HOUR, endDate: noon + 3 * HOUR, period })).toBe(1111)
    }
  })

  it('show a removed variation by its id, and a removed feature in the total', async () => {
    moment = NOW
    server = await serve(plan)
    await counted('checkout', off, 5)
    await counted('canada', undefined, 3)
    const kept = { key: 'variation-on', name: 'On', _id: on, variables: { checkout: true, steps: 3 } }
    const params = { project: 'shop', feature: 'checkout' }
    const updated = await call(server, 'updateFeature', { params, body: { variations: [kept] } })
    expect(updated.status).toBe(200)
    expect(await ofFeature()).toEqual({ 'variation-on': 0, [off]: 5, default: 0 })
    // A late event names a variation that the feature no longer has.
    await counted('checkout', off, 1)
    expect(await ofFeature()).toEqual({ 'variation-on': 0, [off]: 5, default: 1 })
    const gone = await call(server, 'deleteFeature', { params: { project: 'shop', feature: 'canada' } })
    expect(gone.status).toBeLessThan(300)
    await counted('canada', undefined, 20)
    expect(await ofProject()).toBe(29)
  })

  it('show a variation with the key default by its id', async () => {
    const named = { default: { tricky: true }, other: { tricky: false } }
    server = await serve({ features: [{ key: 'tricky', variations: named }] })
    await evaluate('tricky')
    await counted('tricky', undefined, 4)
    expect(await ofFeature('tricky')).toEqual({ [idOf('tricky default')]: 1, other: 0, default: 4 })
  })

  it('of features and of unknown variables add up to the project', async () => {
    server = await serve(plan)
    const features = plan.features!.map(({ key }) => key)
    const event = fc.record({
      variable: fc.constantFrom('checkout', 'steps', 'canada', 'off', 'nothing'),
      variation: fc.constantFrom(on, off, 'gone', undefined),
      environment: fc.constantFrom('production', 'staging'),
      keyType: fc.constantFrom('server', 'client', 'mobile'),
      value: fc.integer({ min: 1, max: 1000 }),
      hour: fc.integer({ min: 0, max: 50 })
    })
    let begin = Date.parse('2025-12-10T00:00:00.000Z')
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        // Each run uses its own days.
        begin += 4 * DAY
        for (const { variable, variation, environment, keyType, value, hour } of events) {
          moment = begin + hour * HOUR
          await counted(variable, variation, value, { key: keyOf(keyType, environment) })
        }
        const unknown = events.filter(({ variable }) => variable === 'nothing')
        const range = { startDate: begin, endDate: begin + 3 * DAY }
        for (const period of ['hour', 'day', 'month']) {
          let sum = unknown.reduce((total, { value }) => total + value, 0)
          for (const feature of features) {
            const values = Object.values(await ofFeature(feature, { ...range, period }))
            sum += values.reduce((total, value) => total + value, 0)
          }
          expect(await ofProject({ ...range, period })).toBe(sum)
          expect(sum).toBe(events.reduce((total, { value }) => total + value, 0))
        }
      }),
      { numRuns: 8 }
    )
  })
})
