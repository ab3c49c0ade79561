import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { type Arm, compareArms } from '../../../src/insights/results/inference/compareArms.ts'
import type { ArmComparison } from '../../../src/insights/results/inference/comparison.ts'
import { type UserMoments, UserMomentsAccumulator } from '../../../src/insights/results/inference/userMoments.ts'

type Users = readonly (readonly [number, number])[]
type Counts = { readonly successes: number; readonly trials: number }

/** Made by compareArms.py, which uses other algorithms. */
const cases: readonly {
  readonly name: string
  readonly control: Users | Counts
  readonly treatment: Users | Counts
  readonly expected: Omit<ArmComparison, 'reason' | 'usersNeeded'>
}[] = JSON.parse(readFileSync(new URL('compareArms.json', import.meta.url), 'utf8'))

function armOf(data: Users | Counts): Arm {
  return 'trials' in data ? { type: 'count', proportion: data } : { type: 'users', moments: momentsOf(data) }
}

function momentsOf(users: Users): UserMoments {
  const moments = new UserMomentsAccumulator()
  for (const [y, x] of users) moments.add(y, x)
  return moments
}

/** A sample of a mean per user with these values. */
function mean(...values: readonly number[]): Arm {
  return armOf(values.map((value) => [value, 1]))
}

const count = (successes: number, trials: number): Arm => armOf({ successes, trials })
const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value)

/** The two arms, and everything that the comparison says about them. */
function compare(control: Arm, treatment: Arm, optimize: 'increase' | 'decrease' = 'increase') {
  return { ...compareArms(control, treatment, optimize) }
}

function expectClose(found: unknown, expected: unknown): void {
  if (typeof expected === 'number' && typeof found === 'number') {
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(expected)))
  } else expect(found).toEqual(expected)
}

describe('a comparison equals that of another implementation', () => {
  it.each(cases)('of $name', ({ control, treatment, expected }) => {
    const found = compare(armOf(control), armOf(treatment))
    for (const [member, value] of Object.entries(expected)) {
      const own = found[member as keyof ArmComparison]
      const isInterval = typeof own === 'object' && own !== null
      const [a, b] = [isInterval ? [own.low, own.high] : [own], Array.isArray(value) ? value : [value]]
      for (const index of [...a, ...b].keys()) expectClose(a[index], b[index])
    }
  })

  test('in every test and with every member both present and null', () => {
    const all = cases.map(({ expected }) => expected)
    expect(new Set(all.map((one) => one.test))).toEqual(new Set(['zTest', 'fisherExactTest', 'welchTest']))
    for (const member of ['relativeConfidenceInterval', 'sequentialPValue'] as const) {
      expect(new Set(all.map((one) => one[member] === null))).toEqual(new Set([true, false]))
    }
  })
})

describe('moments of users', () => {
  it('are the sums of products of deviations', () => {
    const users = [0, 3, 5.5, -2, 1e3].map((y, index) => [y, 1 + index * index] as const)
    const [meanY, meanX] = [0, 1].map((side) => users.reduce((sum, user) => sum + (user[side] ?? 0), 0) / users.length)
    const product = (y: number, x: number) =>
      users.reduce((sum, user) => sum + (user[0] - (meanY ?? 0)) ** y * (user[1] - (meanX ?? 0)) ** x, 0)
    const found = momentsOf(users)
    const expected = { yy: [2, 0], xy: [1, 1], xx: [0, 2], yyy: [3, 0], xyy: [2, 1], xxy: [1, 2], xxx: [0, 3] } as const
    for (const [name, [y, x]] of Object.entries(expected)) {
      expect(found[name as keyof typeof expected] / product(y, x)).toBeCloseTo(1, 9)
    }
    expect(found).toMatchObject({ size: 5, nonZero: 4, meanX, meanY })
  })
})

describe('a comparison that cannot be valid says why', () => {
  const some = mean(...Array.from({ length: 60 }, (_, index) => index % 7))
  it.each([
    ['noUsers', count(0, 0), count(1, 5), undefined],
    ['noUsers', mean(), some, undefined],
    ['rateAboveOne', count(3, 2), count(1, 5), undefined],
    ['tooFewUsers', mean(1, 2, 3), some, 630],
    ['tooFewUsersWithValue', mean(...repeat(0, 95), ...repeat(5, 5)), mean(...repeat(0, 95), ...repeat(5, 5)), 1200],
    ['tooFewUsersWithValue', mean(...repeat(0, 95)), mean(...repeat(0, 95)), undefined],
    ['noVariance', mean(...repeat(2, 40)), mean(...repeat(3, 40)), undefined],
    ['notFinite', mean(...repeat(1e300, 20), ...repeat(-1e300, 20)), some, undefined]
  ] as const)('%s', (reason, control, treatment, usersNeeded) => {
    expect(compare(control, treatment)).toEqual({
      test: control.type === 'count' ? 'zTest' : 'welchTest',
      difference: expect.any(Number),
      pValue: null,
      confidenceInterval: null,
      relativeConfidenceInterval: null,
      chanceToBeatControl: null,
      sequentialPValue: null,
      sequentialConfidenceInterval: null,
      relativeSequentialConfidenceInterval: null,
      reason,
      ...(usersNeeded === undefined ? {} : { usersNeeded })
    })
  })

  it('of counts: only what is always valid, until enough successes and failures are expected', () => {
    const few = compare(count(3, 3), count(2, 3))
    expect(few).toMatchObject({ pValue: 1, sequentialPValue: null, reason: 'tooFewExpected', usersNeeded: 60 })
    expect(compare(count(0, 50), count(0, 50))).toMatchObject({ pValue: 1, reason: 'tooFewExpected' })
    const small = compare(count(12, 25), count(16, 30))
    expect(small).toMatchObject({ test: 'zTest', sequentialPValue: null, reason: 'tooFewUsers', usersNeeded: 66 })
  })
})

describe('a comparison', () => {
  it('has no p-value for a small arm without a large value', () => {
    const control = mean(...repeat(0, 1710), ...Array.from({ length: 90 }, (_, index) => 1.05 ** index))
    const treatment = mean(...repeat(0, 190), ...Array.from({ length: 10 }, (_, index) => 1.05 ** index))
    expect(compare(control, treatment)).toMatchObject({ pValue: null, reason: 'tooFewUsersWithValue' })
  })

  it('with a treatment of zeros has a relative interval with a width', () => {
    const values = Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 + (index % 30) : 0))
    const { relativeConfidenceInterval: interval, pValue } = compare(mean(...values), mean(...repeat(0, 400)))
    expect(pValue).toBeLessThan(0.001)
    expect(interval?.low).toBeLessThan(-1)
    expect(interval?.high).toBeGreaterThan(-1)
    expect(interval?.high).toBeLessThan(0)
  })

  it('of three of three with two of three has a chance to beat the control of 0.15', () => {
    expect(compare(count(3, 3), count(2, 3)).chanceToBeatControl).toBeCloseTo(0.154, 3)
    expect(compare(count(3, 3), count(2, 3), 'decrease').chanceToBeatControl).toBeCloseTo(0.846, 3)
  })

  it('is symmetric in the arms, and its intervals exclude 0 exactly when its p-values are below 5 %', () => {
    const isBeside = (interval: ArmComparison['confidenceInterval']) =>
      interval && (interval.low > 0 || interval.high < 0)
    for (const { control, treatment } of cases) {
      const [a, b] = [armOf(control), armOf(treatment)]
      const [found, back] = [compare(a, b), compare(b, a)]
      expectClose(back.pValue, found.pValue)
      expectClose(back.sequentialPValue, found.sequentialPValue)
      expectClose(-(back.confidenceInterval?.low ?? 0), found.confidenceInterval?.high)
      expect(isBeside(found.confidenceInterval)).toBe((found.pValue ?? 1) < 0.05)
      expect(isBeside(found.sequentialConfidenceInterval) ?? false).toBe((found.sequentialPValue ?? 1) < 0.05)
    }
  })

  it('rejects arms of different types', () => {
    expect(() => compare(count(1, 2), mean(1, 2))).toThrow(TypeError)
  })
})
