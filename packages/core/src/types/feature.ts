import type { EvalReason } from './evalReason.ts'
import type { Target } from './target.ts'
import type { Json } from './variable.ts'

/** What a feature is for. */
export type FeatureType = 'release' | 'experiment' | 'permission' | 'ops'

/** A bundle of variables that change together, and the rules that decide who gets which of its variations. */
export interface Feature {
  readonly _id: string
  readonly key: string
  readonly type: FeatureType
  readonly settings?: { readonly [member: string]: Json }
  readonly variations: readonly Variation[]
  readonly configuration: { readonly _id: string; readonly targets: readonly Target[] }
}

/** One set of values for a feature's variables. */
export interface Variation {
  readonly _id: string
  readonly key: string
  readonly name: string
  readonly variables: readonly { readonly _var: string; readonly value: Json }[]
}

/** A feature as one user gets it: the variation, and the reason. */
export interface BucketedFeature {
  readonly _id: string
  readonly key: string
  readonly type: FeatureType
  readonly _variation: string
  readonly variationName: string
  readonly variationKey: string
  readonly settings?: { readonly [member: string]: Json }
  readonly eval: EvalReason
}
