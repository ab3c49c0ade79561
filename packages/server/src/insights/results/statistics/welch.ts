import { type Comparison, MIN_SAMPLE_SIZE } from './comparison.ts'
import { studentTCritical95, studentTPValue } from './distributions.ts'
import { fiellerInterval, type MeanEstimate, meanDifferenceInterval } from './meanInterval.ts'

/** The mean of independent observations. */
export interface MeanSample extends MeanEstimate {
  readonly size: number
}

/**
 * Compares two means by Welch's two-sided t-test, which allows unequal variances (Welch 1947), with degrees of freedom
 * by Welch and Satterthwaite. Returns `undefined` for fewer than two observations, and for different means without
 * variance.
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
  const criticalValue = studentTCritical95(degrees)
  const statistic = difference / error
  return {
    difference,
    statistic,
    pValue: studentTPValue(statistic, degrees),
    interval: meanDifferenceInterval(control, treatment, criticalValue),
    relativeInterval: fiellerInterval(control, treatment, criticalValue),
    size,
    isLargeEnough
  }
}

/** The Welch–Satterthwaite equation, written with shares of the variance, whose squares cannot overflow. */
function welchDegreesOfFreedom(control: MeanSample, treatment: MeanSample): number {
  const share = control.variance / (control.variance + treatment.variance)
  return 1 / (share ** 2 / (control.size - 1) + (1 - share) ** 2 / (treatment.size - 1))
}
