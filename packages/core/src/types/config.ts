import type { Audience } from './audience.ts'
import type { BucketedFeature, Feature } from './feature.ts'
import type { BucketedVariable, Json, Variable } from './variable.ts'

/** Everything that evaluation in one environment reads: the config document of `evaluation.md` §1.1. */
export interface Config {
  readonly project: Project
  readonly environment: Environment
  /** The features that are live in this environment, in order of precedence: the last one served wins a shared variable. */
  readonly features: readonly Feature[]
  /** Every variable that is known here. One that no feature carries is switched off. */
  readonly variables: readonly Variable[]
  readonly variableHashes?: Readonly<Record<string, number>>
  /** Audience id → audience, for `audienceMatch` filters. */
  readonly audiences?: Readonly<Record<string, Audience>>
  /** The users whom targets of the type `override` are for; evaluation does not read it. */
  readonly debugUsers?: readonly string[]
  /** Variable key → what OFREP answers for an unserved variable, for clients that cannot read an answer without a value. */
  readonly offValues?: Readonly<Record<string, OffValue>>
}

/** The project an environment belongs to. Its settings may carry more than evaluation reads. */
export interface Project {
  readonly _id: string
  readonly key: string
  readonly a0_organization?: string | undefined
  readonly settings?:
    | {
        /** Whether opt-in filters can match. */
        readonly optIn?: { readonly enabled?: boolean }
        /** Whether a target whose rollout turns a user away ends the search instead of passing on to the next target. */
        readonly disablePassthroughRollouts?: boolean
        readonly [member: string]: unknown
      }
    | undefined
}

/** The environment a config is for. */
export interface Environment {
  readonly _id: string
  readonly key: string
}

/** The value of a feature's off variation. */
export interface OffValue {
  readonly variant: string
  readonly value: Json
}

/** Everything one user gets in one environment (`evaluation.md` §6.1). */
export interface BucketedConfig {
  readonly project: Project
  readonly environment: Environment
  /** Feature key → feature. */
  readonly features: Readonly<Record<string, BucketedFeature>>
  /** Feature id → variation id. */
  readonly featureVariationMap: Readonly<Record<string, string>>
  /** Always empty; existing SDKs demand the member. */
  readonly variableVariationMap: Readonly<Record<string, never>>
  /** Variable key → variable. */
  readonly variables: Readonly<Record<string, BucketedVariable>>
}
