import type { StoredConfiguration, StoredFeature, StoredVariable } from '../../../../storage/resources.ts'

/** A feature with all that is its own. The rules of features make one of these from another. */
export interface FeatureState {
  readonly feature: StoredFeature
  /** At most one for each environment: a feature is inactive and has no targets where there is none. */
  readonly configurations: readonly StoredConfiguration[]
  /** Those that the feature carries, in the order of its values. */
  readonly variables: readonly StoredVariable[]
  /** Those that it carried until now, and that are to stay without it. */
  readonly detachedVariables: readonly StoredVariable[]
}
