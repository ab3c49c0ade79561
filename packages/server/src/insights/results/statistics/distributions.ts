import { regularizedIncompleteBeta } from './beta.ts'
import { bisect } from './bisect.ts'
import { regularizedUpperGamma } from './gamma.ts'

/** How likely a normal variable is to be at least so far from its mean, in standard deviations, to either side. */
export function normalPValue(z: number): number {
  // The square of a normal variable has the chi-square distribution with one degree of freedom.
  return chiSquarePValue(z * z, 1)
}

/** How likely a variable with Student's t distribution is to be at least so far from zero, to either side (DLMF §8.17 with Abramowitz and Stegun 26.5.27). */
export function studentTPValue(t: number, degrees: number): number {
  const square = t * t
  if (square === Number.POSITIVE_INFINITY) return 0
  // Here the two distributions differ by less than rounding makes of the incomplete beta function.
  if (degrees > NEARLY_NORMAL) return normalPValue(t)
  return regularizedIncompleteBeta(degrees / (degrees + square), square / (degrees + square), degrees / 2, 0.5)
}

const NEARLY_NORMAL = 1e8

/** How likely a variable with the chi-square distribution is to be at least so large. */
export function chiSquarePValue(square: number, degrees: number): number {
  return regularizedUpperGamma(degrees / 2, square / 2)
}

/** How far from zero 95 % of the values of a normal variable are at most, in standard deviations. */
export const NORMAL_CRITICAL_95 = 1.959_963_984_540_054

/** How far from zero 95 % of the values are at most that have Student's t distribution with so many degrees of freedom, of which there is one at least. */
export function studentTCritical95(degrees: number): number {
  // The tails grow thinner outwards.
  return bisect(NORMAL_CRITICAL_95, ONE_DEGREE_95, (t) => studentTPValue(t, degrees) > 0.05)
}

/** What `student95` is with one degree of freedom, the fewest: tan(0.475 π). */
const ONE_DEGREE_95 = 12.706_204_736_174_7
