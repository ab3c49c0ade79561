import { bucketingHash, bucketingValue, pick, type Range, rolloutValue } from './bucket.ts'
import type { PreparedFeature } from './feature.ts'
import { admits, type PreparedRollout, percentageAt } from './rollout.ts'
import { type Decision, type Failure, serve } from './served.ts'
import type { Subject } from './subject.ts'
import type { PreparedTarget } from './target.ts'
import type { ProblemCode } from './types/problem.ts'
import { ENDLESS } from './verdict.ts'

/**
 * Decides a feature for a user: the first target that matches and admits the user serves one of its variations
 * (`evaluation.md` §5.1). Targets are tried in order; the order of the checks within one is: filters, rollout, distribution.
 * Undefined when no target serves the user.
 */
export function decide(feature: PreparedFeature, subject: Subject): Decision | undefined {
  // A target that matched and turned the user away leaves its text to a later one that has none of its own.
  let details = ''
  for (let target = feature.first; target !== undefined; target = target.next) {
    const { condition, rollout } = target
    if (condition !== undefined) {
      if (!subject.passes(condition)) continue
      details = target.text || details
    } else {
      subject.turnTo(feature)
      const verdict = target.operator.match(subject)
      if (verdict === undefined) continue
      if (verdict === ENDLESS) return fail(feature, target, 'ENDLESS_FILTERS')
      details = verdict || details
    }
    const range = rollout === undefined ? rangeOf(target, subject) : admit(rollout, target, subject)
    if (typeof range === 'object') return range.served ?? serveRange(feature, target, range, details)
    if (range !== undefined) return fail(feature, target, range)
    if (!subject.around.isPassthrough) return undefined
  }
  return undefined
}

/** The range of a user whom a target's rollout admits; undefined for one whom it turns away. */
function admit(rollout: PreparedRollout, target: PreparedTarget, subject: Subject): Range | ProblemCode | undefined {
  const admission = admissionOf(rollout, target, subject)
  return admission === true ? rangeOf(target, subject) : admission || undefined
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

/** The user's range in a target's distribution, or what keeps it from being known. */
export function rangeOf(target: PreparedTarget, subject: Subject): Range | ProblemCode {
  if (target.everybodys) return target.everybodys
  const value = bucketingValue(subject, target.bucketingKey)
  if (value === undefined) return 'MISSING_USER_ID'
  return pick(target.ranges, bucketingHash(value, target.seed)) ?? 'UNDECIDED_DISTRIBUTION'
}

/** What the users of a range are given; made where it was not handed out before. */
function serveRange(feature: PreparedFeature, target: PreparedTarget, range: Range, details: string): Decision {
  const known = range.others?.get(details)
  if (known) return known
  const variation = feature.variations.get(range.variation)
  if (!variation) return fail(feature, target, 'UNKNOWN_VARIATION', `: "${range.variation}"`)
  if (variation.unknownVariable !== undefined) {
    return fail(feature, target, 'UNKNOWN_VARIABLE', `: "${variation.unknownVariable}"`)
  }
  const { reason, prefix, id } = target
  const served = serve(feature, variation, { reason, details: prefix + details, target_id: id })
  if (target.text) range.served = served
  else {
    range.others ??= new Map()
    range.others.set(details, served)
  }
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

function fail(feature: PreparedFeature, target: PreparedTarget, code: ProblemCode, culprit = ''): Failure {
  const { key } = feature.source
  const message = `feature "${key}" is left out at target "${target.id}": ${messages[code]}${culprit}`
  return { status: 'failed', problem: { code, feature: key, target: target.id, message } }
}
