import { type Comparison, MIN_SAMPLE_SIZE } from './comparison.ts'
import { normalPValue } from './distributions.ts'
import { fisherExactPValue } from './fisherExact.ts'
import {
  isNormalApproximationValid,
  isValidProportion,
  type Proportion,
  pooledRate,
  successRate
} from './proportion.ts'
import { scoreDifferenceInterval, scoreRatioInterval } from './scoreInterval.ts'

/**
 * Compares two proportions by the pooled z-test (NIST/SEMATECH e-Handbook §7.3.3; R's `prop.test` without continuity
 * correction), or by Fisher's exact test when the normal approximation is not valid. The intervals are score intervals,
 * which match the z-test. Returns `undefined` without trials, or with more successes than trials.
 */
export function compareProportions(control: Proportion, treatment: Proportion): Comparison | undefined {
  if (!isValidProportion(control) || !isValidProportion(treatment)) return undefined
  const pooled = pooledRate(control, treatment)
  const difference = successRate(treatment) - successRate(control)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / control.trials + 1 / treatment.trials))
  // The error is 0 when all trials succeeded or all failed; then the rates are equal.
  const statistic = error > 0 ? difference / error : 0
  const isNormal = isNormalApproximationValid(control, treatment)
  return {
    difference,
    statistic,
    pValue: isNormal ? normalPValue(statistic) : fisherExactPValue(control, treatment),
    // Computed on demand: an interval takes about a thousand times as long as the test, and most days need only the
    // test.
    get interval() {
      return scoreDifferenceInterval(control, treatment)
    },
    get relativeInterval() {
      return scoreRatioInterval(control, treatment)
    },
    size: control.trials + treatment.trials,
    isLargeEnough: isNormal && Math.min(control.trials, treatment.trials) >= MIN_SAMPLE_SIZE
  }
}
