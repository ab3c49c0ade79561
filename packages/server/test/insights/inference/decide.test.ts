import { describe, expect, it, test } from 'vitest'
import {
  sequentialCriticalValue,
  sequentialPValue
} from '../../../src/insights/results/inference/confidenceSequence.ts'
import { type DecisionInput, decide } from '../../../src/insights/results/inference/decide.ts'
import { holmAdjusted } from '../../../src/insights/results/inference/holm.ts'
import {
  minimumDetectableEffect,
  type PowerPlan,
  powerOf,
  usersForPower
} from '../../../src/insights/results/inference/power.ts'
import { correctSkewness, invertSkewnessCorrection } from '../../../src/insights/results/inference/skewness.ts'

describe('the decision', () => {
  const found: DecisionInput = {
    adjustedPValue: 0.01,
    comparisons: 1,
    difference: 2,
    optimize: 'increase',
    isMismatch: false
  }

  it.each([
    ['better', {}],
    ['worse', { optimize: 'decrease' }],
    ['worse', { difference: -2 }],
    ['better', { difference: -2, optimize: 'decrease' }],
    ['better', { isMismatch: null }],
    ['better', { adjustedPValue: 0.0499 }],
    ['undecided', { adjustedPValue: 0.05 }],
    ['undecided', { difference: 0 }],
    ['undecided', { adjustedPValue: null }],
    ['invalid', { isMismatch: true }],
    ['invalid', { warning: 'evaluations are counted as independent' }]
  ] as const)('is %s for %j', (decision, change) => {
    expect(decide({ ...found, ...change }).decision).toBe(decision)
  })

  it('names the reason in one sentence', () => {
    expect(decide(found).reason).toBe('the rate is higher than that of the control: the always-valid p-value is 0.010')
    expect(decide({ ...found, adjustedPValue: 1e-9, comparisons: 4 }).reason).toBe(
      'the rate is higher than that of the control: the always-valid p-value is below 0.0001, adjusted for 4 comparisons'
    )
    expect(decide({ ...found, adjustedPValue: 0.3 }).reason).toBe(
      'the always-valid p-value is 0.30; a decision requires a value below 0.05'
    )
    expect(decide({ ...found, adjustedPValue: null, reason: 'tooFewUsersWithValue', usersNeeded: 6000 }).reason).toBe(
      'fewer than 30 users with a value other than 0 are expected in a variation; about 6000 users in both variations together are needed'
    )
  })
})

describe("Holm's correction", () => {
  it('equals the published steps', () => {
    const pValues = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205]
    const expected = [0.008, 0.056, 0.234, 0.234, 0.234, 0.234, 0.234, 0.234]
    for (const [index, value] of holmAdjusted(pValues).entries()) expect(value).toBeCloseTo(expected[index] ?? 0, 12)
  })

  it('keeps the order of its input, counts a null as a comparison, and leaves a single p-value alone', () => {
    expect(holmAdjusted([0.5, null, 0.01])).toEqual([1, null, 0.03])
    expect(holmAdjusted([0.04])).toEqual([0.04])
    expect(holmAdjusted([])).toEqual([])
  })
})

describe('power', () => {
  /** Of counts: the test assumes one rate in both arms. */
  function counts(rate: number, lift: number): PowerPlan {
    const other = rate * (1 + lift)
    const pooled = (rate + other) / 2
    return {
      controlVariance: rate * (1 - rate),
      treatmentVariance: other * (1 - other),
      nullVariance: pooled * (1 - pooled),
      effect: other - rate
    }
  }
  const mean: PowerPlan = { controlVariance: 1600, treatmentVariance: 1600, effect: 0.625 }

  it.each([
    [0.1, 0.05, 57_760, 138_307],
    [0.1, 0.1, 14_749, 32_072],
    [0.02, 0.1, 80_679, 197_633]
  ])('takes so many users per arm for a rate of %f and a lift of %f', (rate, lift, fixed, sequential) => {
    expect(Math.ceil(usersForPower(counts(rate, lift)) / 2)).toBe(fixed)
    expect(Math.ceil(usersForPower({ ...counts(rate, lift), isSequential: true }) / 2)).toBe(sequential)
  })

  it('takes so many users for a mean, and more for an uneven split and for several comparisons', () => {
    expect(Math.ceil(usersForPower(mean) / 2)).toBe(64_299)
    expect(usersForPower({ ...mean, treatmentShare: 0.2 }) / usersForPower(mean)).toBeCloseTo(1.5625, 12)
    // (z of 0.9875 + z of 0.8)² / (z of 0.975 + z of 0.8)², from tables of the normal distribution.
    expect(usersForPower({ ...mean, comparisons: 2 }) / usersForPower(mean)).toBeCloseTo(
      ((2.241_403 + 0.841_621) / (1.959_964 + 0.841_621)) ** 2,
      5
    )
    expect(usersForPower({ ...mean, effect: 0 })).toBe(Number.POSITIVE_INFINITY)
    expect(usersForPower({ ...mean, effect: 1e-9, isSequential: true })).toBe(Number.POSITIVE_INFINITY)
    expect(usersForPower({ ...mean, effect: 1e-5, isSequential: true })).toBeGreaterThan(1e14)
  })

  test.each([false, true])('its three functions agree with each other, sequential: %s', (isSequential) => {
    const plan = { ...mean, isSequential, nullVariance: 1700, treatmentShare: 0.3, comparisons: 3 }
    const users = usersForPower(plan, 0.9)
    expect(powerOf(plan, users)).toBeCloseTo(0.9, 6)
    expect(minimumDetectableEffect(plan, users, 0.9)).toBeCloseTo(0.625, 6)
  })
})

describe('the confidence sequence', () => {
  it('ends where the always-valid p-value is the level', () => {
    for (const size of [60, 5000, 1e7]) {
      for (const alpha of [0.05, 0.01]) {
        expect(sequentialPValue(sequentialCriticalValue(size, alpha), size)).toBeCloseTo(alpha, 12)
      }
    }
  })

  it('has the pinned p-values', () => {
    expect(sequentialPValue(2.5, 1000)).toBeCloseTo(0.226_660_282_779_780_18, 12)
    expect(sequentialPValue(3, 5000)).toBeCloseTo(0.055_039_717_921_379_79, 12)
    expect(sequentialPValue(3.5, 20_000)).toBeCloseTo(0.015_577_353_563_081_9, 12)
    expect(sequentialPValue(-1, 5000)).toBe(1)
  })
})

describe('the correction for skewness', () => {
  it('is inverted exactly, and never enlarges a statistic', () => {
    for (const skewness of [-1, -0.3, 0, 0.01, 0.7]) {
      for (const statistic of [-40, -6, -3, -0.5, 0, 1, 5.9, 6.1, 100]) {
        const corrected = correctSkewness(statistic, skewness)
        expect(Math.abs(corrected)).toBeLessThanOrEqual(Math.abs(statistic))
        expect(invertSkewnessCorrection(corrected, skewness)).toBeCloseTo(statistic, 9)
      }
    }
    expect(correctSkewness(3, 0.5)).toBe(3)
    expect(correctSkewness(-3, 0.5)).toBeCloseTo(-1, 12)
  })
})
