import { bisect } from './bisect.ts'
import type { Interval } from './interval.ts'
import { type Proportion, successRate } from './proportion.ts'

/**
 * Returns the score interval of the difference of two proportions (Mee 1984; method 5 of Newcombe 1998): the
 * differences that the z-test does not reject. It excludes zero exactly when the z-test is significant.
 * @param criticalValue The half-width of the interval in standard errors.
 */
export function scoreDifferenceInterval(control: Proportion, treatment: Proportion, criticalValue: number): Interval {
  const observed = successRate(treatment) - successRate(control)
  const isWithin = (difference: number): boolean => {
    const share = restrictedEstimate(control, treatment, difference)
    const variance = varianceOf(share, control) + varianceOf(share + difference, treatment)
    return (observed - difference) ** 2 <= criticalValue ** 2 * variance
  }
  return { low: bisect(observed, -1, isWithin), high: bisect(observed, 1, isWithin) }
}

/**
 * Returns the score interval of the ratio of two proportions, minus one (Koopman 1984). The lower bound is at
 * least −1. Returns `undefined` if the control has no successes, since the ratio is unbounded then.
 */
export function scoreRatioInterval(
  control: Proportion,
  treatment: Proportion,
  criticalValue: number
): Interval | undefined {
  const [c, t] = [successRate(control), successRate(treatment)]
  if (c === 0) return undefined
  // Maps 0…1 to ratios of 0…∞, so that they can be bisected.
  const ratioOf = (point: number) => point / (1 - point)
  const isWithin = (point: number): boolean => {
    if (point === 0 || point === 1) return point === 0 && t === 0
    const ratio = ratioOf(point)
    const share = restrictedEstimateOfRatio(control, treatment, ratio)
    const variance = ratio ** 2 * varianceOf(share, control) + varianceOf(ratio * share, treatment)
    return (t - ratio * c) ** 2 <= criticalValue ** 2 * variance
  }
  const observed = t / (t + c)
  return { low: ratioOf(bisect(observed, 0, isWithin)) - 1, high: ratioOf(bisect(observed, 1, isWithin)) - 1 }
}

/**
 * The maximum likelihood estimate of the control's proportion under a given difference: the zero of the score function.
 */
function restrictedEstimate(control: Proportion, treatment: Proportion, difference: number): number {
  const score = (share: number): number =>
    scoreTerm(control.successes, share) -
    scoreTerm(control.trials - control.successes, 1 - share) +
    scoreTerm(treatment.successes, share + difference) -
    scoreTerm(treatment.trials - treatment.successes, 1 - share - difference)
  return bisect(Math.max(0, -difference), Math.min(1, 1 - difference), (share) => score(share) >= 0)
}

function scoreTerm(count: number, share: number): number {
  return count === 0 ? 0 : count / Math.max(0, share)
}

/** The same under a given ratio: the smaller root of a quadratic equation, in the form that avoids cancellation. */
function restrictedEstimateOfRatio(control: Proportion, treatment: Proportion, ratio: number): number {
  const successes = control.successes + treatment.successes
  const b = ratio * (treatment.trials + control.successes) + treatment.successes + control.trials
  const root = Math.sqrt(Math.max(0, b * b - 4 * ratio * (control.trials + treatment.trials) * successes))
  return (2 * successes) / (b + root)
}

function varianceOf(share: number, { trials }: Proportion): number {
  return Math.max(0, share * (1 - share)) / trials
}
