import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compareCounts } from '../../src/insights/results/inference/compareCounts.ts'
import { sequentialPValue } from '../../src/insights/results/inference/confidenceSequence.ts'
import {
  chiSquarePValue,
  NORMAL_CRITICAL_95,
  normalPValue,
  studentTCritical95,
  studentTPValue
} from '../../src/insights/results/statistics/distributions.ts'
import { isSampleRatioMismatch, sampleRatioPValue } from '../../src/insights/results/statistics/goodnessOfFit.ts'
import type { Proportion } from '../../src/insights/results/statistics/proportion.ts'
import { scoreDifferenceInterval, scoreRatioInterval } from '../../src/insights/results/statistics/scoreInterval.ts'

/** The comparison of two proportions, with its intervals. */
function compareProportions(control: Proportion, treatment: Proportion) {
  return { ...compareCounts(control, treatment, 'increase') }
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

describe('the z-test of proportions', () => {
  it('agrees with R without continuity correction (influentialpoints.com, note n9rmf3)', () => {
    const found = compareProportions({ successes: 39, trials: 128 }, { successes: 94, trials: 214 })
    expect(found.test).toBe('zTest')
    expect(found.pValue).toBeCloseTo(chiSquarePValue(6.1026, 1), 6)
    expect(found.pValue).toBeCloseTo(0.0135, 5)
  })

  it('agrees with Penn State for the tax on cigarettes: STAT 415, lesson 9.4', () => {
    const found = compareProportions({ successes: 41, trials: 195 }, { successes: 351, trials: 605 })
    expect(Math.log(found.pValue ?? 1)).toBeCloseTo(Math.log(normalPValue(8.986)), 1)
  })
})

/** The arguments of a comparison. */
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
    const interval = scoreDifferenceInterval(...proportions(counts), NORMAL_CRITICAL_95)
    expect(interval.low).toBeCloseTo(low, 7)
    expect(interval.high).toBeCloseTo(high, 7)
  })

  it.each([
    // Koopman 1984: 36 of 40 and 16 of 80 have the ratios 2.94 to 7.15; more decimals as above.
    [[16, 80, 36, 40], 1.939_569_192, 6.152_223_437],
    [[48, 80, 56, 70], 0.079_821_506, 0.670_805_579],
    [[5, 4950, 1, 50], 2.074_692, 121.748_046_6],
    [[3, 10, 5, 8], -0.259_219_814, 5.325_779_198]
  ] as const)('of a ratio is that of Koopman: %j', (counts, low, high) => {
    const relativeInterval = scoreRatioInterval(...proportions(counts), NORMAL_CRITICAL_95)
    expect(relativeInterval?.low).toBeCloseTo(low, 5)
    expect((relativeInterval?.high ?? 0) / high).toBeCloseTo(1, 5)
  })

  it('of a ratio begins at −1 without successes, and is missing without those of the control', () => {
    expect(compareProportions(...proportions([50, 100, 0, 10])).relativeConfidenceInterval?.low).toBe(-1)
    expect(compareProportions(...proportions([0, 100, 5, 10])).relativeConfidenceInterval).toBeNull()
    expect(compareProportions(...proportions([0, 100, 0, 10])).relativeConfidenceInterval).toBeNull()
  })

  it('excludes zero exactly when the z-test is significant, as does the relative one', () => {
    const trials = fc.integer({ min: 1, max: 1e7 })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(trials, trials, share, share, (n, m, one, other) => {
        const [control, treatment] = proportions([Math.round(n * one), n, Math.round(m * other), m])
        const interval = scoreDifferenceInterval(control, treatment, NORMAL_CRITICAL_95)
        const relativeInterval = scoreRatioInterval(control, treatment, NORMAL_CRITICAL_95)
        const pooled = (control.successes + treatment.successes) / (n + m)
        const difference = treatment.successes / m - control.successes / n
        const statistic = difference === 0 ? 0 : difference / Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
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
        const interval = scoreDifferenceInterval(...proportions([x, n, y, m]), NORMAL_CRITICAL_95)
        all += p * q
        if (interval.low <= 0 && interval.high >= 0) covered += p * q
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

describe('every comparison of counts', () => {
  const trials = fc.integer({ min: 0, max: 1e9 })
  const proportion: fc.Arbitrary<Proportion> = fc
    .tuple(trials, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([count, share]) => ({ trials: count, successes: Math.round(count * share) }))

  it('is valid, symmetric, and finds no difference between equal samples', () => {
    fc.assert(
      fc.property(proportion, proportion, (one, other) => {
        const [found, back] = [compareProportions(one, other), compareProportions(other, one)]
        for (const share of [found.pValue, found.sequentialPValue, found.chanceToBeatControl]) {
          if (share === null) continue
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
        const { confidenceInterval, relativeConfidenceInterval, sequentialConfidenceInterval } = found
        for (const interval of [confidenceInterval, relativeConfidenceInterval, sequentialConfidenceInterval]) {
          if (!interval) continue
          expect([interval.low, interval.high].every(Number.isFinite)).toBe(true)
          expect(interval.low).toBeLessThanOrEqual(interval.high)
        }
        expect(back.pValue ?? 2).toBeCloseTo(found.pValue ?? 2, 9)
        expect(back.difference).toBeCloseTo(-found.difference, 12)
        expect((back.chanceToBeatControl ?? 0.5) + (found.chanceToBeatControl ?? 0.5)).toBeCloseTo(1, 6)
        expect(compareProportions(one, one).pValue ?? 1).toBe(1)
      }),
      { numRuns: 50 }
    )
  })

  it('has an always-valid p-value that is never smaller than that of a single analysis', () => {
    const z = fc.double({ min: -30, max: 30, noNaN: true })
    fc.assert(
      fc.property(z, fc.integer({ min: 2, max: 1e9 }), (statistic, size) => {
        expect(sequentialPValue(statistic, size)).toBeGreaterThanOrEqual(normalPValue(statistic) * (1 - 1e-9))
        expect(sequentialPValue(statistic, size)).toBeLessThanOrEqual(1)
      })
    )
  })

  it('has a smaller p-value for a larger difference', () => {
    const pValues = [100, 105, 110, 120, 150].map((successes) => {
      return compareProportions({ successes: 100, trials: 1000 }, { successes, trials: 1000 }).pValue ?? 2
    })
    expect(pValues).toEqual([...pValues].sort((a, b) => b - a))
    expect(pValues[0]).toBe(1)
  })

  it('is a mismatch of the sample ratio below a thousandth', () => {
    expect([0.000_99, 0.001].map(isSampleRatioMismatch)).toEqual([true, false])
  })
})
