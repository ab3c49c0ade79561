import { regularizedIncompleteBeta } from './beta.ts'
import { bisect } from './bisect.ts'
import { regularizedUpperGamma } from './gamma.ts'

/** The two-sided p-value of a standard normal statistic. */
export function normalPValue(z: number): number {
  // The square of a normal variable has the chi-square distribution with one degree of freedom.
  return chiSquarePValue(z * z, 1)
}

/** The two-sided p-value of a statistic with Student's t distribution (Abramowitz and Stegun 26.5.27). */
export function studentTPValue(t: number, degrees: number): number {
  const square = t * t
  if (square === Number.POSITIVE_INFINITY) return 0
  // Beyond this, the difference to the normal distribution is smaller than the rounding error of the incomplete beta
  // function.
  if (degrees > NEARLY_NORMAL) return normalPValue(t)
  return regularizedIncompleteBeta(degrees / (degrees + square), square / (degrees + square), degrees / 2, 0.5)
}

const NEARLY_NORMAL = 1e8

/**
 * The upper-tail p-value of a statistic with the chi-square distribution (DLMF §8.2, Abramowitz and Stegun 26.4.19).
 */
export function chiSquarePValue(statistic: number, degrees: number): number {
  return regularizedUpperGamma(degrees / 2, statistic / 2)
}

/** The level of all tests: p-values below it are significant. Intervals have the complementary confidence level. */
export const SIGNIFICANCE_LEVEL = 0.05

/** The two-sided critical value of the standard normal distribution at `SIGNIFICANCE_LEVEL`. */
export const NORMAL_CRITICAL_95 = 1.959_963_984_540_054

/** The two-sided critical value of Student's t distribution with at least one degree of freedom, at the same level. */
export function studentTCritical95(degrees: number): number {
  // The p-value decreases monotonically with t.
  return bisect(NORMAL_CRITICAL_95, ONE_DEGREE_95, (t) => studentTPValue(t, degrees) > SIGNIFICANCE_LEVEL)
}

/** The critical value with one degree of freedom: tan(0.475 π). */
const ONE_DEGREE_95 = 12.706_204_736_174_7
