/** The comparison of a treatment with the control. */
export interface Comparison {
  /** The treatment's rate or mean minus the control's. */
  readonly difference: number
  /** The test statistic: the difference in standard errors. */
  readonly statistic: number
  /** Two-sided. */
  readonly pValue: number
  /** The 95 % confidence interval of the difference. */
  readonly interval?: Interval | undefined
  /** The 95 % confidence interval of the difference relative to the control; absent if the control may be zero. */
  readonly relativeInterval?: Interval | undefined
  /** The number of observations of both samples. */
  readonly size: number
  /** Whether both samples are large enough for the statistic to be about normal, which `sequentialPValue` requires. */
  readonly isLargeEnough: boolean
}

/** The number of observations that each sample needs to be large enough. */
export const MIN_SAMPLE_SIZE = 30

/** A closed interval. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Whether a p-value is significant at the 5 % level. */
export function isSignificant(pValue: number): boolean {
  return pValue < 0.05
}

/**
 * Returns the probability that the treatment is better. With a flat prior and a normal statistic, this is one minus the
 * one-sided p-value.
 */
export function chanceToBeat({ statistic, pValue }: Comparison, optimize: 'increase' | 'decrease'): number {
  const isAhead = optimize === 'increase' ? statistic >= 0 : statistic <= 0
  return isAhead ? 1 - pValue / 2 : pValue / 2
}

/**
 * Returns an always-valid p-value: it stays valid when the experiment is looked at repeatedly (Johari, Koomen, Pekelis
 * and Walsh 2017). It is the smallest level at which the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha,
 * Kennedy and Ramdas (2024, Annals of Statistics 52, theorem 2.2) excludes zero.
 * @param statistic The difference in standard errors.
 * @param size The number of observations of both samples.
 */
export function sequentialPValue(statistic: number, size: number): number {
  const scale = size * RHO_SQUARED
  return Math.min(1, Math.sqrt(scale + 1) * Math.exp((-0.5 * statistic ** 2 * scale) / (scale + 1)))
}

/** The sample size at which the sequence is narrowest. It is valid at any size. */
const TUNED_FOR = 5000

/** The paper's ρ², chosen to make the sequence narrowest at `TUNED_FOR` observations and a level of 5 %. */
const RHO_SQUARED = (-2 * Math.log(0.05) + Math.log(-2 * Math.log(0.05)) + 1) / TUNED_FOR
