/** A number of successes in a number of trials. */
export interface Proportion {
  readonly successes: number
  readonly trials: number
}

/** Whether there are trials, and at most as many successes. */
export function isValidProportion({ successes, trials }: Proportion): boolean {
  return trials > 0 && successes >= 0 && successes <= trials
}

/** The share of trials that succeeded. */
export function successRate({ successes, trials }: Proportion): number {
  return successes / trials
}

/** The success rate of both samples together. */
export function pooledRate(control: Proportion, treatment: Proportion): number {
  return (control.successes + treatment.successes) / (control.trials + treatment.trials)
}

/**
 * Whether at least five successes and five failures are expected of each sample under the null hypothesis (Cochran
 * 1954).
 */
export function isNormalApproximationValid(control: Proportion, treatment: Proportion): boolean {
  const pooled = pooledRate(control, treatment)
  return Math.min(control.trials, treatment.trials) * Math.min(pooled, 1 - pooled) >= 5
}
