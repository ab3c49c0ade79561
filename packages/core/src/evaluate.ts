import type { EvaluationState, UnvalidatedUser } from './conditions/evaluationState.ts'
import { CYCLE, type MatchResult } from './conditions/matcher.ts'
import { bucketingHash, bucketingValue, type Range, rangeAt, rolloutHash } from './targeting/bucket.ts'
import { type PreparedFeature, variationOf } from './targeting/feature.ts'
import { includesPosition, type PreparedRollout, percentageAt } from './targeting/rollout.ts'
import { type Decision, type Failure, serve } from './targeting/served.ts'
import type { PreparedTarget } from './targeting/target.ts'
import type { ProblemCode } from './types/problem.ts'

/**
 * Evaluates a feature: the first target that matches and includes the user serves one of its variations. Each target
 * checks its filters, then its rollout, then its distribution (docs/reference/evaluation.md, Decision order). Returns
 * undefined if no target serves the user.
 */
export function decide(feature: PreparedFeature, state: EvaluationState, user: UnvalidatedUser): Decision | undefined {
  // The text of the last target that matched. A target that matches without a text keeps the one before it.
  let details = ''
  for (let target = feature.firstTarget; target !== undefined; target = target.next) {
    const { conditions, rollout } = target
    let text: MatchResult = target.text
    if (conditions === undefined) {
      state.enterFeature(feature)
      text = target.operator.match(state, user)
      if (text === undefined) continue
      if (text === CYCLE) return fail(feature, target, 'ENDLESS_FILTERS')
    } else if (!state.passesAll(conditions, user)) continue
    const range = rollout === undefined ? assignedRange(target, user) : admittedRange(rollout, target, state, user)
    if (typeof range === 'string') return fail(feature, target, range)
    if (range !== undefined) return range.served ?? serveRange(feature, target, range, text || details)
    details = text || details
    if (!state.config.isPassthrough) return undefined
  }
  return undefined
}

/** Returns the range of a user, undefined if the rollout excludes the user, or why neither can be determined. */
function admittedRange(
  rollout: PreparedRollout,
  target: PreparedTarget,
  state: EvaluationState,
  user: UnvalidatedUser
): Range | ProblemCode | undefined {
  const isAdmitted = checkRollout(rollout, target, state, user)
  return isAdmitted === true ? assignedRange(target, user) : isAdmitted || undefined
}

/** Returns whether a target's rollout includes the user, or why that cannot be determined. */
export function checkRollout(
  rollout: PreparedRollout,
  target: PreparedTarget,
  state: EvaluationState,
  user: UnvalidatedUser
): boolean | ProblemCode {
  const percentage = percentageAt(rollout, state.now)
  if (percentage === undefined) return 'MISSING_START_PERCENTAGE'
  if (percentage <= 0) return false
  if (percentage >= 1) return true
  const value = bucketingValue(user, target.bucketingKey)
  return value === undefined ? 'MISSING_USER_ID' : includesPosition(percentage, rolloutHash(value, target.seed))
}

/** Returns the user's range in a target's distribution, or why it cannot be determined. */
export function assignedRange(target: PreparedTarget, user: UnvalidatedUser): Range | ProblemCode {
  if (target.soleRange !== undefined) return target.soleRange
  const value = bucketingValue(user, target.bucketingKey)
  if (value === undefined) return 'MISSING_USER_ID'
  return rangeAt(target.ranges, bucketingHash(value, target.seed)) ?? 'UNDECIDED_DISTRIBUTION'
}

/** Returns the result for the users of a range, from the cache if possible. */
function serveRange(feature: PreparedFeature, target: PreparedTarget, range: Range, details: string): Decision {
  const cached = range.byDetails?.get(details)
  if (cached) return cached
  const variation = variationOf(feature, range.variation)
  if (!variation) return fail(feature, target, 'UNKNOWN_VARIATION', `: "${range.variation}"`)
  if (variation.unknownVariable !== undefined) {
    return fail(feature, target, 'UNKNOWN_VARIABLE', `: "${variation.unknownVariable}"`)
  }
  const { reason, prefix, id } = target
  const served = serve(feature, variation, { reason, details: prefix + details, target_id: id })
  if (target.text) range.served = served
  else {
    range.byDetails ??= new Map()
    range.byDetails.set(details, served)
  }
  return served
}

const messages: Record<ProblemCode, string> = {
  UNDECIDED_DISTRIBUTION: 'its shares do not cover this user',
  UNKNOWN_VARIATION: 'its distribution names an unknown variation',
  UNKNOWN_VARIABLE: 'its variation names an unknown variable',
  MISSING_START_PERCENTAGE: 'its rollout has no startPercentage',
  ENDLESS_FILTERS: 'its audiences form a cycle or nest too deeply',
  MISSING_USER_ID: 'the user has no user_id'
}

function fail(feature: PreparedFeature, target: PreparedTarget, code: ProblemCode, detail = ''): Failure {
  const { key } = feature.source
  const message = `feature "${key}" fails at target "${target.id}": ${messages[code]}${detail}`
  return { status: 'failed', problem: { code, feature: key, target: target.id, message } }
}
