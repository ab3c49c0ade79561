import type { Interval } from './comparison.ts'

/** What is known of a mean: the mean, and the variance of it (not that of what it is the mean of). */
export interface MeanEstimate {
  readonly mean: number
  readonly variance: number
}

/** Where the difference of two means lies, as far out as so many standard errors; nowhere in particular if nothing varies. */
export function meanDifferenceInterval(
  control: MeanEstimate,
  treatment: MeanEstimate,
  width: number
): Interval | undefined {
  const error = Math.sqrt(control.variance + treatment.variance)
  const difference = treatment.mean - control.mean
  return error > 0 ? finite({ low: difference - width * error, high: difference + width * error }) : undefined
}

/**
 * Where the difference lies as a share of the control's mean, by the theorem of Fieller (1954). It leaves zero out just when
 * `intervalOf` does. There is none where the control's mean cannot be told from zero: then the share could be anything.
 */
export function fiellerInterval(control: MeanEstimate, treatment: MeanEstimate, width: number): Interval | undefined {
  const [c, t, square] = [control.mean, treatment.mean, width * width]
  const rest = c * c - square * control.variance
  if (rest <= 0 || control.variance + treatment.variance <= 0) return undefined
  const spread = treatment.variance * c * c + control.variance * t * t - square * control.variance * treatment.variance
  const half = width * Math.sqrt(Math.max(0, spread))
  const [low, high] = [(c * t - half) / rest - 1, (c * t + half) / rest - 1]
  // Of a control below zero, more is a smaller multiple.
  return finite(c > 0 ? { low, high } : { low: -high, high: -low })
}

function finite({ low, high }: Interval): Interval | undefined {
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : undefined
}
