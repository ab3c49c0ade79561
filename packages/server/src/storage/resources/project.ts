import type { SdkKeyType } from '@burgee/contract'
import type {
  Audience,
  ChangeSource,
  CodeScan,
  CustomProperty,
  Environment,
  Metric,
  Project,
  SdkKeys,
  UpdateCodeUsages,
  UserSigningSecret
} from '@burgee/contract/schemas'
import type { Operator } from '@burgee/core'
import type { CreatedRecordFields, Of, RecordFields } from './recordFields.ts'

/** A project: the features, variables and audiences of one product. */
export interface StoredProject
  extends CreatedRecordFields,
    Of<Project, 'key' | 'name' | 'description' | 'color' | 'settings'> {
  /** Key of the organization. */
  readonly _organization: string
}

/** An environment of a project, with its SDK keys. */
export interface StoredEnvironment
  extends CreatedRecordFields,
    Of<Environment, '_project' | 'key' | 'name' | 'description' | 'color' | 'type'> {
  readonly sdkKeys: { readonly [T in SdkKeyType]: readonly SdkKey[] }
  readonly settings: NonNullable<Environment['settings']>
  /** The secrets that sign users, oldest first; at least one unless the setting `signedUsers` is off. */
  readonly userSigningSecrets?: readonly UserSigningSecret[]
}

/** An SDK key. */
export interface SdkKey extends Of<SdkKeys[SdkKeyType][number], 'key' | 'createdAt' | 'compromised' | 'expiresAt'> {
  readonly allowedNetworks?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  /** The `expiresAt` of the last warning. */
  readonly warnedOf?: string
}

/** How an environment is used. Traffic writes it, so it is stored apart from the environment. */
export interface StoredEnvironmentUse {
  /** The id of the environment. */
  readonly _id: string
  /** When a variable was first evaluated, ISO 8601. */
  readonly firstEvaluationAt?: string
  /** The start of the day of the last use of each SDK key, ISO 8601, by the digest of the key. */
  readonly keys: Readonly<Record<string, string>>
}

/** The current version of an environment's config. */
export interface StoredConfigVersion {
  /** The id of the environment. */
  readonly _id: string
  /** In epoch seconds. At least one second later than that of the previous version. */
  readonly lastModified: number
  /** The Burgee version that compiled the config; another one may compile the same state differently. */
  readonly madeBy: string
}

/** An audience that targets refer to. */
export interface StoredAudience extends CreatedRecordFields, Of<Audience, '_project' | 'key' | 'name' | 'description'> {
  readonly source: ChangeSource
  readonly filters: Operator
  readonly tags: readonly string[]
}

/** A custom attribute of users that applications send. */
export type StoredCustomProperty = Readonly<Omit<CustomProperty, 'hasUsage'>>

/** What the last scan of a branch of a repository found. */
export interface StoredCodeScan
  extends RecordFields,
    Of<CodeScan, 'source' | 'repo' | 'branch' | 'commit' | 'isDefaultBranch'>,
    Readonly<Required<Pick<UpdateCodeUsages, 'variables' | 'dynamic'>>> {
  readonly _project: string
}

/** A metric, which measures the effect of features. */
export type StoredMetric = Readonly<Metric>

/** The association of a metric with a feature. */
export interface StoredMetricAssociation extends RecordFields {
  readonly _project: string
  readonly _metric: string
  readonly _feature: string
}
