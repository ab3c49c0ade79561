/**
 * The value of 1 / (b₀ + a₁/(b₁ + a₂/(b₂ + …))), worked out from the front until a further term changes nothing
 * (the method of Lentz 1976, in the form of Thompson and Barnett 1986; DLMF §3.10).
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

/** One step of a continued fraction: its numerator, and what it adds to the denominator. */
export interface Term {
  readonly a: number
  readonly b: number
}

/** Stands for a denominator of zero, which the next step would divide by. */
const TINY = 1e-300

/** More than any of ours takes; they settle after some ten, and after some hundred where a distribution is wide. */
const MAX_TERMS = 10_000

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
