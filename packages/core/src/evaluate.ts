import { bucketingHash, bucketingValue, pick, rolloutValue } from './bucket.ts'
import type { PreparedFeature } from './feature.ts'
import { admits, type PreparedRollout, percentageAt } from './rollout.ts'
import { type Served, serve } from './served.ts'
import type { Subject } from './subject.ts'
import type { PreparedTarget } from './target.ts'
import type { Problem, ProblemCode } from './types/problem.ts'
import { ENDLESS } from './verdict.ts'

/** What a feature comes to for a user. */
export type Decision = Served | typeof UNSERVED | Failure

/** No target serves this user. */
export const UNSERVED = Object.freeze({ status: 'unserved' })

/** The feature could not be decided for this user. */
export interface Failure {
  readonly status: 'failed'
  readonly problem: Problem
}

/**
 * Decides a feature for a user: the first target that matches and admits the user serves one of its variations
 * (`evaluation.md` §5.1). Targets are tried in order; the order of the checks within one is: filters, rollout, distribution.
 */
export function decide(feature: PreparedFeature, subject: Subject): Decision {
  subject.turnTo(feature.optInId)
  let details = ''
  for (let target = feature.first; target; target = target.next) {
    const verdict = target.operator.match(subject)
    if (verdict === undefined) continue
    if (verdict === ENDLESS) return fail(feature, target, 'ENDLESS_FILTERS')
    // A target that matched before and turned the user away leaves its text to one that has none of its own.
    if (verdict) details = verdict
    const admission = !target.rollout || admissionOf(target.rollout, target, subject)
    if (admission === true) return distribute(feature, target, subject, details)
    if (admission !== false) return fail(feature, target, admission)
    if (!feature.isPassthrough) return UNSERVED
  }
  return UNSERVED
}

/** Whether a target's rollout admits the user, or what keeps it from being known. */
export function admissionOf(rollout: PreparedRollout, target: PreparedTarget, subject: Subject): boolean | ProblemCode {
  const percentage = percentageAt(rollout, subject.now)
  if (percentage === undefined) return 'MISSING_START_PERCENTAGE'
  if (percentage <= 0) return false
  if (percentage >= 1) return true
  const value = rolloutValue(subject, target.bucketingKey)
  return value === undefined ? 'MISSING_USER_ID' : admits(percentage, bucketingHash(value, target.seed))
}

/** The index of the user's range in a target's distribution, or what keeps it from being known. */
export function rangeOf(target: PreparedTarget, subject: Subject): number | ProblemCode {
  if (!target.isSplit) return 0
  const value = bucketingValue(subject, target.bucketingKey)
  if (value === undefined) return 'MISSING_USER_ID'
  const index = pick(target.ranges, bucketingHash(value, target.seed))
  return index < 0 ? 'UNDECIDED_DISTRIBUTION' : index
}

function distribute(feature: PreparedFeature, target: PreparedTarget, subject: Subject, details: string): Decision {
  const index = rangeOf(target, subject)
  if (typeof index === 'string') return fail(feature, target, index)
  return target.results[index]?.find(details) ?? serveRange(feature, target, index, details)
}

/** Makes a result that was not handed out before. */
function serveRange(feature: PreparedFeature, target: PreparedTarget, index: number, details: string): Decision {
  const variationId = target.ranges[index]?.variation ?? ''
  const variation = feature.variations.get(variationId)
  if (!variation) return fail(feature, target, 'UNKNOWN_VARIATION', variationId)
  const { unknownVariable } = variation
  if (unknownVariable !== undefined) return fail(feature, target, 'UNKNOWN_VARIABLE', unknownVariable)
  const { reason, prefix, id } = target
  const served = serve(feature, variation, { reason, details: prefix + details, target_id: id })
  target.results[index]?.keep(details, served)
  return served
}

/** What each problem means, for people. */
const messages: Record<ProblemCode, string> = {
  UNDECIDED_DISTRIBUTION: 'its shares do not reach this user',
  UNKNOWN_VARIATION: 'its distribution names an unknown variation',
  UNKNOWN_VARIABLE: 'its variation names an unknown variable',
  MISSING_START_PERCENTAGE: 'its rollout has no startPercentage',
  ENDLESS_FILTERS: 'its audiences form a circle, or its filters nest too deeply',
  MISSING_USER_ID: 'the user has no user_id'
}

function fail(feature: PreparedFeature, target: PreparedTarget, code: ProblemCode, id?: string): Failure {
  const { key } = feature.source
  const culprit = id === undefined ? '' : `: "${id}"`
  const message = `feature "${key}" is left out at target "${target.id}": ${messages[code]}${culprit}`
  return { status: 'failed', problem: { code, feature: key, target: target.id, message } }
}
