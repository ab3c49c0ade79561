import type { EvalReason } from './evalReason.ts'
import type { Target } from './target.ts'
import type { Json } from './variable.ts'

/** The purpose of a feature. */
export type FeatureType = 'release' | 'experiment' | 'permission' | 'ops'

/** A set of variables that change together, with the rules that select a variation for each user. */
export interface Feature {
  readonly _id: string
  readonly key: string
  readonly type: FeatureType
  readonly settings?: { readonly [name: string]: Json }
  readonly variations: readonly Variation[]
  readonly configuration: { readonly _id: string; readonly targets: readonly Target[] }
}

/** One set of values for the variables of a feature. */
export interface Variation {
  readonly _id: string
  readonly key: string
  readonly name: string
  readonly variables: readonly { readonly _var: string; readonly value: Json }[]
}

/** A feature as served to one user: the variation and the reason. */
export interface BucketedFeature {
  readonly _id: string
  readonly key: string
  readonly type: FeatureType
  readonly _variation: string
  readonly variationName: string
  readonly variationKey: string
  readonly settings?: { readonly [name: string]: Json }
  readonly eval: EvalReason
}
