import type { Audience } from './audience.ts'
import type { BucketedFeature, Feature } from './feature.ts'
import type { BucketedVariable, Json, Variable } from './variable.ts'

/** A config document: everything that evaluation in one environment reads (docs/reference/config-document.md). */
export interface Config {
  readonly project: Project
  readonly environment: Environment
  /** The features that are active in this environment. If several serve a variable, the last one takes precedence. */
  readonly features: readonly Feature[]
  /** All variables. A variable that no feature has a value for is disabled. */
  readonly variables: readonly Variable[]
  readonly variableHashes?: Readonly<Record<string, number>>
  /** Audience id → audience, for `audienceMatch` filters. */
  readonly audiences?: Readonly<Record<string, Audience>>
  /** The users of targets of type `override`. Evaluation does not read it. */
  readonly debugUsers?: readonly string[]
  /** Variable key → the value in OFREP responses for an unserved variable, for clients that require one. */
  readonly offValues?: Readonly<Record<string, OffValue>>
}

/** The project of an environment. The settings may contain properties that evaluation does not read. */
export interface Project {
  readonly _id: string
  readonly key: string
  readonly a0_organization?: string | undefined
  readonly settings?:
    | {
        /** Whether `optIn` filters can match. */
        readonly optIn?: { readonly enabled?: boolean }
        /** Whether a user who is excluded by a rollout is not served, instead of continuing with the next target. */
        readonly disablePassthroughRollouts?: boolean
        readonly [name: string]: unknown
      }
    | undefined
}

/** The environment of a config. */
export interface Environment {
  readonly _id: string
  readonly key: string
}

/** The value of a feature's off variation. */
export interface OffValue {
  readonly variant: string
  readonly value: Json
}

/** Everything that one user is served in one environment: the config that client SDKs read. */
export interface BucketedConfig {
  readonly project: Project
  readonly environment: Environment
  /** Feature key → feature. */
  readonly features: Readonly<Record<string, BucketedFeature>>
  /** Feature id → variation id. */
  readonly featureVariationMap: Readonly<Record<string, string>>
  /** Always empty. Published SDKs require the property. */
  readonly variableVariationMap: Readonly<Record<string, never>>
  /** Variable key → variable. */
  readonly variables: Readonly<Record<string, BucketedVariable>>
}
