import { studentTCritical95, studentTPValue } from '../statistics/distributions.ts'
import type { Interval } from '../statistics/interval.ts'
import { fiellerInterval, type MeanEstimate, meanDifferenceInterval } from '../statistics/meanInterval.ts'
import { type ArmComparison, incomparable, MIN_USERS, type Optimize, usersUntil } from './comparison.ts'
import { sequentialCriticalValue, sequentialPValue } from './confidenceSequence.ts'
import { correctSkewness, invertSkewnessCorrection } from './skewness.ts'
import { normalToStudentT, studentTToNormal } from './studentT.ts'
import { type Residuals, residualsOf, type UserMoments } from './userMoments.ts'

/**
 * Compares two means per user, or two ratios of sums over users by the delta method (Deng, Knoblich and Lu 2018), using
 * two standard errors: Welch's (1947), from the variance of each arm and corrected for skewness, and the one that the
 * null hypothesis implies, from the pooled variance. Every figure is the more conservative one of both: a small arm
 * that has not seen a large value yet underestimates its variance, and arms whose variances differ have no common one.
 */
export function compareUsers(control: UserMoments, treatment: UserMoments, optimize: Optimize): ArmComparison {
  const size = control.size + treatment.size
  const smaller = Math.min(control.size, treatment.size)
  if (smaller === 0 || control.meanX === 0 || treatment.meanX === 0) return incomparable(TEST, 0, 'noUsers')
  const [c, t] = [residualsOf(control), residualsOf(treatment)]
  const difference = t.ratio - c.ratio
  if (!Number.isFinite(difference)) return incomparable(TEST, 0, 'notFinite')
  if (smaller < MIN_USERS) {
    return incomparable(TEST, difference, 'tooFewUsers', usersUntil(size, smaller, MIN_USERS))
  }
  const withValue = (smaller * (control.nonZero + treatment.nonZero)) / size
  if (withValue < MIN_USERS) {
    return incomparable(TEST, difference, 'tooFewUsersWithValue', usersUntil(size, withValue, MIN_USERS))
  }
  const [own, pooled] = [ownEstimate(c, t), pooledEstimate(c, t)]
  if (![own, pooled].every(({ error, skewness }) => Number.isFinite(error + skewness))) {
    return incomparable(TEST, difference, own.error === 0 ? 'noVariance' : 'notFinite')
  }
  const statistics = [own, pooled].map((estimate) => {
    return { ...estimate, statistic: correctSkewness(difference / estimate.error, estimate.skewness) }
  })
  const fixed = ({ degrees }: Estimate) => studentTCritical95(degrees)
  const sequential = ({ degrees }: Estimate) => normalToStudentT(sequentialCriticalValue(size), degrees)
  const pValue = () => Math.max(...statistics.map(({ statistic, degrees }) => studentTPValue(statistic, degrees)))
  return {
    test: TEST,
    difference,
    get pValue() {
      return pValue()
    },
    get confidenceInterval() {
      return hull(statistics, fixed, meanDifferenceInterval)
    },
    get relativeConfidenceInterval() {
      return hull(statistics, fixed, fiellerInterval)
    },
    get chanceToBeatControl() {
      const isAhead = optimize === 'increase' ? difference >= 0 : difference <= 0
      return isAhead ? 1 - pValue() / 2 : pValue() / 2
    },
    get sequentialPValue() {
      const normal = statistics.map(({ statistic, degrees }) => studentTToNormal(statistic, degrees))
      return Math.max(...normal.map((z) => sequentialPValue(z, size)))
    },
    get sequentialConfidenceInterval() {
      return hull(statistics, sequential, meanDifferenceInterval)
    },
    get relativeSequentialConfidenceInterval() {
      return hull(statistics, sequential, fiellerInterval)
    }
  }
}

const TEST = 'welchTest'

/** Both arms with one estimate of their variances. */
interface Estimate {
  readonly c: MeanEstimate
  readonly t: MeanEstimate
  /** The standard error of the difference. */
  readonly error: number
  readonly degrees: number
  /** The skewness of the difference; 0 if it needs no correction. */
  readonly skewness: number
}

function ownEstimate(c: Residuals, t: Residuals): Estimate {
  const estimate = toEstimate(c, t, c.squares / (c.size - 1), t.squares / (t.size - 1))
  const third = t.cubes / (t.size * t.scale) ** 3 - c.cubes / (c.size * c.scale) ** 3
  return { ...estimate, skewness: third / estimate.error ** 3 }
}

/**
 * The skewness needs no correction here: the arm with the larger values also has the larger variance in the other
 * estimate.
 */
function pooledEstimate(c: Residuals, t: Residuals): Estimate {
  const variance = (c.squares + t.squares) / (c.size + t.size - 2)
  return toEstimate(c, t, variance, variance)
}

function toEstimate(c: Residuals, t: Residuals, ofC: number, ofT: number): Estimate {
  const [varianceC, varianceT] = [ofC / c.size / c.scale ** 2, ofT / t.size / t.scale ** 2]
  const share = varianceC / (varianceC + varianceT)
  return {
    c: { mean: c.ratio, variance: varianceC },
    t: { mean: t.ratio, variance: varianceT },
    error: Math.sqrt(varianceC + varianceT),
    // The Welch–Satterthwaite equation, written with shares of the variance, whose squares cannot overflow.
    degrees: 1 / (share ** 2 / (c.size - 1) + (1 - share) ** 2 / (t.size - 1)),
    skewness: 0
  }
}

/** Returns the differences that neither estimate rejects; null if one does not bound them. */
function hull(
  estimates: readonly Estimate[],
  criticalValueOf: (estimate: Estimate) => number,
  intervalOf: (control: MeanEstimate, treatment: MeanEstimate, criticalValue: number) => Interval | undefined
): Interval | null {
  const bounds = estimates.map((estimate) => {
    const { c, t, skewness } = estimate
    const critical = criticalValueOf(estimate)
    // Below the observed difference the statistic is positive, and above it negative.
    const low = intervalOf(c, t, invertSkewnessCorrection(critical, skewness))?.low
    const high = intervalOf(c, t, -invertSkewnessCorrection(-critical, skewness))?.high
    return low === undefined || high === undefined ? undefined : { low, high }
  })
  const bounded = bounds.flatMap((interval) => (interval ? [interval] : []))
  if (bounded.length < bounds.length) return null
  return { low: Math.min(...bounded.map(({ low }) => low)), high: Math.max(...bounded.map(({ high }) => high)) }
}
