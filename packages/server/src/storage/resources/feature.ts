import type { Feature, FeatureConfiguration, FeatureStaleness, Target, Variable } from '@burgee/contract/schemas'
import type { Operator, Rollout, Share, Variation } from '@burgee/core'
import type { CreatedRecordFields, Of } from './recordFields.ts'

/** A feature: its variations, which give values to its variables. */
export interface StoredFeature
  extends CreatedRecordFields,
    Of<Feature, '_project' | 'source' | 'key' | 'name' | 'description' | 'status' | 'externalLink' | 'summary'> {
  readonly type: NonNullable<Feature['type']>
  readonly settings: Readonly<NonNullable<Feature['settings']>>
  readonly sdkVisibility: Readonly<NonNullable<Feature['sdkVisibility']>>
  readonly variations: readonly Variation[]
  /** The key of the baseline variation of metrics. */
  readonly controlVariation: string
  /** The key of the variation that all users are served once the feature is complete. */
  readonly staticVariation?: string
  readonly tags: readonly string[]
  readonly staleness?: StoredStaleness
  /** When targeting in a production environment last changed. */
  readonly prodTargetingUpdatedAt?: string
}

/** The decisions of people about the staleness of a feature. */
export interface StoredStaleness extends Of<FeatureStaleness, 'disabled' | 'snoozedUntil' | 'metaData'> {
  readonly updatedAt: string
}

/** The configuration of a feature in one environment. A feature without one is inactive in that environment. */
export interface StoredConfiguration
  extends CreatedRecordFields,
    Of<FeatureConfiguration, '_feature' | '_environment' | 'status'> {
  readonly _project: string
  /** When the feature was first enabled. */
  readonly startedAt?: string
  /** When a kill disabled the feature; absent once it is enabled again. */
  readonly killedAt?: string
  readonly targets: readonly StoredTarget[]
}

/** A targeting rule. */
export interface StoredTarget extends Of<Target, '_id' | 'name' | 'bucketingKey' | 'copiedFrom'> {
  readonly audience: Of<Target['audience'], 'name'> & { readonly filters: Operator }
  readonly rollout?: Rollout | null
  readonly distribution: readonly Share[]
}

/** A variable; `_feature` is the feature that it belongs to, if any. */
export interface StoredVariable
  extends CreatedRecordFields,
    Of<Variable, '_project' | '_feature' | 'source' | 'key' | 'description' | 'type' | 'status'>,
    Of<Variable, 'validationSchema' | 'persistent' | 'metadata' | 'defaultValue'> {
  readonly name: string
  readonly tags: readonly string[]
}
