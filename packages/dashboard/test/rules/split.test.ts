import { TargetInput } from '@burgee/contract/schemas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WHOLE } from '../../src/rules/percent.ts'
import {
  limitMessage,
  reduceSplit,
  type Split,
  type SplitAction,
  serveOne,
  shareLimit,
  shareText,
  soleVariation,
  toDistribution,
  toSplit
} from '../../src/rules/split.ts'

const distribution = TargetInput.shape.distribution

const shares = (...percentages: number[]) =>
  percentages.map((percentage, index) => ({ _variation: 'abcdefgh'[index] ?? '', percentage }))

const hundredths = ({ rows }: Split) => rows.map((row) => row.hundredths)

const apply = (split: Split, ...actions: SplitAction[]) => actions.reduce(reduceSplit, split)

const variation = fc.constantFrom(...'abcdefgh')

const action: fc.Arbitrary<SplitAction> = fc.oneof(
  fc.record({ type: fc.constant('set' as const), variation, hundredths: fc.double({ min: -100, max: 20_000 }) }),
  fc.record({ type: fc.constant('set' as const), variation, hundredths: fc.constantFrom(Number.NaN, Infinity) }),
  fc.record({
    type: fc.constantFrom('balance' as const, 'only' as const, 'remove' as const, 'serve' as const),
    variation
  }),
  fc.record({ type: fc.constant('add' as const), variation, isOn: fc.boolean() }),
  fc.constant({ type: 'even' as const })
)

const weights = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 8 })

const fractions = weights.map((list) => {
  const total = list.reduce((sum, weight) => sum + weight, 0)
  return list.map((weight) => (total === 0 ? 1 / list.length : weight / total))
})

describe('a split', () => {
  test('always adds up to 10,000 and results in a distribution that the API accepts', () => {
    fc.assert(
      fc.property(fractions, fc.array(action, { maxLength: 20 }), (percentages, actions) => {
        const split = apply(toSplit(shares(...percentages)), ...actions)
        expect(hundredths(split).reduce((sum, share) => sum + share, 0)).toBe(WHOLE)
        expect(hundredths(split).every((share) => Number.isInteger(share) && share >= 0)).toBe(true)
        expect(split.rows.some((row) => row.variation === split.balancing)).toBe(true)
        expect(distribution.safeParse(toDistribution(split)).error).toBeUndefined()
      })
    )
  })

  test('returns what the API had until something changes', () => {
    fc.assert(
      fc.property(fractions, (percentages) => {
        expect(toDistribution(toSplit(shares(...percentages)))).toEqual(shares(...percentages))
      })
    )
  })

  test('writes only the rows that changed', () => {
    const split = toSplit(shares(1 / 3, 1 / 3, 1 / 3))
    expect(split.rows.map(shareText)).toEqual(['≈ 33.34', '≈ 33.33', '≈ 33.33'])
    const changed = toDistribution(apply(split, { type: 'set', variation: 'a', hundredths: 3000 }))
    expect(changed.map(({ percentage }) => percentage)).toEqual([0.3, 1 / 3, expect.closeTo(0.7 - 1 / 3, 12)])
  })

  test.each<[string, Split, SplitAction, number[]]>([
    [
      'the balancing row takes the difference',
      toSplit(shares(0.5, 0.5)),
      { type: 'set', variation: 'a', hundredths: 2000 },
      [2000, 8000]
    ],
    [
      'the balancing row is an output',
      toSplit(shares(0.5, 0.5)),
      { type: 'set', variation: 'b', hundredths: 2000 },
      [5000, 5000]
    ],
    [
      'others limit a share',
      toSplit(shares(0.2, 0.3, 0.5)),
      { type: 'set', variation: 'a', hundredths: 9000 },
      [7000, 3000, 0]
    ],
    ['thirds', toSplit(shares(0.2, 0.3, 0.5)), { type: 'even' }, [3334, 3333, 3333]],
    ['only this', toSplit(shares(0.2, 0.3, 0.5)), { type: 'only', variation: 'b' }, [0, 10_000, 0]],
    ['adding while on', toSplit(shares(0.5, 0.5)), { type: 'add', variation: 'c', isOn: true }, [5000, 5000, 0]],
    ['adding while off', toSplit(shares(0.5, 0.5)), { type: 'add', variation: 'c', isOn: false }, [3334, 3333, 3333]],
    ['removing', toSplit(shares(0.2, 0.3, 0.5)), { type: 'remove', variation: 'a' }, [3000, 7000]],
    ['removing the balancing row', toSplit(shares(0.2, 0.3, 0.5)), { type: 'remove', variation: 'c' }, [2000, 8000]],
    ['the last variation stays', serveOne('a'), { type: 'remove', variation: 'a' }, [10_000]],
    ['shares that do not add up', toSplit(shares(0.2, 0.2)), { type: 'balance', variation: 'a' }, [5000, 5000]]
  ])('%s', (_, split, change, expected) => {
    expect(hundredths(reduceSplit(split, change))).toEqual(expected)
  })

  test('says which shares limit another', () => {
    const split = toSplit(shares(0.2, 0.3, 0.5))
    expect(shareLimit(split, 'a')).toBe(7000)
    expect(limitMessage(split, 'a', 7001, (key) => key.toUpperCase())).toBe('at most 70%: B has 30%')
    expect(limitMessage(split, 'a', 7000, (key) => key)).toBeUndefined()
  })

  test('marks scaled shares, and recognizes a single variation', () => {
    expect(toSplit(shares(0.2, 0.2)).isScaled).toBe(true)
    expect(toSplit([]).rows).toEqual([])
    expect(soleVariation(toSplit(shares(1, 0)))).toBe('a')
    expect(soleVariation(toSplit(shares(0.999_99, 0.000_01)))).toBeUndefined()
  })
})
