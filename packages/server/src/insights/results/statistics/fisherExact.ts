import type { Proportion } from './proportion.ts'

/**
 * Fisher's exact test of two proportions (1935): how likely a split of all successes between the two is that is no likelier
 * than the one there is, to both sides, where the two do not differ. R's `fisher.test` and SciPy's `fisher_exact` find the same.
 */
export function fisherExactPValue(control: Proportion, treatment: Proportion): number {
  const successes = control.successes + treatment.successes
  const fewest = Math.max(0, successes - control.trials)
  const most = Math.min(successes, treatment.trials)
  const likeliest = Math.floor(((successes + 1) * (treatment.trials + 1)) / (control.trials + treatment.trials + 2))
  const middle = Math.min(most, Math.max(fewest, likeliest))
  /** How much likelier the treatment is to have one success more than so many. */
  const step = (count: number) =>
    ((successes - count) / (count + 1)) * ((treatment.trials - count) / (control.trials - successes + count + 1))
  const weights = new Map([[middle, 1]])
  // Weights fall ever faster outwards: where few are expected, some hundred steps come to those that numbers cannot hold.
  for (let count = middle, weight = 1; count < most && weight > 0; count++) {
    weight *= step(count)
    weights.set(count + 1, weight)
  }
  for (let count = middle, weight = 1; count > fewest && weight > 0; count--) {
    weight /= step(count - 1)
    weights.set(count - 1, weight)
  }
  // Two that are equally likely can differ by rounding.
  const observed = (weights.get(treatment.successes) ?? 0) * (1 + 1e-7)
  const all = [...weights.values()]
  return sum(all.filter((weight) => weight <= observed)) / sum(all)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
