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
