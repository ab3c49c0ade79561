import type { Interval } from './interval.ts'

/** An estimated mean. */
export interface MeanEstimate {
  readonly mean: number
  /** The variance of the mean: the squared standard error, not the variance of the sample. */
  readonly variance: number
}

/**
 * Returns the confidence interval of the difference of two means, or `undefined` if both variances are 0.
 * @param criticalValue The half-width of the interval in standard errors.
 */
export function meanDifferenceInterval(
  control: MeanEstimate,
  treatment: MeanEstimate,
  criticalValue: number
): Interval | undefined {
  const error = Math.sqrt(control.variance + treatment.variance)
  const difference = treatment.mean - control.mean
  return error > 0
    ? finite({ low: difference - criticalValue * error, high: difference + criticalValue * error })
    : undefined
}

/**
 * Returns the confidence interval of the difference relative to the control's mean (Fieller 1954). It excludes zero
 * exactly when `meanDifferenceInterval` does. Returns `undefined` if the control's mean does not differ significantly
 * from zero, since the ratio is unbounded then.
 */
export function fiellerInterval(
  control: MeanEstimate,
  treatment: MeanEstimate,
  criticalValue: number
): Interval | undefined {
  const [c, t, square] = [control.mean, treatment.mean, criticalValue * criticalValue]
  const divisor = c * c - square * control.variance
  if (divisor <= 0 || control.variance + treatment.variance <= 0) return undefined
  const discriminant =
    treatment.variance * c * c + control.variance * t * t - square * control.variance * treatment.variance
  const half = criticalValue * Math.sqrt(Math.max(0, discriminant))
  const [low, high] = [(c * t - half) / divisor - 1, (c * t + half) / divisor - 1]
  // With a negative control, a larger mean is a smaller multiple of it.
  return finite(c > 0 ? { low, high } : { low: -high, high: -low })
}

function finite({ low, high }: Interval): Interval | undefined {
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : undefined
}
