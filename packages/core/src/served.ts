import type { EvalReason } from './types/evalReason.ts'
import type { BucketedFeature, Feature } from './types/feature.ts'
import type { Problem } from './types/problem.ts'
import type { BucketedVariable, Variable } from './types/variable.ts'
import type { PreparedVariation } from './variation.ts'

/** What a feature comes to for a user, if it does not leave them unserved. */
export type Decision = Served | Failure

/** The feature could not be decided for this user. */
export interface Failure {
  readonly status: 'failed'
  readonly problem: Problem
}

/** What a user who gets one variation of one feature for one reason is given. Frozen, and the same object for every such user. */
export interface Served {
  readonly status: 'served'
  readonly feature: BucketedFeature
  readonly variables: readonly BucketedVariable[]
  /** The same variables by their slot in the feature; a variation may leave slots empty. */
  readonly slots: readonly (ServedVariable | undefined)[]
}

/** One variable of what is served, with the feature that serves it. */
export interface ServedVariable {
  readonly status: 'served'
  readonly variable: BucketedVariable
  readonly feature: BucketedFeature
}

/** What a feature contributes to its results. */
export interface Serving {
  readonly source: Pick<Feature, '_id' | 'key' | 'type' | 'settings'>
  /** The variables that any of its variations gives a value to; a variable's index is its slot. */
  readonly carried: readonly Variable[]
}

/** Makes the result of serving a variation for a reason. */
export function serve(feature: Serving, variation: PreparedVariation, reason: EvalReason): Served {
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
  const slots: (ServedVariable | undefined)[] = feature.carried.map(() => undefined)
  const variables = variation.values.map(({ variable, value }) => {
    const served = Object.freeze({ ...variable, _feature: _id, value, eval: evaluation })
    slots[feature.carried.indexOf(variable)] = Object.freeze({ status: 'served', variable: served, feature: bucketed })
    return served
  })
  return { status: 'served', feature: bucketed, variables, slots }
}
