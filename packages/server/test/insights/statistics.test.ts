import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type Comparison,
  chanceToBeat,
  isSignificant,
  sequentialPValue
} from '../../src/insights/results/statistics/comparison.ts'
import {
  chiSquarePValue,
  normalPValue,
  studentTCritical95,
  studentTPValue
} from '../../src/insights/results/statistics/distributions.ts'
import { isSampleRatioMismatch, sampleRatioPValue } from '../../src/insights/results/statistics/goodnessOfFit.ts'
import type { Proportion } from '../../src/insights/results/statistics/proportion.ts'
import { compareProportions } from '../../src/insights/results/statistics/twoProportions.ts'
import { compareMeans, type MeanSample } from '../../src/insights/results/statistics/welch.ts'

/** The sample of these values, computed like in a textbook. */
function sampleOf(values: readonly number[]): MeanSample {
  const size = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / size
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (size - 1) / size, size }
}

/** A sample given by its summary in a publication. */
function summary(mean: number, deviation: number, size: number): MeanSample {
  return { mean, variance: deviation ** 2 / size, size }
}

describe('tails of distributions', () => {
  it.each([
    // Abramowitz and Stegun, table 26.1, P(x): 2 (1 − P).
    [0, 1],
    [1, 0.317_310_507_862_914],
    [1.96, 0.049_995_790_296_440_9],
    [3, 0.002_699_796_063_260_19],
    // Far out, where 1 − P would be rounded away (Wolfram MathWorld's erfc, as R's 2 * pnorm(-8) has it).
    [8, 1.244_192_114_854_357e-15]
  ])('of the normal distribution are right at %f', (z, expected) => {
    expect(normalPValue(z)).toBeCloseTo(expected, 12)
    expect(normalPValue(z) / expected).toBeCloseTo(1, 9)
    expect(normalPValue(-z)).toBe(normalPValue(z))
  })

  it.each([
    // NIST/SEMATECH e-Handbook §1.3.6.7.2, column 0.975.
    [1, 12.706],
    [2, 4.303],
    [5, 2.571],
    [10, 2.228],
    [30, 2.042],
    [100, 1.984],
    [1e12, 1.96]
  ])("of Student's t are right with %d degrees of freedom", (degrees, critical) => {
    expect(studentTCritical95(degrees)).toBeCloseTo(critical, 3)
    expect(studentTPValue(studentTCritical95(degrees), degrees)).toBeCloseTo(0.05, 9)
  })

  it.each([
    // Closed forms: one degree is Cauchy's distribution, with two it is 1 − t / √(2 + t²).
    [3, 1, 1 - (2 / Math.PI) * Math.atan(3)],
    [0.01, 1, 1 - (2 / Math.PI) * Math.atan(0.01)],
    [4, 2, 1 - 4 / Math.sqrt(18)],
    // scipy.stats 1.17.1: 2 * t.sf(t, df).
    [1.96, 1e4, 0.05002352023183303],
    [4, 1e6, 6.334_703_401_004_81e-5]
  ])('of Student at %f with %d degrees are %f', (t, degrees, expected) => {
    expect(studentTPValue(t, degrees) / expected).toBeCloseTo(1, 7)
  })

  it.each([
    // NIST/SEMATECH e-Handbook §1.3.6.7.4, upper critical values.
    [3.841, 1, 0.05],
    [10.828, 1, 0.001],
    [5.991, 2, 0.05],
    [18.307, 10, 0.05],
    [124.342, 100, 0.05],
    // Example of R's prop.test: smokers of four groups.
    [12.6004, 3, 0.005_585]
  ])('of chi-square at %f with %d degrees are %f', (square, degrees, expected) => {
    expect(chiSquarePValue(square, degrees)).toBeCloseTo(expected, 4)
  })

  test('of chi-square with two degrees of freedom are an exponential', () => {
    for (const x of [1e-9, 0.1, 1, 2.9, 3.1, 20, 700]) expect(chiSquarePValue(x, 2)).toBeCloseTo(Math.exp(-x / 2), 12)
  })

  it('decrease monotonically from 1 to 0', () => {
    const any = fc.double({ min: 0, max: 1e200, noNaN: true })
    const degrees = fc.double({ min: 1, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(any, any, degrees, (one, other, df) => {
        const [near, far] = [Math.min(one, other), Math.max(one, other)]
        for (const tail of [
          normalPValue,
          (x: number) => studentTPValue(x, df),
          (x: number) => chiSquarePValue(x, df)
        ]) {
          expect(tail(near)).toBeLessThanOrEqual(1)
          expect(tail(far)).toBeGreaterThanOrEqual(0)
          // Rounding allows either neighbour.
          expect(tail(far)).toBeLessThanOrEqual(tail(near) * (1 + 1e-6))
        }
      })
    )
  })
})

describe("Welch's t-test", () => {
  it('agrees with R: t.test(extra ~ group, data = sleep)', () => {
    const first = sampleOf([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2])
    const second = sampleOf([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    // R subtracts the second group from the first.
    const found = compareMeans(second, first)
    expect(found?.statistic).toBeCloseTo(-1.8608, 4)
    expect(found?.pValue).toBeCloseTo(0.07939, 5)
    expect(found?.interval?.low).toBeCloseTo(-3.365_483_2, 6)
    expect(found?.interval?.high).toBeCloseTo(0.205_483_2, 6)
  })

  it('agrees with NIST for the mileage of cars: e-Handbook §1.3.5.3', () => {
    const [american, japanese] = [summary(20.144_58, 6.4147, 249), summary(30.481_01, 6.107_71, 79)]
    const found = compareMeans(japanese, american)
    expect(found?.statistic).toBeCloseTo(-12.946_27, 4)
    // Of 136.8750 degrees of freedom, as printed there; t times the standard error is the difference.
    const width = ((found?.interval?.high ?? 0) - (found?.interval?.low ?? 0)) / 2
    const error = (found?.difference ?? 0) / (found?.statistic ?? 0)
    expect(width / error).toBeCloseTo(studentTCritical95(136.875), 6)
    expect(found?.pValue).toBeLessThan(1e-20)
  })

  it('agrees with NAG for its routine g07caf', () => {
    const found = compareMeans(summary(21, 4.208, 8), summary(25, 0.8185, 4))
    expect(found?.statistic).toBeCloseTo(2.5922, 2)
    expect(found?.pValue).toBeCloseTo(0.032, 4)
    expect(found?.interval?.low).toBeCloseTo(0.441, 3)
    expect(found?.interval?.high).toBeCloseTo(7.559, 3)
  })

  it('returns undefined for fewer than two observations, and for different means without variance', () => {
    const some = summary(3, 1, 10)
    expect(compareMeans(summary(3, 0, 1), some)).toBeUndefined()
    expect(compareMeans(some, summary(0, 0, 0))).toBeUndefined()
    expect(compareMeans(summary(3, 0, 10), summary(4, 0, 10))).toBeUndefined()
    expect(compareMeans(summary(3, 0, 10), summary(3, 0, 10))).toEqual({
      difference: 0,
      statistic: 0,
      pValue: 1,
      size: 20,
      isLargeEnough: false
    })
    expect(compareMeans(summary(1e308, 1e200, 10), summary(-1e308, 1, 10))).toBeUndefined()
  })
})

describe('the z-test of proportions', () => {
  it('agrees with R without continuity correction (influentialpoints.com, note n9rmf3)', () => {
    const found = compareProportions({ successes: 39, trials: 128 }, { successes: 94, trials: 214 })
    expect((found?.statistic ?? 0) ** 2).toBeCloseTo(6.1026, 4)
    expect(found?.pValue).toBeCloseTo(0.0135, 5)
  })

  it('agrees with Penn State for the tax on cigarettes: STAT 415, lesson 9.4', () => {
    const found = compareProportions({ successes: 41, trials: 195 }, { successes: 351, trials: 605 })
    expect(found?.statistic).toBeCloseTo(8.99, 2)
  })

  it('returns undefined without trials, or with more successes than trials', () => {
    const some = { successes: 1, trials: 2 }
    expect(compareProportions(some, { successes: 0, trials: 0 })).toBeUndefined()
    expect(compareProportions({ successes: 3, trials: 2 }, some)).toBeUndefined()
    const none = { successes: 0, trials: 2 }
    expect(compareProportions(none, none)).toMatchObject({ statistic: 0, pValue: 1 })
  })
})

/** The comparison of two proportions. */
function proportions([x, n, y, m]: readonly [number, number, number, number]) {
  return [
    { successes: x, trials: n },
    { successes: y, trials: m }
  ] as const
}

describe("Fisher's exact test", () => {
  it.each([
    // R's `fisher.test` for the lady who tasted tea: 3 of 4 and 1 of 4.
    [[1, 4, 3, 4], 0.4857142857142857],
    // scipy.stats.fisher_exact 1.17.1.
    [[0, 3, 3, 3], 0.1],
    [[2, 3, 3, 3], 1],
    [[2, 7, 6, 7], 0.102_564_102_564_102_56],
    [[5, 4950, 1, 50], 0.058_548_400_912_348_33],
    [[4945, 4950, 49, 50], 0.058_548_400_912_348_33],
    [[0, 29, 5, 56], 0.160_621_443_209_471_1],
    [[3, 1e9, 2, 1e6], 9.960_094_248_922_471e-6],
    [[999_999_998, 1e9, 99_997, 1e5], 9.995_200_908_527_831e-12]
  ] as const)('decides where few are expected: %j', (counts, expected) => {
    const [control, treatment] = proportions(counts)
    expect((compareProportions(control, treatment)?.pValue ?? 0) / expected).toBeCloseTo(1, 6)
    expect((compareProportions(treatment, control)?.pValue ?? 0) / expected).toBeCloseTo(1, 6)
  })

  it('is not used where five successes and failures of each are expected', () => {
    // Of 50, five are expected here, and 4.9 there; SciPy's exact p-value of the first is 0.320148.
    expect(compareProportions(...proportions([43, 450, 7, 50]))?.pValue).toBeCloseTo(0.320_316_355, 7)
    expect(compareProportions(...proportions([43, 450, 6, 50]))?.pValue).toBeCloseTo(0.614_078_79, 7)
  })
})

describe('the score interval', () => {
  it.each([
    // Newcombe 1998, table II, method 5 (Mee): his four decimals; more of them by maximizing the likelihood with SciPy.
    [[48, 80, 56, 70], 0.053_333_849, 0.337_729_464],
    [[3, 10, 9, 10], 0.182_126_499, 0.836_950_331],
    [[2, 7, 6, 7], 0.054_448_328, 0.847_809_085],
    [[0, 29, 5, 56], -0.031_327_069, 0.192_560_013],
    // By SciPy alone.
    [[5, 4950, 1, 50], 0.002_486_872, 0.103_946_364],
    [[0, 20, 0, 10], -0.161_125_168, 0.277_532_8],
    [[39, 128, 94, 214], 0.028_246_955, 0.235_027_908]
  ] as const)('of a difference is that of Mee: %j', (counts, low, high) => {
    const { interval } = compareProportions(...proportions(counts)) ?? {}
    expect(interval?.low).toBeCloseTo(low, 7)
    expect(interval?.high).toBeCloseTo(high, 7)
  })

  it.each([
    // Koopman 1984: 36 of 40 and 16 of 80 have the ratios 2.94 to 7.15; more decimals as above.
    [[16, 80, 36, 40], 1.939_569_192, 6.152_223_437],
    [[48, 80, 56, 70], 0.079_821_506, 0.670_805_579],
    [[5, 4950, 1, 50], 2.074_692, 121.748_046_6],
    [[3, 10, 5, 8], -0.259_219_814, 5.325_779_198]
  ] as const)('of a ratio is that of Koopman: %j', (counts, low, high) => {
    const { relativeInterval } = compareProportions(...proportions(counts)) ?? {}
    expect(relativeInterval?.low).toBeCloseTo(low, 5)
    expect((relativeInterval?.high ?? 0) / high).toBeCloseTo(1, 5)
  })

  it('of a ratio begins at −1 without successes, and is missing without those of the control', () => {
    expect(compareProportions(...proportions([50, 100, 0, 10]))?.relativeInterval?.low).toBe(-1)
    expect(compareProportions(...proportions([0, 100, 5, 10]))?.relativeInterval).toBeUndefined()
    expect(compareProportions(...proportions([0, 100, 0, 10]))?.relativeInterval).toBeUndefined()
  })

  it('excludes zero exactly when the z-test is significant, as does the relative one', () => {
    const trials = fc.integer({ min: 1, max: 1e7 })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(trials, trials, share, share, (n, m, one, other) => {
        const [control, treatment] = proportions([Math.round(n * one), n, Math.round(m * other), m])
        const { statistic = 0, interval, relativeInterval } = compareProportions(control, treatment) ?? {}
        // At the boundary, rounding decides.
        fc.pre(Math.abs(Math.abs(statistic) - 1.959_964) > 1e-5)
        for (const found of [interval, relativeInterval]) {
          if (found) expect(found.low > 0 || found.high < 0).toBe(Math.abs(statistic) > 1.96)
        }
        expect(relativeInterval?.low ?? -1).toBeGreaterThanOrEqual(-1)
      })
    )
  })

  it.each([
    [1000, 20, 0.005],
    [500, 50, 0.01],
    [40, 40, 0.1],
    [20, 20, 0.5]
  ])('covers the true difference at about its nominal rate: %d and %d at %f', (n, m, rate) => {
    // All outcomes with their probabilities, without simulation.
    const [ofControl, ofTreatment] = [outcomes(n, rate), outcomes(m, rate)]
    let [covered, all] = [0, 0]
    for (const [x, p] of ofControl) {
      for (const [y, q] of ofTreatment) {
        const { interval } = compareProportions(...proportions([x, n, y, m])) ?? { interval: undefined }
        all += p * q
        if (interval && interval.low <= 0 && interval.high >= 0) covered += p * q
      }
    }
    // The plain interval (Wald's) covers it in 33 % and 55 % of the cases of the first two rows (SciPy).
    expect(covered / all).toBeGreaterThan(0.9)
  })

  /** The counts of successes that are not too unlikely, with their probabilities. */
  function outcomes(trials: number, rate: number): readonly (readonly [number, number])[] {
    let probability = (1 - rate) ** trials
    return Array.from({ length: trials + 1 }, (_, count) => {
      const found = [count, probability] as const
      probability *= ((trials - count) / (count + 1)) * (rate / (1 - rate))
      return found
    }).filter(([, one]) => one > 1e-6)
  }
})

describe('a sample ratio', () => {
  it('of 821,588 to 815,482 is a mismatch for one half (Kohavi, Tang and Xu 2020, chapter 3: p = 1.8e-6)', () => {
    const pValue = sampleRatioPValue([821_588, 815_482], [0.5, 0.5])
    expect(pValue).toBeCloseTo(1.8e-6, 7)
    expect(isSampleRatioMismatch(pValue ?? 1)).toBe(true)
  })

  it("matches for Mendel's peas (1866: 315, 108, 101 and 32 for 9:3:3:1; chi-square 0.470, p = 0.925)", () => {
    expect(sampleRatioPValue([315, 108, 101, 32], [9, 3, 3, 1])).toBeCloseTo(0.9254, 3)
  })

  it('is undefined without observations, and for a single count', () => {
    expect(sampleRatioPValue([0, 0], [0.5, 0.5])).toBeUndefined()
    expect(sampleRatioPValue([5], [1])).toBeUndefined()
  })
})

describe('the sequential p-value', () => {
  it('is 5 % where the confidence sequence ends', () => {
    // ρ² = (−2 ln 0.05 + ln(−2 ln 0.05) + 1) / 5000 = (5.991465 + 1.790336 + 1) / 5000 = 0.00175636
    const rho = 0.001_756_36
    for (const size of [100, 5000, 1_000_000]) {
      const scale = size * rho
      // The sequence reaches to √(2 (nρ² + 1) / (nρ²) · ln(√(nρ² + 1) / α)) standard errors.
      const reach = Math.sqrt(((2 * (scale + 1)) / scale) * Math.log(Math.sqrt(scale + 1) / 0.05))
      expect(sequentialPValue(reach, size)).toBeCloseTo(0.05, 4)
      expect(reach).toBeGreaterThan(1.96)
    }
  })

  it('is never smaller than the p-value of a single look', () => {
    const z = fc.double({ min: -30, max: 30, noNaN: true })
    fc.assert(
      fc.property(z, fc.integer({ min: 2, max: 1e9 }), (statistic, size) => {
        expect(sequentialPValue(statistic, size)).toBeGreaterThanOrEqual(normalPValue(statistic) * (1 - 1e-9))
        expect(sequentialPValue(statistic, size)).toBeLessThanOrEqual(1)
      })
    )
  })
})

describe('every comparison', () => {
  const trials = fc.integer({ min: 0, max: 1e9 })
  const proportion: fc.Arbitrary<Proportion> = fc
    .tuple(trials, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([count, share]) => ({ trials: count, successes: Math.round(count * share) }))
  const real = fc.double({ noNaN: true, noDefaultInfinity: true })
  const sample: fc.Arbitrary<MeanSample> = fc.record({
    mean: fc.oneof(real, fc.integer({ min: -5, max: 5 })),
    variance: fc.oneof(real.map(Math.abs), fc.constant(0)),
    size: fc.integer({ min: 0, max: 1e9 })
  })

  function expectSound(found: Comparison | undefined): void {
    if (!found) return
    const { interval, relativeInterval, ...numbers } = found
    const bounds = [interval, relativeInterval].flatMap((one) => (one ? [one.low, one.high] : []))
    for (const number of [...Object.values(numbers), ...bounds]) expect(number).not.toBeNaN()
    expect([...bounds, found.difference].every(Number.isFinite)).toBe(true)
    for (const chance of [found.pValue, chanceToBeat(found, 'increase'), chanceToBeat(found, 'decrease')]) {
      expect(chance).toBeGreaterThanOrEqual(0)
      expect(chance).toBeLessThanOrEqual(1)
    }
    expect(chanceToBeat(found, 'increase') + chanceToBeat(found, 'decrease')).toBeCloseTo(1, 9)
    for (const one of [interval, relativeInterval]) if (one) expect(one.low).toBeLessThanOrEqual(one.high)
    expect(sequentialPValue(found.statistic, found.size)).toBeLessThanOrEqual(1)
    expect(sequentialPValue(found.statistic, found.size)).toBeGreaterThanOrEqual(0)
  }

  it('of proportions is valid, symmetric, and finds no difference between equal samples', () => {
    fc.assert(
      fc.property(proportion, proportion, (one, other) => {
        const found = compareProportions(one, other)
        expectSound(found)
        const back = compareProportions(other, one)
        if (found) expect(back?.pValue).toBeCloseTo(found.pValue, 9)
        if (found) expect(back?.difference).toBeCloseTo(-found.difference, 12)
        const same = compareProportions(one, one)
        if (same) expect(same.pValue).toBe(1)
      })
    )
  })

  it('of means is valid, symmetric, and finds no difference between equal samples', () => {
    fc.assert(
      fc.property(sample, sample, (one, other) => {
        const found = compareMeans(one, other)
        expectSound(found)
        const back = compareMeans(other, one)
        if (found) expect(back?.pValue).toBeCloseTo(found.pValue, 12)
        const same = compareMeans(one, one)
        if (same) expect(same.pValue).toBe(1)
      })
    )
  })

  it('of means is significant exactly when both intervals exclude zero', () => {
    const plain = fc.record({
      mean: fc.double({ min: -100, max: 100, noNaN: true }),
      variance: fc.double({ min: 0.01, max: 100, noNaN: true }),
      size: fc.integer({ min: 2, max: 10_000 })
    })
    const leavesZeroOut = ({ low, high }: { low: number; high: number }) => low > 0 || high < 0
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        const found = compareMeans(one, other)
        // At the boundary, rounding decides.
        fc.pre(found !== undefined && Math.abs(found.pValue - 0.05) > 1e-6)
        if (!found?.interval) return
        expect(leavesZeroOut(found.interval)).toBe(isSignificant(found.pValue))
        const chance = chanceToBeat(found, 'increase')
        expect(chance > 0.975 || chance < 0.025).toBe(isSignificant(found.pValue))
        if (found.relativeInterval) expect(leavesZeroOut(found.relativeInterval)).toBe(isSignificant(found.pValue))
      })
    )
  })

  it("has the relative interval of Fieller's definition", () => {
    for (const [one, other] of [
      [summary(10, 8, 20), summary(14, 9, 25)],
      [summary(-10, 8, 20), summary(3, 9, 25)]
    ] as const) {
      const found = compareMeans(one, other)
      const width = ((found?.interval?.high ?? 0) - (found?.interval?.low ?? 0)) / 2
      const errors = width / Math.sqrt(one.variance + other.variance)
      for (const bound of Object.values(found?.relativeInterval ?? {})) {
        const ratio = 1 + bound * Math.sign(one.mean)
        const away = Math.abs(other.mean - ratio * one.mean)
        expect(away / Math.sqrt(other.variance + ratio ** 2 * one.variance)).toBeCloseTo(errors, 9)
      }
      expect(found?.relativeInterval).toBeDefined()
    }
  })

  it('is significant below 5 %, and a mismatch below a thousandth', () => {
    expect([0.0499, 0.05].map(isSignificant)).toEqual([true, false])
    expect([0.000_99, 0.001].map(isSampleRatioMismatch)).toEqual([true, false])
  })

  it('has a smaller p-value for a larger difference', () => {
    const pValues = [100, 105, 110, 120, 150].map((successes) => {
      return compareProportions({ successes: 100, trials: 1000 }, { successes, trials: 1000 })?.pValue
    })
    expect(pValues).toEqual([...pValues].sort((a = 0, b = 0) => b - a))
    expect(pValues[0]).toBe(1)
  })

  it('of a negative control has the right sign of the relative difference', () => {
    // The change from −10 to −5 is an increase by half of the control's absolute value.
    const found = compareMeans(summary(-10, 1, 1000), summary(-5, 1, 1000))
    expect(found?.relativeInterval?.low).toBeLessThan(0.5)
    expect(found?.relativeInterval?.high).toBeGreaterThan(0.5)
    expect(found?.relativeInterval?.low).toBeGreaterThan(0.49)
  })
})
