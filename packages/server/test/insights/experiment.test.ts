import { Agent, request } from 'node:http'
import type { MetricDimension } from '@burgee/contract/schemas'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { DAY, keyOf, NOW } from '@burgee/testing/plan'
import { isFull, sample } from '@burgee/testing/scale'
import { seededRandom } from '@burgee/testing/seededRandom'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type Arm, compareArms } from '../../src/insights/results/inference/compareArms.ts'
import type { EventRecord } from '../../src/storage/events/eventStore.ts'
import { customEvent, exposure, resultOf, START } from '../support/events/eventRecords.ts'

const params = { project: 'shop' }
const USERS = 5000
const DAYS = 5
/** The midnight before the first user. */
const FIRST = Math.ceil(NOW / DAY) * DAY
/** The conversion rate of the old checkout is a tenth, and that of the new one half as high again. */
const RATES: Readonly<Record<string, number>> = { old: 0.1, new: 0.15 }

/** The variation and the purchases of a simulated user. */
interface Visitor {
  readonly id: string
  readonly variation: string
  readonly day: number
  readonly values: readonly number[]
}

let server: TestServer
let visitors: readonly Visitor[]

describe(`an experiment with ${USERS} users and a known lift`, () => {
  beforeAll(async () => {
    server = await serve({
      features: [
        {
          key: 'checkout',
          variables: { steps: 'String' },
          variations: { old: { steps: 'old' }, new: { steps: 'new' } },
          targets: [{ serves: { old: 0.5, new: 0.5 } }]
        }
      ]
    })
    visitors = await visit(server)
    server.clock.now = () => FIRST + DAYS * DAY
  }, 120_000)

  const range = { startDate: new Date(FIRST).toISOString(), endDate: new Date(FIRST + DAYS * DAY).toISOString() }

  function results(dimension: MetricDimension): Promise<ApiResponse> {
    const metric = { event: 'purchase', dimension, optimize: 'increase' }
    return call(server, 'testMetricResults', {
      params,
      query: { ...range, ...metric, feature: 'checkout', control: 'old' }
    })
  }

  it('detects the lift as significant', async () => {
    const { body } = await results('COUNT_PER_UNIQUE_USER')
    const [, found] = body.result.variations
    expect(found.confidenceInterval.low).toBeLessThan(0.05)
    expect(found.confidenceInterval.high).toBeGreaterThan(0.05)
    expect(found.relativeConfidenceInterval.low).toBeLessThan(0.5)
    expect(found.relativeConfidenceInterval.high).toBeGreaterThan(0.5)
    expect(found).toMatchObject({ isSignificant: true, chanceToBeatControl: expect.closeTo(1, 2) })
    expect(found.sequentialPValue).toBeLessThan(0.05)
    expect(found.sequentialPValue).toBeGreaterThan(found.pValue)
    const { sampleRatio } = body.result
    expect(sampleRatio).toMatchObject({ expected: { old: 0.5, new: 0.5 }, isMismatch: false })
    expect(sampleRatio.observed.old + sampleRatio.observed.new).toBe(USERS)
  })

  const dimensions: readonly MetricDimension[] = [
    'COUNT_PER_UNIQUE_USER',
    'COUNT_PER_VARIABLE_EVALUATION',
    'SUM_PER_UNIQUE_USER',
    'AVERAGE_PER_UNIQUE_USER',
    'TOTAL_AVERAGE',
    'TOTAL_SUM'
  ]

  it.each(dimensions)('computes the figures of %s like a plain computation', async (dimension) => {
    const { body } = await results(dimension)
    for (const { key, numerator, denominator, rate, stdev } of body.result.variations) {
      const plain = plainly(dimension, key, DAYS)
      expect(denominator).toBe(plain.denominator)
      expect(numerator).toBeCloseTo(plain.numerator, 6)
      expect(rate).toBeCloseTo(plain.numerator / plain.denominator, 9)
      if (stdev !== undefined) expect(stdev).toBeCloseTo(plain.stdev, 9)
    }
    const untilDay = (day: number) => {
      return ['old', 'new'].map((key) => plainly(dimension, key, day + 1)).map((one) => one.numerator / one.denominator)
    }
    expect(body.result.dataSeries).toHaveLength(DAYS)
    for (const [day, { values }] of body.result.dataSeries.entries()) {
      const [old = 0, fresh = 0] = untilDay(day)
      expect(values).toEqual({ old: expect.closeTo(old, 9), new: expect.closeTo(fresh, 9) })
    }
  })
})

/** Simulates users on several days: each evaluates the variable, and may buy once or several times. */
async function visit(at: TestServer): Promise<readonly Visitor[]> {
  const random = seededRandom(20_261_121)
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const all: Visitor[] = []
  for (let day = 0; day < DAYS; day++) {
    at.clock.now = () => FIRST + day * DAY
    const ids = Array.from({ length: USERS / DAYS }, (_, index) => `visitor ${day} ${index}`)
    const variations = await Promise.all(ids.map((id) => evaluate(at, agent, id)))
    const today = ids.map((id, index): Visitor => {
      const variation = variations[index] ?? ''
      const count = random() < (RATES[variation] ?? 0) ? 1 + Math.floor(random() * 3) : 0
      return { id, variation, day, values: Array.from({ length: count }, () => Math.round(random() * 10_000) / 100) }
    })
    const batch = today
      .filter(({ values }) => values.length > 0)
      .map(({ id, values }) => ({
        user: { user_id: id },
        events: values.map((value) => ({ type: 'customEvent', customType: 'purchase', value }))
      }))
    const answer = await call(at, 'sendEventBatches', { body: { batch } })
    expect([answer.status, answer.body.refused]).toEqual([201, 0])
    all.push(...today)
  }
  agent.destroy()
  return all
}

/** Returns the value that the server serves to a user; it reuses connections, because there are many users. */
function evaluate({ port }: TestServer, agent: Agent, user_id: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/variables/steps', agent, headers })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(JSON.parse(text).value)
    })
    asked.end(JSON.stringify({ user_id }))
  })
}

/** Computes the figures of a variation from the sent events until the end of a day. */
function plainly(dimension: MetricDimension, variation: string, days: number) {
  const users = visitors.filter((visitor) => visitor.variation === variation && visitor.day < days)
  const buyers = users.filter(({ values }) => values.length > 0)
  const values = users.flatMap((user) => user.values)
  const sums = users.map((user) => sum(user.values))
  const means = buyers.map((user) => sum(user.values) / user.values.length)
  switch (dimension) {
    case 'COUNT_PER_UNIQUE_USER':
      return { numerator: buyers.length, denominator: users.length, stdev: 0 }
    case 'COUNT_PER_VARIABLE_EVALUATION':
      return { numerator: values.length, denominator: users.length, stdev: 0 }
    case 'AVERAGE_PER_UNIQUE_USER':
      return { numerator: sum(means), denominator: means.length, stdev: deviation(means) }
    case 'TOTAL_AVERAGE':
      return { numerator: sum(values), denominator: values.length, stdev: deviation(values) }
    default:
      return { numerator: sum(values), denominator: users.length, stdev: deviation(sums) }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function deviation(numbers: readonly number[]): number {
  const mean = sum(numbers) / numbers.length
  return Math.sqrt(sum(numbers.map((number) => (number - mean) ** 2)) / (numbers.length - 1))
}

/** Not scaled by TEST_RUNS: a share of 6 % says nothing about a few experiments. */
const SEEDS = isFull ? 100 : 12

test.each(sample(['COUNT_PER_UNIQUE_USER', 'SUM_PER_UNIQUE_USER', 'TOTAL_AVERAGE'] as const, 1, 'dimensions'))(
  'nothing is found by %s in at least 94 % of experiments without an effect, however often one looks',
  async (dimension) => {
    let [once, often] = [0, 0]
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { variations } = await resultOf(withoutEffect(seededRandom(seed)), dimension, { days: 14 })
      if (variations[1]?.isSignificant) once++
      if ((variations[1]?.sequentialPValue ?? 1) < 0.05) often++
    }
    expect(once).toBeLessThanOrEqual(Math.ceil(SEEDS * 0.06))
    expect(often).toBeLessThanOrEqual(Math.ceil(SEEDS * 0.06))
  }
)

const traffic = [
  [5000, 0.01, 0.001],
  [20_000, 0.05, 0.001],
  [2000, 0.05, 0.01]
] as const

it.each(sample(traffic, 1, 'traffic'))(
  'nothing is found by looking at %d users a day for 30 days, a share of %f and a rate of %f',
  (daily, share, rate) => {
    const random = seededRandom(20_261_122)
    const pValues = Array.from({ length: RUNS }, () => sequentialOf(dailyLooks(random, daily, share, rate)))
    const found = pValues.filter((pValue) => pValue !== null && pValue < 0.05).length
    expect(found).toBeLessThanOrEqual(RUNS * 0.04)
  }
)

const RUNS = 4 * SEEDS

function sequentialOf(looks: readonly (readonly Arm[])[]): number | null {
  const pValues = looks.flatMap(([control, treatment]) => {
    const found = control && treatment && compareArms(control, treatment, 'increase').sequentialPValue
    return typeof found === 'number' ? [found] : []
  })
  return pValues.length > 0 ? Math.min(...pValues) : null
}

/** The arms at the ends of 30 days, with a small share of users of the new checkout and a rare event. */
function dailyLooks(random: () => number, daily: number, share: number, rate: number): readonly (readonly Arm[])[] {
  const users = [daily * (1 - share), daily * share]
  const doers = [0, 0]
  return Array.from({ length: 30 }, (_, day) => {
    return users.map((count, place): Arm => {
      doers[place] = (doers[place] ?? 0) + binomial(random, count, rate)
      return { type: 'count', proportion: { successes: doers[place] ?? 0, trials: count * (day + 1) } }
    })
  })
}

/** Returns the number of successes in a number of trials, by geometric gaps between successes. */
function binomial(random: () => number, trials: number, rate: number): number {
  const gap = () => 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - rate))
  let successes = 0
  for (let trial = gap(); trial <= trials; trial += gap()) successes++
  return successes
}

/** Two weeks of users, a tenth of whom buy, regardless of their variation. */
function withoutEffect(random: () => number): readonly EventRecord[] {
  return Array.from({ length: 14 }, (_, day) => {
    const at = START + day * DAY
    return Array.from({ length: 200 }, (_, index) => {
      const user = `${day} ${index}`
      const assigned = exposure(user, random() < 0.5 ? 'old' : 'new', at)
      const values = random() < 0.1 ? Array.from({ length: 1 + Math.floor(random() * 3) }, () => random() * 100) : []
      return [assigned, ...values.map((value) => customEvent(user, { value, at }))]
    })
  }).flat(2)
}
