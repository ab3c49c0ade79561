import type { ComparisonPower } from '@burgee/contract/schemas'
import type { Arm } from './inference/compareArms.ts'
import { minimumDetectableEffect, powerOf, usersForPower } from './inference/power.ts'
import { residualsOf } from './inference/userMoments.ts'

/**
 * Returns the power of a comparison at the sizes so far, and the sizes for a power of 80%. Rate and variance of the
 * control are those without an effect.
 */
export function toComparisonPower(
  control: Arm,
  treatment: Arm,
  { effect, comparisons }: { readonly effect: number; readonly comparisons: number }
): ComparisonPower {
  const [c, t] = [sampleOf(control), sampleOf(treatment)]
  const users = c.size + t.size
  const unknown = { power: null, users: null, sequentialUsers: null }
  const noEffect = { minimumDetectableEffect: null, minimumDetectableRelativeEffect: null }
  const difference = Math.abs(c.mean) * effect
  if (c.size === 0 || t.size === 0 || !(c.variance > 0)) return { effect, ...unknown, ...noEffect }
  const common = { comparisons, treatmentShare: t.size / users, controlVariance: c.variance }
  const smallest = minimumDetectableEffect({ ...common, treatmentVariance: c.variance }, users)
  const detectable = {
    minimumDetectableEffect: smallest,
    minimumDetectableRelativeEffect: finite(smallest / Math.abs(c.mean))
  }
  const changed = treatment.type === 'count' ? c.mean + difference : undefined
  if (difference === 0 || (changed !== undefined && changed >= 1)) return { effect, ...unknown, ...detectable }
  const treatmentVariance = changed === undefined ? c.variance : changed * (1 - changed)
  // The z-test of counts assumes the pooled rate.
  const pooled = changed === undefined ? undefined : c.mean + (difference * t.size) / users
  const nullVariance = pooled === undefined ? undefined : pooled * (1 - pooled)
  const plan = { ...common, treatmentVariance, nullVariance, effect: difference }
  return {
    effect,
    power: powerOf(plan, users),
    users: finite(Math.ceil(usersForPower(plan))),
    sequentialUsers: finite(Math.ceil(usersForPower({ ...plan, isSequential: true }))),
    ...detectable
  }
}

/** The size, the mean and the variance of one user's value in an arm. */
function sampleOf(arm: Arm): { readonly size: number; readonly mean: number; readonly variance: number } {
  if (arm.type === 'count') {
    const { successes, trials } = arm.proportion
    const mean = successes / trials
    return { size: trials, mean, variance: mean * (1 - mean) }
  }
  const { size, ratio, squares, scale } = residualsOf(arm.moments)
  return { size, mean: ratio, variance: squares / (size - 1) / scale ** 2 }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
