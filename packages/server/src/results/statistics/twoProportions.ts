import { type Comparison, ENOUGH } from './comparison.ts'
import { fisherPValue } from './fisher.ts'
import { isLarge, isProportion, type Proportion, pooledRate, rateOf } from './proportion.ts'
import { differenceInterval, relativeScoreInterval } from './scoreInterval.ts'
import { normalTails } from './tails.ts'

/**
 * The z-test of two proportions, which takes both to be the same and pools them (NIST/SEMATECH e-Handbook §7.3.3; R's
 * `prop.test` without continuity correction), and Fisher's exact test where there are too few for it. The intervals are those
 * of the z-test. Nothing can be said without trials, or with more successes than trials.
 */
export function compareProportions(control: Proportion, treatment: Proportion): Comparison | undefined {
  if (!isProportion(control) || !isProportion(treatment)) return undefined
  const pooled = pooledRate(control, treatment)
  const difference = rateOf(treatment) - rateOf(control)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / control.trials + 1 / treatment.trials))
  // Where nobody did it, or everybody, the two do not differ.
  const statistic = error > 0 ? difference / error : 0
  const isEnough = isLarge(control, treatment)
  return {
    difference,
    statistic,
    pValue: isEnough ? normalTails(statistic) : fisherPValue(control, treatment),
    // They take a thousand times as long as the test, and of most days only the test is wanted.
    get interval() {
      return differenceInterval(control, treatment)
    },
    get relativeInterval() {
      return relativeScoreInterval(control, treatment)
    },
    size: control.trials + treatment.trials,
    isEnough: isEnough && Math.min(control.trials, treatment.trials) >= ENOUGH
  }
}
