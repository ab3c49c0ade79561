import type { Proportion } from './proportion.ts'
import { sum } from './sum.ts'

/**
 * The two-sided p-value of Fisher's exact test (1935): the probability, given the margins, of all tables that are at
 * most as likely as the observed one. Agrees with R's `fisher.test` and SciPy's `fisher_exact`.
 */
export function fisherExactPValue(control: Proportion, treatment: Proportion): number {
  const successes = control.successes + treatment.successes
  const min = Math.max(0, successes - control.trials)
  const max = Math.min(successes, treatment.trials)
  const mode = Math.floor(((successes + 1) * (treatment.trials + 1)) / (control.trials + treatment.trials + 2))
  const start = Math.min(max, Math.max(min, mode))
  /**
   * The ratio of the probabilities of `count + 1` and `count` successes of the treatment (hypergeometric distribution).
   */
  const ratio = (count: number) =>
    ((successes - count) / (count + 1)) * ((treatment.trials - count) / (control.trials - successes + count + 1))
  const weights = new Map([[start, 1]])
  // Weights decrease ever faster away from the mode and underflow to zero after some hundred steps.
  for (let count = start, weight = 1; count < max && weight > 0; count++) {
    weight *= ratio(count)
    weights.set(count + 1, weight)
  }
  for (let count = start, weight = 1; count > min && weight > 0; count--) {
    weight /= ratio(count - 1)
    weights.set(count - 1, weight)
  }
  // Equal probabilities can differ by rounding.
  const observed = (weights.get(treatment.successes) ?? 0) * (1 + 1e-7)
  const all = [...weights.values()]
  return sum(all.filter((weight) => weight <= observed)) / sum(all)
}
