import type { Environment, Feature, Target, Variable, Variation } from '@burgee/contract/schemas'
import { productionFirst } from './affectedEnvironment.ts'

/** The parts of a feature that a call can change. */
export interface FeatureState
  extends Partial<Pick<Feature, 'key' | 'name' | 'description' | 'type' | 'staticVariation' | 'controlVariation'>>,
    Partial<Pick<Feature, 'tags' | 'settings' | 'sdkVisibility' | 'summary' | 'status'>> {
  readonly variables: readonly VariableState[]
  readonly variations: readonly Variation[]
  readonly configurations: readonly ConfigurationState[]
}

/** The parts of a variable that a call can change. */
export type VariableState = Pick<
  Variable,
  'key' | 'type' | 'name' | 'description' | 'validationSchema' | 'persistent' | 'metadata' | 'tags'
>

/** The configuration of a feature in one environment. */
export interface ConfigurationState {
  readonly environment: Pick<Environment, '_id' | 'key' | 'type'>
  readonly status: 'active' | 'inactive'
  /** Distributions name variations by id. */
  readonly targets: readonly Target[]
}

/** Returns the state of an existing feature; production environments come first. */
export function featureState(feature: Feature, environments: readonly Environment[]): FeatureState {
  const configurations = productionFirst(environments).map((environment) => {
    const configuration = feature.configurations.find(({ _environment }) => _environment === environment._id)
    return { environment, status: configuration?.status ?? 'inactive', targets: configuration?.targets ?? [] }
  })
  return { ...feature, configurations }
}

/** Whether a feature is on in an environment. */
export function isOn({ status }: Pick<ConfigurationState, 'status'>): boolean {
  return status === 'active'
}

/** Whether a feature serves users in an environment. */
export function isServed({ status }: Pick<FeatureState, 'status'>, configuration: ConfigurationState): boolean {
  return status !== 'archived' && isOn(configuration)
}
