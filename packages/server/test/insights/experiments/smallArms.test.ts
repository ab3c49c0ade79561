import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { DAY, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, expect, it } from 'vitest'

const params = { project: 'shop' }

/** A feature for each event, since everyone who got a variation counts. */
const plan: Plan = {
  environments: { production: {} },
  features: ['trial', 'purchase', 'renewal', 'reminder'].map((event) => ({
    key: event,
    variables: { [`${event}-steps`]: 'String' },
    variations: { old: { [`${event}-steps`]: 'old' }, new: { [`${event}-steps`]: 'new' } },
    targets: [{ serves: event === 'purchase' ? { old: 0.9, new: 0.1 } : { old: 0.5, new: 0.5 } }]
  }))
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

/** Reports users with the values of one kind of event; 0 is none. */
async function report(event: string, got: 'old' | 'new', values: readonly number[]): Promise<void> {
  const batch = values.map((value, index) => {
    const exposed = {
      type: 'variableEvaluated',
      target: `${event}-steps`,
      value: 1,
      metaData: { _feature: idOf(event), _variation: idOf(`${event} ${got}`) }
    }
    const events = value === 0 ? [] : [{ type: 'customEvent', customType: event, value }]
    return { user: { user_id: `${event} ${got} ${index}` }, events: [exposed, ...events] }
  })
  const { body } = await call(server, 'sendEventBatches', { key: keyOf('client', 'production'), body: { batch } })
  expect(body.refused).toBe(0)
}

/** The result of the treatment. */
async function resultOf(event: string, dimension: string, effect = '0.1'): Promise<ApiResponse['body']> {
  const range = { startDate: new Date(NOW - DAY).toISOString(), endDate: new Date(NOW + DAY).toISOString() }
  const query = { ...range, feature: event, event, dimension, optimize: 'increase', control: 'old', effect }
  const { status, body } = await call(server, 'testMetricResults', { params, query })
  expect(status).toBe(200)
  return body.result.variations.find(({ key }: ApiResponse['body']) => key === 'new')
}

const silent = {
  pValue: null,
  isSignificant: null,
  confidenceInterval: null,
  relativeConfidenceInterval: null,
  sequentialPValue: null,
  sequentialConfidenceInterval: null,
  chanceToBeatControl: null,
  decision: 'undecided'
}

it('counts of few users get a chance from their posterior distribution', async () => {
  await report('trial', 'old', [1, 1, 1])
  await report('trial', 'new', [1, 1, 0])
  const found = await resultOf('trial', 'COUNT_PER_UNIQUE_USER')
  expect(found).toMatchObject({ test: 'fisherExactTest', pValue: 1, sequentialPValue: null, decision: 'undecided' })
  expect(found.chanceToBeatControl).toBeCloseTo(0.154, 3)
})

it('sums of a small arm without a large value have no p-value, and the number of users that a comparison requires', async () => {
  // One of twenty buys; the values grow from 1 to 80. The small arm has seen small ones only.
  const control = Array.from({ length: 900 }, (_, index) => (index % 20 === 0 ? 1.1 ** (index / 20) : 0))
  const treatment = Array.from({ length: 100 }, (_, index) => (index % 20 === 0 ? 1.1 ** (index / 20) : 0))
  await report('purchase', 'old', control)
  await report('purchase', 'new', treatment)
  for (const dimension of ['SUM_PER_UNIQUE_USER', 'TOTAL_SUM']) {
    const found = await resultOf('purchase', dimension)
    // 30 buyers among a tenth of the users are 6,000 users, of whom one of twenty buys.
    expect(found).toMatchObject({ ...silent, usersNeeded: 6000 })
    expect(found.reason).toContain('fewer than 30 users with a value other than 0 are expected in a variation')
  }
  expect(await resultOf('purchase', 'TOTAL_AVERAGE')).toMatchObject({ ...silent, usersNeeded: 300 })
})

it('an arm of zeros has a relative interval with a width, and a decision', async () => {
  await report(
    'renewal',
    'old',
    Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 + (index % 30) : 0))
  )
  await report(
    'renewal',
    'new',
    Array.from({ length: 400 }, () => 0)
  )
  const found = await resultOf('renewal', 'SUM_PER_UNIQUE_USER')
  expect(found).toMatchObject({ totalValue: 0, test: 'welchTest', decision: 'worse' })
  const { low, high } = found.relativeConfidenceInterval
  expect(low).toBeLessThan(-1)
  expect(high).toBeGreaterThan(-0.95)
  expect(high).toBeLessThan(0)
})

it('counts say how many users the always-valid test takes, with the pooled variance', async () => {
  const values = Array.from({ length: 100 }, (_, index) => (index < 10 ? 1 : 0))
  await report('reminder', 'old', values)
  await report('reminder', 'new', values)
  for (const [effect, users, sequentialUsers] of [
    ['0.05', 57_760, 138_307],
    ['0.1', 14_749, 32_072]
  ] as const) {
    const { power } = await resultOf('reminder', 'COUNT_PER_UNIQUE_USER', effect)
    expect(Math.ceil(power.users / 2)).toBe(users)
    expect(Math.ceil(power.sequentialUsers / 2)).toBe(sequentialUsers)
  }
})
