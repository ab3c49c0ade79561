import type { Environment, Feature, Target, Variable, Variation } from '@burgee/contract/schemas'
import { inProductionFirst } from '../confirmation/effect.ts'

/** What of a feature can be different after a call. */
export interface FeatureFacts
  extends Partial<Pick<Feature, 'key' | 'name' | 'description' | 'type' | 'staticVariation' | 'controlVariation'>>,
    Partial<Pick<Feature, 'tags' | 'settings' | 'sdkVisibility' | 'summary' | 'status'>> {
  readonly variables: readonly VariableFacts[]
  readonly variations: readonly Variation[]
  readonly configurations: readonly ConfigurationFacts[]
}

/** What of a variable can be different after a call. */
export type VariableFacts = Pick<
  Variable,
  'key' | 'type' | 'name' | 'description' | 'validationSchema' | 'persistent' | 'metadata' | 'tags'
>

/** What a feature does in an environment. */
export interface ConfigurationFacts {
  readonly environment: Pick<Environment, '_id' | 'key' | 'type'>
  readonly status: 'active' | 'inactive'
  /** Their shares name variations by id. */
  readonly targets: readonly Target[]
}

/** The facts of a feature that is there. What it does in production comes first. */
export function factsOf(feature: Feature, environments: readonly Environment[]): FeatureFacts {
  const configurations = inProductionFirst(environments).map((environment) => {
    const said = feature.configurations.find(({ _environment }) => _environment === environment._id)
    return { environment, status: said?.status ?? 'inactive', targets: said?.targets ?? [] }
  })
  return { ...feature, configurations }
}

/** Whether a feature is switched on in an environment. */
export function isOn({ status }: Pick<ConfigurationFacts, 'status'>): boolean {
  return status === 'active'
}

/** Whether users are served by a feature in an environment. */
export function isServed({ status }: Pick<FeatureFacts, 'status'>, configuration: ConfigurationFacts): boolean {
  return status !== 'archived' && isOn(configuration)
}
