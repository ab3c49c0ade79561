import { SIGNIFICANCE_LEVEL } from '../statistics/distributions.ts'

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

/** Returns the half-width of the confidence sequence in standard errors: where `sequentialPValue` is `alpha`. */
export function sequentialCriticalValue(size: number, alpha = SIGNIFICANCE_LEVEL): number {
  const scale = size * RHO_SQUARED
  return Math.sqrt(((2 * (scale + 1)) / scale) * Math.log(Math.sqrt(scale + 1) / alpha))
}

/** The sample size at which the sequence is narrowest. It is valid at any size. */
const TUNED_FOR = 5000

const LOG_TERM = -2 * Math.log(SIGNIFICANCE_LEVEL)

/** The paper's ρ², chosen to make the sequence narrowest at `TUNED_FOR` observations and `SIGNIFICANCE_LEVEL`. */
const RHO_SQUARED = (LOG_TERM + Math.log(LOG_TERM) + 1) / TUNED_FOR
