/** How often something happened, of how often it could have. */
export interface Proportion {
  readonly successes: number
  readonly trials: number
}

/** Whether there are trials, and no more successes than trials. */
export function isValidProportion({ successes, trials }: Proportion): boolean {
  return trials > 0 && successes >= 0 && successes <= trials
}

/** The share of the trials that succeeded. */
export function successRate({ successes, trials }: Proportion): number {
  return successes / trials
}

/** The share that succeeded of both together. */
export function pooledRate(control: Proportion, treatment: Proportion): number {
  return (control.successes + treatment.successes) / (control.trials + treatment.trials)
}

/**
 * Whether enough successes and failures are expected of each, if they do not differ, for differences to vary as a normal
 * variable does: five, by the usual rule (Cochran 1954).
 */
export function isNormalApproximationValid(control: Proportion, treatment: Proportion): boolean {
  const pooled = pooledRate(control, treatment)
  return Math.min(control.trials, treatment.trials) * Math.min(pooled, 1 - pooled) >= 5
}
