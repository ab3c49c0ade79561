/** How a treatment compares with the control. */
export interface Comparison {
  /** How much more the treatment has. */
  readonly difference: number
  /** The difference in standard errors, as the test takes it. */
  readonly statistic: number
  /** How likely a difference at least as large is, to either side, where there is none. */
  readonly pValue: number
  /** Where the difference lies, with 95 % confidence. */
  readonly interval?: Interval | undefined
  /** The same as a share of the control's, where the control is certain enough not to be zero. */
  readonly relativeInterval?: Interval | undefined
  /** How many observations both have together. */
  readonly size: number
  /** Whether each has so many that the statistic is as good as normal, which looking at it every day takes. */
  readonly isLargeEnough: boolean
}

/** How many observations each must have at least for that. */
export const MIN_SAMPLE_SIZE = 30

/** Two bounds, and everything between them. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Whether a p-value is small enough to speak of a difference. */
export function isSignificant(pValue: number): boolean {
  return pValue < 0.05
}

/** How likely the treatment is to be the better one: where nothing was known before, what the p-value leaves on its side. */
export function chanceToBeat({ statistic, pValue }: Comparison, optimize: 'increase' | 'decrease'): number {
  const isAhead = optimize === 'increase' ? statistic >= 0 : statistic <= 0
  return isAhead ? 1 - pValue / 2 : pValue / 2
}
