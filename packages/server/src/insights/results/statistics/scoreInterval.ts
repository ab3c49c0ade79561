import { bisect } from './bisect.ts'
import type { Interval } from './comparison.ts'
import { NORMAL_CRITICAL_95 } from './distributions.ts'
import { type Proportion, successRate } from './proportion.ts'

/**
 * The differences that the z-test does not reject at 5 %: the score interval of Mee (1984), which Newcombe (1998) lists as
 * method 5. It leaves zero out just when the z-test of a difference of zero is significant.
 */
export function scoreDifferenceInterval(control: Proportion, treatment: Proportion): Interval {
  const found = successRate(treatment) - successRate(control)
  const isWithin = (difference: number): boolean => {
    const share = restrictedEstimate(control, treatment, difference)
    const variance = varianceOf(share, control) + varianceOf(share + difference, treatment)
    return (found - difference) ** 2 <= NORMAL_CRITICAL_95 ** 2 * variance
  }
  return { low: bisect(found, -1, isWithin), high: bisect(found, 1, isWithin) }
}

/**
 * The same for how many times as large the treatment's proportion is, less one: the score interval of Koopman (1984). It is
 * −1 at least, and there is none without successes of the control, of which anything is any number of times as much.
 */
export function scoreRatioInterval(control: Proportion, treatment: Proportion): Interval | undefined {
  const [c, t] = [successRate(control), successRate(treatment)]
  if (c === 0) return undefined
  // Ratios from nothing to infinity, as shares of both together.
  const ratioOf = (place: number) => place / (1 - place)
  const isWithin = (place: number): boolean => {
    if (place === 0 || place === 1) return place === 0 && t === 0
    const ratio = ratioOf(place)
    const share = restrictedEstimateOfRatio(control, treatment, ratio)
    const variance = ratio ** 2 * varianceOf(share, control) + varianceOf(ratio * share, treatment)
    return (t - ratio * c) ** 2 <= NORMAL_CRITICAL_95 ** 2 * variance
  }
  const found = t / (t + c)
  return { low: ratioOf(bisect(found, 0, isWithin)) - 1, high: ratioOf(bisect(found, 1, isWithin)) - 1 }
}

/** The control's proportion that makes what was seen likeliest, where the treatment's is so much larger: there, the slope of the likelihood is zero. */
function restrictedEstimate(control: Proportion, treatment: Proportion, difference: number): number {
  const slope = (share: number): number =>
    pull(control.successes, share) -
    pull(control.trials - control.successes, 1 - share) +
    pull(treatment.successes, share + difference) -
    pull(treatment.trials - treatment.successes, 1 - share - difference)
  return bisect(Math.max(0, -difference), Math.min(1, 1 - difference), (share) => slope(share) >= 0)
}

function pull(count: number, share: number): number {
  return count === 0 ? 0 : count / Math.max(0, share)
}

/** The same, where the treatment's is so many times as large: a quadratic equation, solved without taking equals from each other. */
function restrictedEstimateOfRatio(control: Proportion, treatment: Proportion, ratio: number): number {
  const successes = control.successes + treatment.successes
  const b = ratio * (treatment.trials + control.successes) + treatment.successes + control.trials
  const root = Math.sqrt(Math.max(0, b * b - 4 * ratio * (control.trials + treatment.trials) * successes))
  return (2 * successes) / (b + root)
}

function varianceOf(share: number, { trials }: Proportion): number {
  return Math.max(0, share * (1 - share)) / trials
}
