import { continuedFraction } from './continuedFraction.ts'

/**
 * The regularized upper incomplete gamma function Q(a, x) for a > 0 (DLMF §8.2): the upper tail of the gamma
 * distribution.
 */
export function regularizedUpperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  const front = Math.exp(a * Math.log(x) - x - logGamma(a))
  if (x < a + 1) return Math.max(0, 1 - front * lowerSeries(a, x))
  // The even part of the continued fraction of DLMF 8.9.2.
  return front * continuedFraction(x + 1 - a, (n) => ({ a: -n * (n - a), b: x + 2 * n + 1 - a }))
}

/** The series of DLMF 8.11.4, which converges quickly for small x. */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; term > sum * Number.EPSILON; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

/**
 * The logarithm of the gamma function for x > 0, by the approximation of Lanczos (1964) with g = 7 and nine
 * coefficients.
 */
export function logGamma(x: number): number {
  // The reflection formula of DLMF 5.5.3: the approximation is accurate for x ≥ 0.5 only.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const base = x + 6.5
  const series = lanczos.reduce((sum, coefficient, n) => sum + (n === 0 ? coefficient : coefficient / (x - 1 + n)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(series)
}

const lanczos = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7
]
