import type { Interval } from '../statistics/comparison.ts'
import { studentTCritical95, studentTPValue } from '../statistics/distributions.ts'
import { fiellerInterval, type MeanEstimate, meanDifferenceInterval } from '../statistics/meanInterval.ts'
import type { ArmComparison, Optimize } from './compareArms.ts'
import { sequentialCriticalValue, sequentialPValue } from './confidenceSequence.ts'
import { incomparable, MIN_USERS, usersUntil } from './reasons.ts'
import { type Residuals, residualsOf, type UserMoments } from './userMoments.ts'

/**
 * Compares two means per user, or two ratios of sums over users by the delta method (Deng, Knoblich and Lu 2018), with
 * two standard errors: Welch's (1947), from the variance of each arm, and the one that the null hypothesis implies, from
 * the pooled variance. Every figure is the more careful one of both: a small arm that has not seen a large value yet
 * underestimates its variance, and arms whose variances differ have no common one.
 */
export function compareUsers(control: UserMoments, treatment: UserMoments, optimize: Optimize): ArmComparison {
  const size = control.size + treatment.size
  const smaller = Math.min(control.size, treatment.size)
  if (smaller === 0 || control.meanX === 0 || treatment.meanX === 0) return incomparable('welchTest', 0, 'noUsers')
  const [c, t] = [residualsOf(control), residualsOf(treatment)]
  const difference = t.ratio - c.ratio
  const estimates = smaller < 2 ? [] : [ownEstimates(c, t), pooledEstimates(c, t)]
  if (!estimates.every(({ error }) => Number.isFinite(error)) || !Number.isFinite(difference)) {
    return incomparable('welchTest', Number.isFinite(difference) ? difference : 0, 'notFinite')
  }
  if (smaller < MIN_USERS) {
    return incomparable('welchTest', difference, 'tooFewUsers', usersUntil(size, smaller, MIN_USERS))
  }
  const withValue = (smaller * (control.nonZero + treatment.nonZero)) / size
  if (withValue < MIN_USERS) {
    return incomparable('welchTest', difference, 'tooFewUsersWithValue', usersUntil(size, withValue, MIN_USERS))
  }
  if (!estimates.some(({ error }) => error > 0)) return incomparable('welchTest', difference, 'noVariance')
  const skewness = Math.max(...estimates.map((estimate) => Math.abs(estimate.skewness)))
  if (skewness > MAX_SKEWNESS) {
    return incomparable('welchTest', difference, 'tooSkewed', usersUntil(size, (1 / skewness) ** 2, MAX_SKEWNESS ** -2))
  }
  const careful = (of: (estimate: Estimate) => number) => Math.max(...estimates.map(of))
  const pValue = careful(({ error, degrees }) => studentTPValue(difference / error, degrees))
  const ahead = 1 - pValue / 2
  return {
    test: 'welchTest',
    difference,
    pValue,
    get confidenceInterval() {
      return hull(estimates, ({ c, t, degrees }) => meanDifferenceInterval(c, t, studentTCritical95(degrees)))
    },
    get relativeConfidenceInterval() {
      return hull(estimates, ({ c, t, degrees }) => fiellerInterval(c, t, studentTCritical95(degrees)))
    },
    chanceToBeatControl: difference > 0 === (optimize === 'increase') ? ahead : 1 - ahead,
    sequentialPValue: careful(({ error }) => sequentialPValue(difference / error, size)),
    get sequentialConfidenceInterval() {
      return hull(estimates, ({ c, t }) => meanDifferenceInterval(c, t, sequentialCriticalValue(size)))
    },
    get relativeSequentialConfidenceInterval() {
      return hull(estimates, ({ c, t }) => fiellerInterval(c, t, sequentialCriticalValue(size)))
    }
  }
}

/** The largest skewness of the difference with which its distribution is close enough to the normal one. */
const MAX_SKEWNESS = 0.5

/** Both arms with one estimate of their variances. */
interface Estimate {
  readonly c: MeanEstimate
  readonly t: MeanEstimate
  /** The standard error of the difference. */
  readonly error: number
  readonly degrees: number
  /** The skewness of the difference. */
  readonly skewness: number
}

function ownEstimates(c: Residuals, t: Residuals): Estimate {
  return toEstimate(c, t, [variance(c), variance(t)], [c.cubes / c.size, t.cubes / t.size])
}

function pooledEstimates(c: Residuals, t: Residuals): Estimate {
  const variance = (c.squares + t.squares) / (c.size + t.size - 2)
  const cube = (c.cubes + t.cubes) / (c.size + t.size)
  return toEstimate(c, t, [variance, variance], [cube, cube])
}

function variance({ squares, size }: Residuals): number {
  return squares / (size - 1)
}

function toEstimate(
  c: Residuals,
  t: Residuals,
  [ofC, ofT]: readonly [number, number],
  [cubeC, cubeT]: readonly [number, number]
): Estimate {
  const estimates = [c, t].map(({ scale, size, ratio }, index) => {
    return { mean: ratio, variance: (index === 0 ? ofC : ofT) / size / scale ** 2 }
  }) as [MeanEstimate, MeanEstimate]
  const total = estimates[0].variance + estimates[1].variance
  const share = estimates[0].variance / total
  return {
    c: estimates[0],
    t: estimates[1],
    error: Math.sqrt(total),
    // The Welch–Satterthwaite equation, written with shares of the variance, whose squares cannot overflow.
    degrees: 1 / (share ** 2 / (c.size - 1) + (1 - share) ** 2 / (t.size - 1)),
    skewness: (cubeT / t.size ** 2 / t.scale ** 3 - cubeC / c.size ** 2 / c.scale ** 3) / total ** 1.5
  }
}

/** The smallest interval that contains that of each estimate; null if one is unbounded. */
function hull(estimates: readonly Estimate[], intervalOf: (estimate: Estimate) => Interval | undefined) {
  const intervals = estimates.map(intervalOf)
  const bounded = intervals.flatMap((interval) => (interval ? [interval] : []))
  if (bounded.length < intervals.length) return null
  return { low: Math.min(...bounded.map(({ low }) => low)), high: Math.max(...bounded.map(({ high }) => high)) }
}
