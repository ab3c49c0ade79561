import type { MetricDimension } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { DAY } from '@burgee/testing/plan'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMetricResult } from '../../src/insights/results/toMetricResult.ts'
import type { EventRecord } from '../../src/storage/events/eventStore.ts'
import {
  customEvent,
  echoed,
  evaluations,
  exposure,
  resultOf,
  START,
  variationsOf
} from '../support/events/eventRecords.ts'

// Control: ada bought for 10 and 20, bob for 5, cyd nothing. Treatment: dan for 30, eve for 40, 20 and 60, fay for 0.
const purchases: readonly EventRecord[] = [
  ...['ada', 'bob', 'cyd'].map((user) => exposure(user, 'old')),
  ...['dan', 'eve', 'fay'].map((user) => exposure(user, 'new')),
  evaluations('old', 10),
  evaluations('new', 8),
  ...[10, 20].map((value) => customEvent('ada', { value })),
  customEvent('bob', { value: 5 }),
  customEvent('dan', { value: 30 }),
  ...[40, 20, 60].map((value) => customEvent('eve', { value })),
  customEvent('fay', { value: 0 })
]

/**
 * The expected values of both variations and their comparison. SciPy 1.17.1 computed the last three; values of so few
 * users are not tested.
 */
interface Expected {
  readonly old: object
  readonly new: object
  readonly pValue?: number
  /** The probability that a sample of the treatment's posterior is higher, with flat priors. */
  readonly chance?: number
  readonly low?: number
  readonly high?: number
}

const expected: { readonly [D in MetricDimension]: Expected } = {
  COUNT_PER_UNIQUE_USER: {
    old: { numerator: 2, denominator: 3, rate: 2 / 3 },
    new: { numerator: 3, denominator: 3, rate: 1, percentDifference: (1 - 2 / 3) / (2 / 3) },
    // Fisher's exact test: with five of six in total, no split is less likely. The interval is the score interval.
    pValue: 1,
    chance: 0.845_842_973_499_181_6,
    low: -0.344_727_509,
    high: 0.792_340_399
  },
  COUNT_PER_VARIABLE_EVALUATION: {
    old: { numerator: 3, denominator: 10, rate: 0.3 },
    new: { numerator: 5, denominator: 8, rate: 5 / 8, percentDifference: (5 / 8 - 0.3) / 0.3 },
    pValue: 0.341_560_400_383_929_76,
    chance: 0.916_324_483_422_777_2,
    low: -0.132_050_170_515_731_65,
    high: 0.670_628_232_627_751_7
  },
  SUM_PER_UNIQUE_USER: {
    // Sums 30, 5, 0 and 30, 120, 0.
    old: { numerator: 35, denominator: 3, rate: 35 / 3, avgValue: 35 / 3, totalValue: 35, stdev: Math.sqrt(775 / 3) },
    new: { numerator: 150, denominator: 3, rate: 50, avgValue: 50, totalValue: 150, stdev: Math.sqrt(3900) }
  },
  AVERAGE_PER_UNIQUE_USER: {
    // Means 15, 5 and 30, 40, 0.
    old: { numerator: 20, denominator: 2, rate: 10, avgValue: 10, totalValue: 35, stdev: Math.sqrt(50) },
    new: { numerator: 70, denominator: 3, rate: 70 / 3, avgValue: 70 / 3, totalValue: 150, stdev: Math.sqrt(1300 / 3) }
  },
  TOTAL_AVERAGE: {
    // Values 10, 20, 5 and 30, 40, 20, 60, 0.
    old: { numerator: 35, denominator: 3, rate: 35 / 3, avgValue: 35 / 3, totalValue: 35, stdev: Math.sqrt(175 / 3) },
    new: { numerator: 150, denominator: 5, rate: 30, avgValue: 30, totalValue: 150, stdev: Math.sqrt(500) }
  },
  TOTAL_SUM: {
    old: { numerator: 35, denominator: 3, rate: 35 / 3, avgValue: 35 / 3, totalValue: 35, stdev: Math.sqrt(775 / 3) },
    new: { numerator: 150, denominator: 3, rate: 50, avgValue: 50, totalValue: 150, stdev: Math.sqrt(3900) }
  }
}

const every = Object.keys(expected) as MetricDimension[]
const ofUsers: readonly MetricDimension[] = ['COUNT_PER_UNIQUE_USER', 'SUM_PER_UNIQUE_USER', 'TOTAL_SUM']
const ofValues = every.filter((dimension) => !dimension.startsWith('COUNT'))

function closeTo(members: object): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, expect.closeTo(value, 9)]))
}

describe('six users and their purchases', () => {
  it.each(every)('have the results of %s that were computed by hand', async (dimension) => {
    const { old, new: fresh, pValue, chance = 0, low, high } = expected[dimension]
    const [control, treatment] = await variationsOf(purchases, dimension)
    expect(control).toMatchObject({
      key: 'old',
      name: 'old',
      ...closeTo(old),
      percentDifference: null,
      chanceToBeatControl: null,
      pValue: null,
      isSignificant: null,
      confidenceInterval: null,
      relativeConfidenceInterval: null,
      sequentialPValue: null
    })
    expect(treatment).toMatchObject({
      ...closeTo(fresh),
      ...(pValue === undefined
        ? { pValue: null, chanceToBeatControl: null, isSignificant: null, confidenceInterval: null }
        : {
            ...closeTo({ pValue, chanceToBeatControl: chance }),
            isSignificant: false,
            confidenceInterval: closeTo({ low, high })
          }),
      // A test needs thirty users of each, and these are three.
      sequentialPValue: null
    })
  })

  it.each(every.filter((dimension) => !ofValues.includes(dimension)))(
    'are as likely to be worse by %s, where less is better',
    async (dimension) => {
      const [, more] = await variationsOf(purchases, dimension)
      const [, less] = await variationsOf(purchases, dimension, { optimize: 'decrease' })
      expect(less?.chanceToBeatControl).toBeCloseTo(1 - (more?.chanceToBeatControl ?? 0), 12)
      expect({ ...less, chanceToBeatControl: 0 }).toEqual({ ...more, chanceToBeatControl: 0 })
    }
  )
})

describe('an event counts for', () => {
  const [early, late] = [START + 1000, START + 2000]

  /** The denominators and numerators by a dimension. */
  async function figures(dimension: MetricDimension, occurrences: readonly EventRecord[]) {
    return (await variationsOf(occurrences, dimension)).map(({ numerator, denominator }) => [numerator, denominator])
  }

  it('the last variation of its user', async () => {
    const occurrences = [
      exposure('ada', 'old'),
      customEvent('ada', { value: 1 }),
      exposure('ada', 'new', early),
      customEvent('ada', { value: 5 })
    ]
    expect(await figures('SUM_PER_UNIQUE_USER', occurrences)).toEqual([
      [1, 1],
      [5, 1]
    ])
    const back = [...occurrences, exposure('ada', 'old', late), customEvent('ada', { value: 20 })]
    expect(await figures('SUM_PER_UNIQUE_USER', back)).toEqual([
      [21, 1],
      [5, 1]
    ])
  })

  it('the variation that it names, if its user ever got that one', async () => {
    const occurrences = [
      exposure('ada', 'old'),
      exposure('ada', 'new', early),
      customEvent('ada', { value: 3, variation: 'old' })
    ]
    expect(await figures('SUM_PER_UNIQUE_USER', occurrences)).toEqual([
      [3, 1],
      [0, 1]
    ])
    // An SDK names the variations of every feature for a user, whether or not the user saw them.
    expect(
      await figures('COUNT_PER_UNIQUE_USER', [exposure('ada', 'old'), customEvent('ada', { variation: 'new' })])
    ).toEqual([
      [0, 1],
      [0, 0]
    ])
    expect(
      await figures('COUNT_PER_UNIQUE_USER', [customEvent('ada', { variation: 'new' }), exposure('ada', 'new', early)])
    ).toEqual([
      [0, 0],
      [1, 1]
    ])
  })

  it('the last variation of its user, where it names one that the feature does not have', async () => {
    const occurrences = [exposure('ada', 'old'), customEvent('ada', { value: 3, variation: 'gone' })]
    expect(await figures('SUM_PER_UNIQUE_USER', occurrences)).toEqual([
      [3, 1],
      [0, 0]
    ])
    expect(await figures('COUNT_PER_VARIABLE_EVALUATION', occurrences)).toEqual([
      [1, 0],
      [0, 0]
    ])
  })

  it('nothing if any exposure is known, but none of its user', async () => {
    const words = [
      customEvent('eve', { value: 1000, variation: 'new' }),
      exposure('ada', 'old'),
      customEvent('ada', { value: 3, variation: 'new' }),
      customEvent('eve', { value: 1000, variation: 'new' }),
      evaluations('new', 10)
    ]
    const found = await Promise.all(every.map(async (dimension) => [dimension, (await figures(dimension, words))[1]]))
    expect(Object.fromEntries(found)).toEqual({
      COUNT_PER_UNIQUE_USER: [0, 0],
      COUNT_PER_VARIABLE_EVALUATION: [1, 10],
      SUM_PER_UNIQUE_USER: [0, 0],
      AVERAGE_PER_UNIQUE_USER: [3, 1],
      TOTAL_AVERAGE: [3, 1],
      TOTAL_SUM: [0, 0]
    })
    // Once a user has an exposure, the event's own variation counts, for earlier events too, except evaluations.
    const later = [...words, exposure('eve', 'old', early), customEvent('eve', { value: 1000, variation: 'new' })]
    expect((await figures('TOTAL_AVERAGE', later))[1]).toEqual([3003, 4])
    expect((await figures('COUNT_PER_VARIABLE_EVALUATION', later))[1]).toEqual([2, 10])
  })

  it('nothing on days before the first exposure of the range', async () => {
    const words = [customEvent('eve', { value: 5, variation: 'new' }), evaluations('new', 10)]
    const later = [...words, exposure('ada', 'new', START + DAY), customEvent('ada', { value: 7, at: START + DAY })]
    const rates = async (dimension: MetricDimension, occurrences: readonly EventRecord[]) => {
      const { dataSeries } = await resultOf(occurrences, dimension, { days: 2 })
      return dataSeries.map(({ values }) => values.new)
    }
    expect(await rates('TOTAL_AVERAGE', words)).toEqual([5, 5])
    expect(await rates('TOTAL_AVERAGE', later)).toEqual([undefined, 7])
    expect(await rates('COUNT_PER_VARIABLE_EVALUATION', words)).toEqual([0.1, 0.1])
    expect(await rates('COUNT_PER_VARIABLE_EVALUATION', later)).toEqual([0, 0.1])
  })

  it('the variation that it names, without exposures and in dimensions that do not divide by users', async () => {
    // Server SDKs count evaluations without users.
    const occurrences = [
      evaluations('new', 10),
      customEvent('ada', { value: 3, variation: 'new' }),
      customEvent('bob', { value: 9 })
    ]
    const found = await Promise.all(
      every.map(async (dimension) => [dimension, (await figures(dimension, occurrences))[1]])
    )
    expect(Object.fromEntries(found)).toEqual({
      COUNT_PER_UNIQUE_USER: [0, 0],
      COUNT_PER_VARIABLE_EVALUATION: [1, 10],
      SUM_PER_UNIQUE_USER: [0, 0],
      AVERAGE_PER_UNIQUE_USER: [3, 1],
      TOTAL_AVERAGE: [3, 1],
      TOTAL_SUM: [0, 0]
    })
  })

  it.each(every.filter((dimension) => dimension !== 'COUNT_PER_VARIABLE_EVALUATION'))(
    'the first variation its user got after it, by %s',
    async (dimension) => {
      const occurrences = [
        customEvent('ada', { value: 7 }),
        exposure('ada', 'new', early),
        exposure('ada', 'old', late)
      ]
      const [, [numerator] = []] = await figures(dimension, occurrences)
      expect(numerator).toBe(dimension === 'COUNT_PER_UNIQUE_USER' ? 1 : 7)
    }
  )

  it('the same variation as earlier events of its user', async () => {
    const waiting = [customEvent('ada', { value: 7 }), customEvent('ada', { value: 1 })]
    const before = [...waiting, customEvent('ada', { value: 2, variation: 'new' }), exposure('ada', 'new', early)]
    const [, fresh] = await variationsOf([...before, customEvent('ada', { value: 3 })], 'TOTAL_AVERAGE')
    // 7, 1, 2 and 3: a mean of 13/4, and squares of 225/16 + 81/16 + 25/16 + 1/16.
    const stdev = expect.closeTo(Math.sqrt(332 / 16 / 3), 12)
    expect(fresh).toMatchObject({ numerator: 13, denominator: 4, avgValue: 13 / 4, stdev })
  })

  it('nothing before its user got a variation, by COUNT_PER_VARIABLE_EVALUATION', async () => {
    const figures = await variationsOf(
      [
        customEvent('ada'),
        exposure('ada', 'new', early),
        evaluations('new', 4),
        customEvent('ada'),
        customEvent('ada'),
        customEvent('bob')
      ],
      'COUNT_PER_VARIABLE_EVALUATION'
    )
    expect(figures[1]).toMatchObject({ numerator: 2, denominator: 4 })
  })

  it('nothing where its user got a removed variation, or none', async () => {
    const occurrences = [exposure('ada', 'old'), exposure('ada', 'gone', early), customEvent('ada'), customEvent('bob')]
    expect(await figures('COUNT_PER_UNIQUE_USER', occurrences)).toEqual([
      [0, 1],
      [0, 0]
    ])
  })

  it('the variation that its user got in the same environment', async () => {
    const occurrences = [
      exposure('ada', 'old'),
      exposure('ada', 'new', START, 'staging'),
      customEvent('ada', { environment: 'staging' })
    ]
    expect(await figures('COUNT_PER_UNIQUE_USER', occurrences)).toEqual([
      [0, 1],
      [1, 1]
    ])
  })

  it.each(ofValues)('nothing without a value, by %s', async (dimension) => {
    const [, fresh] = await variationsOf(
      [exposure('ada', 'new'), customEvent('ada'), customEvent('ada', { value: 4 })],
      dimension
    )
    expect(fresh).toMatchObject({ numerator: 4, denominator: 1 })
  })
})

it('the users of a variation are the users who got it, regardless of the variation in their events', async () => {
  const occurrences = [
    exposure('ada', 'new'),
    customEvent('ada', { value: 1, variation: 'new' }),
    customEvent('bob', { value: 2, variation: 'new' })
  ]
  const { variations, sampleRatio } = await resultOf(occurrences, 'TOTAL_AVERAGE')
  expect(variations[1]).toMatchObject({ numerator: 1, denominator: 1 })
  expect(sampleRatio.observed).toEqual({ old: 0, new: 1 })
})

it('a higher rate beats a negative control', async () => {
  const occurrences = [
    exposure('ada', 'old'),
    exposure('bob', 'new'),
    customEvent('ada', { value: -10 }),
    customEvent('bob', { value: -5 })
  ]
  const [, fresh] = await variationsOf(occurrences, 'AVERAGE_PER_UNIQUE_USER')
  expect(fresh?.percentDifference).toBe(0.5)
})

it('the sequential p-value is the minimum over the days', async () => {
  const users = (variation: string, count: number, day: number) =>
    Array.from({ length: count }, (_, index) => exposure(`${variation} ${day} ${index}`, variation, START + day * DAY))
  const everybody = (variation: string, count: number, day: number) =>
    Array.from({ length: count }, (_, index) => customEvent(`${variation} ${day} ${index}`, { at: START + day * DAY }))
  const first = [...users('old', 400, 0), ...users('new', 400, 0), ...everybody('new', 100, 0)]
  const second = [...users('old', 100, 1), ...everybody('old', 100, 1)]
  const after = async (occurrences: readonly EventRecord[], days: number) =>
    (await variationsOf(occurrences, 'COUNT_PER_UNIQUE_USER', { days }))[1]
  const early = await after(first, 1)
  expect(early?.sequentialPValue).toBeLessThan(0.001)
  const late = await after([...first, ...second], 2)
  expect(late?.pValue).toBeGreaterThan(0.05)
  expect(late?.sequentialPValue).toBe(early?.sequentialPValue)
})

describe('with little data', () => {
  it.each(every)('%s has no comparison without events', async (dimension) => {
    const { dataSeries, variations } = await resultOf([], dimension, { days: 2 })
    expect(dataSeries.map(({ values }) => values)).toEqual([{}, {}])
    for (const one of variations) {
      expect(one).toMatchObject({ numerator: 0, denominator: 0, rate: 0, percentDifference: null, pValue: null })
      expect([one.chanceToBeatControl, one.isSignificant, one.confidenceInterval]).toEqual([null, null, null])
    }
  })

  it('a control of zero has no relative difference', async () => {
    const some = [
      exposure('ada', 'old'),
      exposure('bob', 'old'),
      exposure('cyd', 'new'),
      exposure('dan', 'new'),
      customEvent('cyd')
    ]
    const [control, fresh] = await variationsOf(some, 'COUNT_PER_UNIQUE_USER')
    expect(control).toMatchObject({ numerator: 0, denominator: 2, rate: 0 })
    expect(fresh).toMatchObject({ rate: 0.5, percentDifference: null, relativeConfidenceInterval: null })
    expect(fresh?.pValue).toBeGreaterThan(0.05)
  })

  it('a reason is given', async () => {
    const reasonOf = async (dimension: MetricDimension, occurrences: readonly EventRecord[]) => {
      const [control, fresh] = await variationsOf(occurrences, dimension)
      expect([control?.reason, fresh?.pValue, fresh?.chanceToBeatControl]).toEqual([undefined, null, null])
      return fresh?.reason
    }
    const both = [exposure('ada', 'old'), exposure('bob', 'new')]
    const more = [...both, exposure('cyd', 'old'), exposure('dan', 'new')]
    expect(await reasonOf('COUNT_PER_UNIQUE_USER', [])).toBe('the variation or the control has no users')
    expect(await reasonOf('COUNT_PER_UNIQUE_USER', both.slice(1))).toBe('the variation or the control has no users')
    expect(await reasonOf('TOTAL_SUM', both)).toMatch(/^a variation has fewer than 30 users/)
    const bought = [...more, ...['ada', 'cyd'].map((user) => customEvent(user, { value: 1 }))]
    expect(await reasonOf('TOTAL_SUM', bought)).toMatch(/^a variation has fewer than 30 users/)
    const often = [...more, evaluations('old', 1), evaluations('new', 1), customEvent('ada'), customEvent('cyd')]
    expect(await reasonOf('COUNT_PER_VARIABLE_EVALUATION', often)).toBe('a variation has more successes than trials')
  })

  it('a variation without users has no difference', async () => {
    const [, fresh] = await variationsOf([exposure('ada', 'old'), customEvent('ada')], 'COUNT_PER_UNIQUE_USER')
    expect(fresh).toMatchObject({ rate: 0, percentDifference: null })
  })

  it('a rate above 1 is shown and not tested', async () => {
    const many = [
      exposure('ada', 'new'),
      exposure('bob', 'old'),
      evaluations('old', 4),
      evaluations('new', 1),
      customEvent('ada'),
      customEvent('ada'),
      customEvent('bob')
    ]
    const [, fresh] = await variationsOf(many, 'COUNT_PER_VARIABLE_EVALUATION')
    expect(fresh).toMatchObject({ rate: 2, percentDifference: 7, pValue: null, chanceToBeatControl: null })
  })

  it('a feature without variations has an empty result', async () => {
    expect(await resultOf([], 'TOTAL_SUM', { keys: [] })).toMatchObject({
      variations: [],
      dataSeries: [{ values: {} }]
    })
  })
})

describe('the mean of events', () => {
  /** Users of a variation, with events of these values. */
  function buyers(variation: string, values: readonly (readonly number[])[]): readonly EventRecord[] {
    return values.flatMap((own, index) => {
      const user = `${variation} ${index}`
      return [exposure(user, variation), ...own.map((value) => customEvent(user, { value }))]
    })
  }
  it('treats the events of a user as dependent', async () => {
    const old = Array.from({ length: 100 }, (_, index) => [index % 12, (index % 12) + 2])
    const fresh = Array.from({ length: 120 }, (_, index) => (index % 3 ? [3 * (index % 11)] : [index % 5, 10]))
    const events = [...buyers('old', old), ...buyers('new', fresh)]
    const [, found] = await variationsOf(events, 'TOTAL_AVERAGE')
    // As if each event were of another user, the same test finds much less variance.
    const apart = (values: readonly (readonly number[])[]) => values.flat().map((value) => [value])
    const [, naive] = await variationsOf(
      [...buyers('old', apart(old)), ...buyers('new', apart(fresh))],
      'TOTAL_AVERAGE'
    )
    expect(found?.avgValue).toBeCloseTo(naive?.avgValue ?? 0, 12)
    expect(found?.pValue).toBeGreaterThan(naive?.pValue ?? 1)
    expect(found).not.toHaveProperty('reason')
  })

  it('finds no difference where one user dominates', async () => {
    const bot = Array.from({ length: 1000 }, (_, index) => index)
    const many = Array.from({ length: 60 }, (_, index) => [index, index + 2])
    const [, found] = await variationsOf([...buyers('old', many), ...buyers('new', [bot, ...many])], 'TOTAL_AVERAGE')
    expect(found?.decision).toBe('undecided')
    expect(found?.pValue ?? 1).toBeGreaterThan(0.05)
    expect(found?.avgValue).toBeGreaterThan(400)
  })
})

describe('the data series', () => {
  it('ends today', async () => {
    const exposedUsers = { users: 0, multiple: 0 }
    const days = [0, 1, 2].map((day) => {
      return { date: new Date(START + day * DAY).toISOString(), variations: [], exposedUsers }
    })
    const range = { start: START, end: START + 3 * DAY }
    const shown = { feature: { variations: [] }, configurations: [], control: '', optimize: 'increase' } as const
    const length = async (now: number) => {
      const context = { ...shown, range, query: echoed(), interimAnalyses: {}, now }
      return (await toMetricResult(context, { days, since: START })).result.dataSeries.length
    }
    const lengths = await Promise.all([START - 1, START, START + DAY - 1, START + 2 * DAY].map(length))
    expect(lengths).toEqual([0, 1, 1, 3])
  })

  it('has the rate until the end of each day', async () => {
    const occurrences = [
      exposure('ada', 'new'),
      customEvent('ada', { at: START + 1 }),
      exposure('bob', 'new', START + DAY),
      exposure('cyd', 'new', START + 3 * DAY),
      customEvent('cyd', { at: START + 3 * DAY })
    ]
    const { dataSeries } = await resultOf(occurrences, 'COUNT_PER_UNIQUE_USER', { days: 5 })
    expect(dataSeries.map(({ values }) => values.new)).toEqual([1, 1 / 2, 1 / 2, 2 / 3, 2 / 3])
    expect(dataSeries.map(({ date }) => date.slice(0, 10))).toEqual(
      ['01', '02', '03', '04', '05'].map((day) => `2026-02-${day}`)
    )
  })
})

describe('random events', () => {
  const keys = ['old', 'new', 'third']
  const users = fc.constantFrom('ada', 'bob', 'cyd', 'dan')
  const variation = fc.constantFrom('old', 'new', 'third', 'gone')
  const value = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constant(undefined))
  const environment = fc.constantFrom('production', 'staging')
  const step: fc.Arbitrary<EventRecord> = fc.oneof(
    fc.tuple(users, variation, environment).map(([user, one, where]) => exposure(user, one, START, where)),
    fc
      .tuple(users, value, fc.option(variation, { nil: undefined, freq: 4 }), environment)
      .map(([user, number, named, where]) => {
        return customEvent(user, { environment: where, ...omitUndefined({ value: number, variation: named }) })
      }),
    fc.tuple(variation, fc.integer({ min: 1, max: 9 })).map(([one, count]) => evaluations(one, count))
  )

  /** A plain computation that searches the whole list for each event. */
  function plainly(occurrences: readonly EventRecord[], dimension: MetricDimension, key: string): [number, number] {
    const isFor = (at: number) => {
      const event = occurrences[at]
      if (event?.type !== 'event') return false
      if (ofValues.includes(dimension) && event.value === undefined) return false
      const theirs = occurrences
        .map((one, index) => ({ one, index }))
        .filter(({ one }) => {
          return one.type === 'exposure' && one.user_id === event.user_id && one.environment === event.environment
        })
      const variationOf = (found: (typeof theirs)[number] | undefined) =>
        found?.one.type === 'exposure' ? found.one.variation : undefined
      const before = theirs.filter(({ index }) => index < at)
      const isAfterOnly = dimension === 'COUNT_PER_VARIABLE_EVALUATION'
      const counted = isAfterOnly ? before : theirs
      const word = keys.find((one) => one === event.variation)
      const mine = word ?? variationOf(before.at(-1) ?? (isAfterOnly ? undefined : theirs[0]))
      const isWordAll = !occurrences.some((one) => one.type === 'exposure')
      const isWordEnough = word === key && !ofUsers.includes(dimension) && (isWordAll || counted.length > 0)
      return mine === key && (isWordEnough || counted.some((one) => variationOf(one) === key))
    }
    const events = occurrences.flatMap((one, at) => (one.type === 'event' && isFor(at) ? [one] : []))
    const whose = ({ user_id, environment: where }: { user_id: string; environment: string }) => `${where} ${user_id}`
    const exposed = new Set(
      occurrences.flatMap((one) => (one.type === 'exposure' && one.variation === key ? [whose(one)] : []))
    )
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
    const total = sum(events.map((event) => event.value ?? 0))
    const doers = [...new Set(events.map(whose))]
    const meanOf = (user: string) => {
      const own = events.filter((event) => whose(event) === user).map((event) => event.value ?? 0)
      return sum(own) / own.length
    }
    const evaluations = occurrences.map((one) => (one.type === 'evaluations' && one.variation === key ? one.count : 0))
    switch (dimension) {
      case 'COUNT_PER_UNIQUE_USER':
        return [doers.length, exposed.size]
      case 'COUNT_PER_VARIABLE_EVALUATION':
        return [events.length, sum(evaluations)]
      case 'AVERAGE_PER_UNIQUE_USER':
        return [sum(doers.map(meanOf)), doers.length]
      case 'TOTAL_AVERAGE':
        return [total, events.length]
      default:
        return [total, exposed.size]
    }
  }

  it.each(every)('%s agrees with a plain computation', async (dimension) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (occurrences) => {
        for (const { key, numerator, denominator, ...rest } of await variationsOf(occurrences, dimension, { keys })) {
          const [above, below] = plainly(occurrences, dimension, key)
          expect([key, numerator, denominator]).toEqual([key, expect.closeTo(above, 9), below])
          expect(JSON.stringify(rest)).not.toContain('NaN')
          const numbers = Object.values(rest).filter((one) => typeof one === 'number')
          expect(numbers.every(Number.isFinite)).toBe(true)
        }
      }),
      { numRuns: 200 }
    )
  })

  it.each(ofValues)('%s ignores values beyond the limit, and stays finite', async (dimension) => {
    const values = fc.double({ noNaN: true, noDefaultInfinity: true })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(users, values), { maxLength: 12 }), async (bought) => {
        const occurrences = [
          ...['ada', 'bob'].map((user) => exposure(user, 'old')),
          ...['cyd', 'dan'].map((user) => exposure(user, 'new')),
          ...bought.map(([user, number]) => customEvent(user, { value: number }))
        ]
        const found = await variationsOf(occurrences, dimension)
        const counted = bought.map(([, number]) => number).filter((number) => Math.abs(number) <= 1e15)
        const sum = counted.reduce((total, number) => total + number, 0)
        const size = counted.reduce((total, number) => total + Math.abs(number), 0)
        const reported = found.reduce((total, { totalValue = 0 }) => total + totalValue, 0)
        expect(Math.abs(reported - sum)).toBeLessThanOrEqual(size * 1e-12)
        for (const one of found) {
          const { confidenceInterval, relativeConfidenceInterval, ...members } = one
          const bounds = [confidenceInterval, relativeConfidenceInterval].flatMap((found) => Object.values(found ?? {}))
          const numbers = [...Object.values(members), ...bounds].filter((member) => typeof member === 'number')
          expect(numbers.every(Number.isFinite)).toBe(true)
        }
      })
    )
  })
})
