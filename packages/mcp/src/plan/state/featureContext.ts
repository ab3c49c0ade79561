import type { ChangeRequest, Environment, Feature, Project } from '@burgee/contract/schemas'

/** A feature and the environments of its project. */
export interface FeatureWithEnvironments {
  readonly feature: Feature
  readonly environments: readonly Environment[]
  /** Names of audiences by id and by key, for descriptions of targets. */
  readonly audiences?: ReadonlyMap<string, string>
}

/** The same with the settings of the project, and what locks the feature. */
export interface FeatureContext extends FeatureWithEnvironments {
  readonly project: Pick<Project, 'settings'>
  /** The change request that locks the feature, if there is one. */
  readonly openChangeRequest?: ChangeRequest | undefined
}
