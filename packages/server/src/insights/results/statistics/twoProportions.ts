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
 * The z-test of two proportions, which takes both to be the same and pools them (NIST/SEMATECH e-Handbook §7.3.3; R's
 * `prop.test` without continuity correction), and Fisher's exact test where there are too few for it. The intervals are those
 * of the z-test. Nothing can be said without trials, or with more successes than trials.
 */
export function compareProportions(control: Proportion, treatment: Proportion): Comparison | undefined {
  if (!isValidProportion(control) || !isValidProportion(treatment)) return undefined
  const pooled = pooledRate(control, treatment)
  const difference = successRate(treatment) - successRate(control)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / control.trials + 1 / treatment.trials))
  // Where nobody did it, or everybody, the two do not differ.
  const statistic = error > 0 ? difference / error : 0
  const isEnough = isNormalApproximationValid(control, treatment)
  return {
    difference,
    statistic,
    pValue: isEnough ? normalPValue(statistic) : fisherExactPValue(control, treatment),
    // They take a thousand times as long as the test, and of most days only the test is wanted.
    get interval() {
      return scoreDifferenceInterval(control, treatment)
    },
    get relativeInterval() {
      return scoreRatioInterval(control, treatment)
    },
    size: control.trials + treatment.trials,
    isLargeEnough: isEnough && Math.min(control.trials, treatment.trials) >= MIN_SAMPLE_SIZE
  }
}
