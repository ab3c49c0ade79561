import type { EvalReason } from './evalReason.ts'

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The values of variables by key, for configs whose variables are not declared as types. */
export type AnyFlags = Readonly<Record<string, Json>>

/** The type of a variable's values. */
export type VariableType = 'String' | 'Boolean' | 'Number' | 'JSON'

/** A value that an application reads by key; OpenFeature calls it a flag. Variations of features hold its values. */
export interface Variable {
  readonly _id: string
  readonly key: string
  readonly type: VariableType
  /** Flag metadata for OpenFeature clients. */
  readonly metadata?: Metadata
}

/** Flag metadata: scalar values by name. */
export type Metadata = Readonly<Record<string, string | number | boolean>>

/** A variable as served to one user, with the value and the reason. */
export interface BucketedVariable<Value = Json> extends Variable {
  /** The id of the feature that served the value. */
  readonly _feature: string
  readonly value: Value
  readonly eval: EvalReason
}
