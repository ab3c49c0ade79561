import { type Comparison, MIN_SAMPLE_SIZE } from './comparison.ts'
import { studentTCritical95, studentTPValue } from './distributions.ts'
import { fiellerInterval, type MeanEstimate, meanDifferenceInterval } from './meanInterval.ts'

/** A mean of so many observations that do not depend on each other. */
export interface MeanSample extends MeanEstimate {
  readonly size: number
}

/**
 * Welch's two-tailed t-test of two means whose observations may vary differently (Welch 1947), with the degrees of freedom of
 * Welch and Satterthwaite. Nothing can be said with fewer than two observations, or of means that differ though nothing varies.
 */
export function compareMeans(control: MeanSample, treatment: MeanSample): Comparison | undefined {
  if (control.size < 2 || treatment.size < 2) return undefined
  const difference = treatment.mean - control.mean
  const error = Math.sqrt(control.variance + treatment.variance)
  if (!Number.isFinite(difference) || !Number.isFinite(error)) return undefined
  const size = control.size + treatment.size
  const isLargeEnough = Math.min(control.size, treatment.size) >= MIN_SAMPLE_SIZE
  if (error === 0) return difference === 0 ? { difference, statistic: 0, pValue: 1, size, isLargeEnough } : undefined
  const degrees = welchDegreesOfFreedom(control, treatment)
  const width = studentTCritical95(degrees)
  const statistic = difference / error
  return {
    difference,
    statistic,
    pValue: studentTPValue(statistic, degrees),
    interval: meanDifferenceInterval(control, treatment, width),
    relativeInterval: fiellerInterval(control, treatment, width),
    size,
    isLargeEnough
  }
}

/** Taken from the shares of the two in the variance, whose squares stay within what numbers can hold. */
function welchDegreesOfFreedom(control: MeanSample, treatment: MeanSample): number {
  const share = control.variance / (control.variance + treatment.variance)
  return 1 / (share ** 2 / (control.size - 1) + (1 - share) ** 2 / (treatment.size - 1))
}
