import { regularizedIncompleteBeta } from '../statistics/beta.ts'
import type { Proportion } from '../statistics/proportion.ts'

/**
 * Returns the posterior probability that the treatment's proportion is higher than the control's, with Jeffreys' prior
 * Beta(½, ½) for each. It is one half for two samples without trials.
 */
export function probabilityOfHigher(control: Proportion, treatment: Proportion): number {
  const [c, t] = [posterior(control), posterior(treatment)]
  // The density of the narrower posterior is integrated over the distribution function of the wider one, which is
  // smooth on the scale of the steps.
  return c.width < t.width ? 1 - probabilityBelow(c, t) : probabilityBelow(t, c)
}

interface Beta {
  readonly a: number
  readonly b: number
  /** Of the log-odds. */
  readonly mode: number
  readonly width: number
}

function posterior({ successes, trials }: Proportion): Beta {
  const [a, b] = [successes + 0.5, trials - successes + 0.5]
  return { a, b, mode: Math.log(a / b), width: 1 / a + 1 / b }
}

/** P(other < one), by the trapezoidal rule over the log-odds, which converges exponentially for such densities. */
function probabilityBelow(one: Beta, other: Beta): number {
  // The tails of the log-odds decrease like exp(−a·u), near the mode like a normal density.
  const step = Math.min(Math.sqrt(one.width), 1) / STEPS_PER_DEVIATION
  const peak = logDensity(one, one.mode)
  let [total, below] = [0, 0]
  for (const direction of [1, -1]) {
    for (let n = direction === 1 ? 0 : 1; ; n++) {
      const logOdds = one.mode + direction * n * step
      const weight = Math.exp(logDensity(one, logOdds) - peak)
      if (weight < NEGLIGIBLE) break
      const [x, complement] = [1 / (1 + Math.exp(-logOdds)), 1 / (1 + Math.exp(logOdds))]
      total += weight
      below += weight * regularizedIncompleteBeta(x, complement, other.a, other.b)
    }
  }
  return below / total
}

const STEPS_PER_DEVIATION = 8

const NEGLIGIBLE = 1e-14

/** Of the log-odds, up to a constant. */
function logDensity({ a, b }: Beta, logOdds: number): number {
  return -a * Math.log1p(Math.exp(-logOdds)) - b * Math.log1p(Math.exp(logOdds))
}
