import type { EvalReason } from '../types/evalReason.ts'
import type { BucketedFeature, Feature } from '../types/feature.ts'
import type { Problem } from '../types/problem.ts'
import type { BucketedVariable, Variable } from '../types/variable.ts'
import type { PreparedVariation } from './variation.ts'

/** The result of evaluating a feature that serves a user, or fails to. */
export type Decision = Served | Failure

/** A feature that could not be evaluated. */
export interface Failure {
  readonly status: 'failed'
  readonly problem: Problem
}

/** The result of serving a variation for a reason. Frozen, and shared by all users who get the same. */
export interface Served {
  readonly status: 'served'
  readonly feature: BucketedFeature
  readonly variables: readonly BucketedVariable[]
  /** The same variables by slot; undefined where the variation has no value for a variable of the feature. */
  readonly slots: readonly (ServedVariable | undefined)[]
}

/** A served variable and the feature it comes from. */
export interface ServedVariable {
  readonly status: 'served'
  readonly variable: BucketedVariable
  readonly feature: BucketedFeature
}

/** The parts of a feature that go into its results. */
export interface ServableFeature {
  readonly source: Pick<Feature, '_id' | 'key' | 'type' | 'settings'>
  /** The variables that at least one variation has a value for. A variable's index is its slot. */
  readonly variables: readonly Variable[]
}

/** Returns the result of serving a variation for a reason. */
export function serve(feature: ServableFeature, variation: PreparedVariation, reason: EvalReason): Served {
  const evaluation = Object.freeze(reason)
  const { _id, key, type, settings } = feature.source
  const bucketed: BucketedFeature = Object.freeze({
    _id,
    key,
    type,
    _variation: variation._id,
    variationName: variation.name,
    variationKey: variation.key,
    ...(settings && { settings }),
    eval: evaluation
  })
  const slots: (ServedVariable | undefined)[] = feature.variables.map(() => undefined)
  const variables = variation.values.map(({ variable, value }) => {
    const served = Object.freeze({ ...variable, _feature: _id, value, eval: evaluation })
    slots[feature.variables.indexOf(variable)] = Object.freeze({
      status: 'served',
      variable: served,
      feature: bucketed
    })
    return served
  })
  return { status: 'served', feature: bucketed, variables, slots }
}
