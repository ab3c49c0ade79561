import { type Comparison, ENOUGH } from './comparison.ts'
import { type Estimate, intervalOf, relativeIntervalOf } from './interval.ts'
import { student95, studentTails } from './tails.ts'

/** A mean of so many observations that do not depend on each other. */
export interface Sample extends Estimate {
  readonly size: number
}

/**
 * Welch's two-tailed t-test of two means whose observations may vary differently (Welch 1947), with the degrees of freedom of
 * Welch and Satterthwaite. Nothing can be said with fewer than two observations, or of means that differ though nothing varies.
 */
export function compareMeans(control: Sample, treatment: Sample): Comparison | undefined {
  if (control.size < 2 || treatment.size < 2) return undefined
  const difference = treatment.mean - control.mean
  const error = Math.sqrt(control.variance + treatment.variance)
  if (!Number.isFinite(difference) || !Number.isFinite(error)) return undefined
  const size = control.size + treatment.size
  const isEnough = Math.min(control.size, treatment.size) >= ENOUGH
  if (error === 0) return difference === 0 ? { difference, statistic: 0, pValue: 1, size, isEnough } : undefined
  const degrees = degreesOfFreedom(control, treatment)
  const width = student95(degrees)
  const statistic = difference / error
  return {
    difference,
    statistic,
    pValue: studentTails(statistic, degrees),
    interval: intervalOf(control, treatment, width),
    relativeInterval: relativeIntervalOf(control, treatment, width),
    size,
    isEnough
  }
}

/** Taken from the shares of the two in the variance, whose squares stay within what numbers can hold. */
function degreesOfFreedom(control: Sample, treatment: Sample): number {
  const share = control.variance / (control.variance + treatment.variance)
  return 1 / (share ** 2 / (control.size - 1) + (1 - share) ** 2 / (treatment.size - 1))
}
