import type { EvaluationState, UnvalidatedUser } from './conditions/evaluationState.ts'
import { isOperator } from './conditions/operator.ts'
import type { PreparedOperator } from './conditions/prepared.ts'
import { assignedRange, checkRollout, decide } from './evaluate.ts'
import { bucketingHash, bucketingValue, rolloutHash } from './targeting/bucket.ts'
import type { PreparedFeature } from './targeting/feature.ts'
import { percentageAt } from './targeting/rollout.ts'
import type { Served } from './targeting/served.ts'
import type { PreparedTarget } from './targeting/target.ts'
import type { FeatureExplanation, OperatorExplanation, TargetExplanation } from './types/explanation.ts'

/** Explains the evaluation of a feature. The outcome is that of `decide`; the steps are derived from the same rules. */
export function explainPreparedFeature(
  feature: PreparedFeature,
  state: EvaluationState,
  user: UnvalidatedUser,
  override: Pick<Served, 'feature'> | undefined
): FeatureExplanation {
  const decision = decide(feature, state, user)
  // `decide` may not have entered the feature, and the targets after the deciding one are matched below.
  state.enterFeature(feature)
  const served = decision?.status === 'served' ? decision.feature : undefined
  const problem = decision?.status === 'failed' ? decision.problem : undefined
  const decisiveId = served?.eval.target_id ?? problem?.target
  const targets: TargetExplanation[] = []
  let isReached = true
  for (let target = feature.firstTarget; target; target = target.next) {
    const isDecisive = target.id === decisiveId
    const explanation = explainTarget(target, state, user, isReached, isReached && isDecisive && !problem)
    targets.push(explanation)
    // Without a deciding target and without passthrough, evaluation ended at the first target that matched.
    if (isDecisive || (!decision && !state.config.isPassthrough && explanation.isMatched)) isReached = false
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
  state: EvaluationState,
  user: UnvalidatedUser,
  isReached: boolean,
  isChosen: boolean
): TargetExplanation {
  const value = bucketingValue(user, target.bucketingKey)
  const assigned = assignedRange(target, user)
  const filters = explainOperator(target.operator, state, user)
  return {
    _id: target.id,
    name: target.name,
    isReached,
    isChosen,
    isMatched: filters.isMatched,
    filters,
    bucketingValue: value,
    rollout: target.rollout && {
      percentage: percentageAt(target.rollout, state.now),
      position: value === undefined ? undefined : rolloutHash(value, target.seed),
      isAdmitted: checkRollout(target.rollout, target, state, user) === true
    },
    distribution: {
      position: value === undefined ? undefined : bucketingHash(value, target.seed),
      ranges: target.ranges.map((range, index) => ({
        _variation: range.variation,
        from: target.ranges[index - 1]?.upTo ?? 0,
        to: range.upTo,
        isHit: range === assigned
      }))
    }
  }
}

/** Explains an operator for the user and the feature of the state. */
export function explainOperator(
  operator: PreparedOperator,
  state: EvaluationState,
  user: UnvalidatedUser
): OperatorExplanation {
  return {
    operator: operator.name,
    isMatched: typeof operator.match(state, user) === 'string',
    filters: operator.members.map((member) => {
      if (isOperator(member)) return explainOperator(member, state, user)
      return { filter: member.source, isMatched: typeof member.match(state, user) === 'string' }
    })
  }
}
