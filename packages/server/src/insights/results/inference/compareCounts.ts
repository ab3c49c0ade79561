import { NORMAL_CRITICAL_95, normalPValue, SIGNIFICANCE_LEVEL } from '../statistics/distributions.ts'
import { fisherExactPValue } from '../statistics/fisherExact.ts'
import type { Interval } from '../statistics/interval.ts'
import { isValidProportion, type Proportion, pooledRate, successRate } from '../statistics/proportion.ts'
import { scoreDifferenceInterval, scoreRatioInterval } from '../statistics/scoreInterval.ts'
import { probabilityOfHigher } from './betaPosterior.ts'
import { type ArmComparison, incomparable, MIN_EXPECTED, MIN_USERS, type Optimize, usersUntil } from './comparison.ts'
import { sequentialCriticalValue, sequentialPValue } from './confidenceSequence.ts'

/**
 * Compares two proportions by the pooled z-test (NIST/SEMATECH e-Handbook §7.3.3), or by Fisher's exact test where
 * fewer than five successes or failures are expected in an arm (Cochran 1954). The intervals are score intervals.
 */
export function compareCounts(control: Proportion, treatment: Proportion, optimize: Optimize): ArmComparison {
  const users = control.trials + treatment.trials
  if (control.trials === 0 || treatment.trials === 0) return incomparable('zTest', 0, 'noUsers')
  const difference = successRate(treatment) - successRate(control)
  if (!isValidProportion(control) || !isValidProportion(treatment)) {
    return incomparable('zTest', difference, 'rateAboveOne')
  }
  const pooled = pooledRate(control, treatment)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / control.trials + 1 / treatment.trials))
  // The error is 0 when all trials succeeded or all failed; then the rates are equal.
  const statistic = error > 0 ? difference / error : 0
  const smaller = Math.min(control.trials, treatment.trials)
  const expected = smaller * Math.min(pooled, 1 - pooled)
  const isNormal = expected >= MIN_EXPECTED
  const isSequential = isNormal && smaller >= MIN_USERS
  const critical = sequentialCriticalValue(users)
  const pValue = () => (isNormal ? normalPValue(statistic) : fisherExactPValue(control, treatment))
  /** Fisher's test rejects less often than the score test, so its intervals are extended to agree with it. */
  const consistent = (interval: Interval | undefined): Interval | null => {
    if (!interval) return null
    if (isNormal || pValue() < SIGNIFICANCE_LEVEL) return interval
    return { low: Math.min(0, interval.low), high: Math.max(0, interval.high) }
  }
  return {
    test: isNormal ? 'zTest' : 'fisherExactTest',
    difference,
    get pValue() {
      return pValue()
    },
    get confidenceInterval() {
      return consistent(scoreDifferenceInterval(control, treatment, NORMAL_CRITICAL_95))
    },
    get relativeConfidenceInterval() {
      return consistent(scoreRatioInterval(control, treatment, NORMAL_CRITICAL_95))
    },
    get chanceToBeatControl() {
      const higher = isNormal ? normalProbability(statistic) : probabilityOfHigher(control, treatment)
      return optimize === 'increase' ? higher : 1 - higher
    },
    sequentialPValue: isSequential ? sequentialPValue(statistic, users) : null,
    get sequentialConfidenceInterval() {
      return isSequential ? scoreDifferenceInterval(control, treatment, critical) : null
    },
    get relativeSequentialConfidenceInterval() {
      return isSequential ? (scoreRatioInterval(control, treatment, critical) ?? null) : null
    },
    ...(isSequential ? {} : missingSequential(users, smaller, expected))
  }
}

/** Returns why there is no always-valid p-value, and the number of users that it requires. */
function missingSequential(
  users: number,
  smaller: number,
  expected: number
): Pick<ArmComparison, 'reason' | 'usersNeeded'> {
  if (expected >= MIN_EXPECTED) return { reason: 'tooFewUsers', usersNeeded: usersUntil(users, smaller, MIN_USERS) }
  const needed = usersUntil(users, Math.min(expected, (smaller * MIN_EXPECTED) / MIN_USERS), MIN_EXPECTED)
  return { reason: 'tooFewExpected', usersNeeded: expected === 0 ? undefined : needed }
}

/** The probability that the difference is positive, with a flat prior. */
function normalProbability(statistic: number): number {
  const tail = normalPValue(statistic) / 2
  return statistic >= 0 ? 1 - tail : tail
}
