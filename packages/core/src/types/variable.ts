import type { EvalReason } from './evalReason.ts'

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

/** The values of variables by key, where nobody says which variables there are. */
export type AnyFlags = Readonly<Record<string, Json>>

/** The types a variable's values can have. */
export type VariableType = 'String' | 'Boolean' | 'Number' | 'JSON'

/** What an application reads by its key. Its values live in the variations of a feature. */
export interface Variable {
  readonly _id: string
  readonly key: string
  readonly type: VariableType
  /** What OpenFeature's clients are told of it besides its value. */
  readonly metadata?: Metadata
}

/** Facts by name. */
export type Metadata = Readonly<Record<string, string | number | boolean>>

/** A variable as one user gets it, with the reason. */
export interface BucketedVariable<Value = Json> extends Variable {
  /** Id of the feature that served the value. */
  readonly _feature: string
  readonly value: Value
  readonly eval: EvalReason
}
