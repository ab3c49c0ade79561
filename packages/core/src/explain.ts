import { bucketingHash, bucketingValue, rolloutHash } from './bucket.ts'
import { admissionOf, decide, rangeOf } from './evaluate.ts'
import type { PreparedFeature } from './feature.ts'
import { isOperator, type PreparedOperator } from './operator.ts'
import { percentageAt } from './rollout.ts'
import type { Served } from './served.ts'
import type { Subject } from './subject.ts'
import type { PreparedTarget } from './target.ts'
import type { FeatureExplanation, OperatorExplanation, TargetExplanation } from './types/explanation.ts'

/** Tells how a feature was decided. The outcome is `decide`'s own; the path beside it is read from the same prepared rules. */
export function explainFeature(
  feature: PreparedFeature,
  subject: Subject,
  override: Served | undefined
): FeatureExplanation {
  const decision = decide(feature, subject)
  // The targets after the one that decided are judged for this feature, too.
  subject.turnTo(feature)
  const served = decision?.status === 'served' ? decision.feature : undefined
  const problem = decision?.status === 'failed' ? decision.problem : undefined
  const decisive = served?.eval.target_id ?? problem?.target
  const targets: TargetExplanation[] = []
  let isReached = true
  for (let target = feature.first; target; target = target.next) {
    const isDecisive = target.id === decisive
    const explanation = explainTarget(target, subject, isReached, isReached && isDecisive && !problem)
    targets.push(explanation)
    // Where none decided, the search ended at the first that matched, unless it could pass on.
    if (isDecisive || (!decision && !subject.around.isPassthrough && explanation.isMatched)) isReached = false
  }
  return {
    _id: feature.source._id,
    key: feature.source.key,
    outcome: override ? 'overridden' : (decision?.status ?? 'unserved'),
    served: override?.feature ?? served,
    problem,
    targets
  }
}

function explainTarget(
  target: PreparedTarget,
  subject: Subject,
  isReached: boolean,
  isChosen: boolean
): TargetExplanation {
  const value = bucketingValue(subject, target.bucketingKey)
  const hit = rangeOf(target, subject)
  const filters = explainOperator(target.operator, subject)
  return {
    _id: target.id,
    name: target.name,
    isReached,
    isChosen,
    isMatched: filters.isMatched,
    filters,
    bucketingValue: value,
    rollout: target.rollout && {
      percentage: percentageAt(target.rollout, subject.now),
      position: value === undefined ? undefined : rolloutHash(value, target.seed),
      isAdmitted: admissionOf(target.rollout, target, subject) === true
    },
    distribution: {
      position: value === undefined ? undefined : bucketingHash(value, target.seed),
      ranges: target.ranges.map((range, index) => ({
        _variation: range.variation,
        from: target.ranges[index - 1]?.upTo ?? 0,
        to: range.upTo,
        isHit: range === hit
      }))
    }
  }
}

function explainOperator(operator: PreparedOperator, subject: Subject): OperatorExplanation {
  return {
    operator: operator.source.operator,
    isMatched: typeof operator.match(subject) === 'string',
    filters: operator.members.map((member) => {
      if (isOperator(member)) return explainOperator(member, subject)
      return { filter: member.source, isMatched: typeof member.match(subject) === 'string' }
    })
  }
}
