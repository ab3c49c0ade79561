import { bisect } from '../statistics/bisect.ts'
import { normalPValue, SIGNIFICANCE_LEVEL } from '../statistics/distributions.ts'
import { sequentialCriticalValue } from './confidenceSequence.ts'

/** A planned or running comparison. */
export interface PowerPlan {
  /** The variance of one user's value: of the control, and of the treatment with the effect. */
  readonly controlVariance: number
  readonly treatmentVariance: number
  /** The variance of one user's value that the test assumes when it compares; by default the true ones. */
  readonly nullVariance?: number | undefined
  /** The difference of the means that the test should detect. */
  readonly effect: number
  /** The share of users in the treatment, of both arms; ½ by default. */
  readonly treatmentShare?: number | undefined
  /** Two-sided; `SIGNIFICANCE_LEVEL` by default. It is divided by `comparisons`. */
  readonly alpha?: number | undefined
  readonly comparisons?: number | undefined
  /**
   * Whether the always-valid test is used at the end. Power is then a lower bound: an earlier analysis may detect the
   * effect.
   */
  readonly isSequential?: boolean | undefined
}

/** Returns the probability of detecting the effect with a number of users of both arms. */
export function powerOf(plan: PowerPlan, users: number): number {
  const { controlVariance, treatmentVariance, effect, treatmentShare: t = 0.5 } = plan
  const error = Math.sqrt((controlVariance / (1 - t) + treatmentVariance / t) / users)
  if (plan.isSequential) {
    const tested = plan.nullVariance === undefined ? error : Math.sqrt(plan.nullVariance / (t * (1 - t)) / users)
    const critical = sequentialCriticalValue(users, levelOf(plan))
    return normalUpperTail((critical * tested - Math.abs(effect)) / error)
  }
  return normalUpperTail(normalQuantile(1 - levelOf(plan) / 2) - Math.abs(effect) / error)
}

/** Returns the number of users of both arms that gives the test a power; infinity beyond 10¹⁵. */
export function usersForPower(plan: PowerPlan, power = 0.8): number {
  const { controlVariance, treatmentVariance, effect, treatmentShare: t = 0.5 } = plan
  const variance = controlVariance / (1 - t) + treatmentVariance / t
  if (effect === 0 || !Number.isFinite(variance)) return Number.POSITIVE_INFINITY
  if (!plan.isSequential) {
    return (variance * (normalQuantile(1 - levelOf(plan) / 2) + normalQuantile(power)) ** 2) / effect ** 2
  }
  let enough = 2
  while (powerOf(plan, enough) < power && enough < MAX_USERS) enough *= 2
  if (enough >= MAX_USERS) return Number.POSITIVE_INFINITY
  return bisect(enough, enough / 2, (users) => powerOf(plan, users) >= power)
}

/** Returns the smallest difference that the test detects with a power and a number of users of both arms. */
export function minimumDetectableEffect(plan: Omit<PowerPlan, 'effect'>, users: number, power = 0.8): number {
  const { controlVariance, treatmentVariance, treatmentShare: t = 0.5 } = plan
  const error = Math.sqrt((controlVariance / (1 - t) + treatmentVariance / t) / users)
  const level = levelOf(plan)
  const tested = plan.nullVariance === undefined ? error : Math.sqrt(plan.nullVariance / (t * (1 - t)) / users)
  const critical = plan.isSequential
    ? sequentialCriticalValue(users, level) * tested
    : normalQuantile(1 - level / 2) * error
  return critical + normalQuantile(power) * error
}

function levelOf({ alpha = SIGNIFICANCE_LEVEL, comparisons = 1 }: Pick<PowerPlan, 'alpha' | 'comparisons'>): number {
  return alpha / Math.max(1, comparisons)
}

/** P(Z > z). */
function normalUpperTail(z: number): number {
  const tail = normalPValue(z) / 2
  return z > 0 ? tail : 1 - tail
}

/** Returns the z with P(Z ≤ z) = probability. */
function normalQuantile(probability: number): number {
  if (probability < 0.5) return -normalQuantile(1 - probability)
  const tail = 1 - probability
  return bisect(0, 40, (z) => normalUpperTail(z) >= tail)
}

const MAX_USERS = 1e15
