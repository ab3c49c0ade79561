import { continuedFraction, type Term } from './continuedFraction.ts'
import { logGamma } from './gamma.ts'

/**
 * The regularized incomplete beta function I_x(a, b) (DLMF §8.17): the cumulative distribution function of the beta
 * distribution with shapes `a` and `b`. `complement` is 1 − x, which callers know more precisely when x is close to 1.
 */
export function regularizedIncompleteBeta(x: number, complement: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (complement <= 0) return 1
  // The continued fraction converges quickly below the mean; above it, the symmetry of DLMF 8.17.4 applies.
  return x < (a + 1) / (a + b + 2) ? fraction(x, complement, a, b) : 1 - fraction(complement, x, b, a)
}

/** DLMF 8.17.22. */
function fraction(x: number, complement: number, a: number, b: number): number {
  const front = Math.exp(a * Math.log(x) + b * Math.log(complement) + logGamma(a + b) - logGamma(a) - logGamma(b))
  return (front / a) * continuedFraction(1, (n) => ({ a: numerator(n, x, a, b), b: 1 }))
}

/** DLMF 8.17.23. */
function numerator(n: number, x: number, a: number, b: number): Term['a'] {
  const m = Math.floor(n / 2)
  return n % 2 === 0
    ? (m * (b - m) * x) / ((a + n - 1) * (a + n))
    : (-(a + m) * (a + b + m) * x) / ((a + n - 1) * (a + n))
}
