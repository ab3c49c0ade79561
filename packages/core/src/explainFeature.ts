import { EvaluationState, toUnvalidated } from './conditions/evaluationState.ts'
import type { EvaluateOptions, Evaluator } from './evaluator.ts'
import { explainOperator, explainPreparedFeature } from './explain.ts'
import type { FeatureExplanation, OperatorExplanation } from './types/explanation.ts'
import type { User } from './types/user.ts'

/** Options of the explanation of a feature. */
export interface ExplainOptions extends EvaluateOptions {
  /**
   * Whether an audience only groups filters, by its id. A filter that matches it is explained by the filters of the
   * audience. Such a filter names no other audience, and such an audience does not refer to itself. Default: none.
   */
  readonly isFilterGroup?: (audienceId: string) => boolean
}

/**
 * Returns how a feature is evaluated: each target with its filters, rollout and ranges; undefined if the config does not
 * contain the feature. Slow; for debugging. A function, so that bundles without it stay small.
 */
export function explainFeature(
  evaluator: Evaluator<object>,
  user: User,
  featureId: string,
  { isFilterGroup = () => false, ...options }: ExplainOptions = {}
): FeatureExplanation | undefined {
  const { prepared } = evaluator
  const entry = prepared.features.find(({ feature }) => feature.source._id === featureId)
  if (!entry) return undefined
  const now = options.now ?? Date.now()
  const served = options.overrides && Object.values(evaluator.features(user, { ...options, now }))
  const feature = served?.find(({ _id, eval: { reason } }) => _id === featureId && reason === 'OVERRIDE')
  const state = new EvaluationState(prepared).reset(now)
  const read = toUnvalidated(user)
  const explanation = explainPreparedFeature(entry.feature, state, read, feature && { feature })
  /** Replaces filters that match a group by the filters of the group. */
  const expand = ({ operator, isMatched, filters }: OperatorExplanation): OperatorExplanation => ({
    operator,
    isMatched,
    filters: filters.map((member) => {
      if ('operator' in member) return expand(member)
      const { comparator, _audiences: [id = ''] = [] } = member.filter
      const group = comparator === '=' && isFilterGroup(id) ? prepared.audiences.get(id) : undefined
      return group ? expand(explainOperator(group, state, read)) : member
    })
  })
  const targets = explanation.targets.map((target) => ({ ...target, filters: expand(target.filters) }))
  return { ...explanation, targets }
}
