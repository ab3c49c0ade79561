/**
 * Evaluates 1 / (b₀ + a₁/(b₁ + a₂/(b₂ + …))) until a further term changes nothing, by the method of Lentz (1976) as
 * modified by Thompson and Barnett (1986); DLMF §3.10.
 */
export function continuedFraction(b0: number, term: (n: number) => Term): number {
  let c = 1 / TINY
  let d = 1 / nonZero(b0)
  let value = d
  for (let n = 1; n <= MAX_TERMS; n++) {
    const { a, b } = term(n)
    d = 1 / nonZero(b + a * d)
    c = nonZero(b + a / c)
    value *= c * d
    if (Math.abs(c * d - 1) < Number.EPSILON) break
  }
  return value
}

/** The partial numerator and denominator of one step. */
export interface Term {
  readonly a: number
  readonly b: number
}

/** Replaces a denominator of zero, by which the next step would divide. */
const TINY = 1e-300

/**
 * An upper bound: the fractions of this folder converge after about ten terms, and after some hundreds for wide
 * distributions.
 */
const MAX_TERMS = 10_000

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
