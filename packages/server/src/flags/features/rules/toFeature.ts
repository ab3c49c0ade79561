import type { Feature, FeatureConfiguration, Variation } from '@burgee/contract/schemas'
import type { Variation as StoredVariation } from '@burgee/core'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { StoredEnvironment } from '../../../storage/resources/project.ts'
import type { FeatureState } from './model/featureState.ts'
import { canConfigure } from './publishPermission.ts'

interface FeatureDetails extends Pick<Feature, 'changeRequests' | 'latestUpdate' | 'staleness'> {
  readonly environments: readonly StoredEnvironment[]
  readonly caller: TokenCaller
}

/** Serializes a feature for a caller. */
export function toFeature(state: FeatureState, { environments, caller, ...details }: FeatureDetails): Feature {
  const { staleness, variations, ...feature } = state.feature
  return {
    ...feature,
    variations: variations.map((variation) => toVariation(state, variation)),
    variables: state.variables.map((variable) => ({ ...variable, tags: [...variable.tags] })),
    tags: [...feature.tags],
    readonly: !caller.access.allows('feature:write', feature._project),
    configurations: environments.map((environment) => toConfiguration(state, environment, caller)),
    ...details
  }
}

/** Serializes a variation, with values by key of the variable. */
export function toVariation({ variables }: FeatureState, variation: StoredVariation): Variation {
  const keys = new Map(variables.map(({ _id, key }) => [_id, key]))
  const values = variation.variables.flatMap(({ _var, value }) => {
    const key = keys.get(_var)
    return key === undefined ? [] : [[key, value] as const]
  })
  // Values are checked when they are set: none is null or a list.
  return { ...variation, variables: Object.fromEntries(values) as NonNullable<Variation['variables']> }
}

/** Serializes the configuration of an environment, stored or not. */
export function toConfiguration(
  { feature, configurations }: FeatureState,
  environment: StoredEnvironment,
  caller: TokenCaller
): FeatureConfiguration {
  const { _id: _environment } = environment
  const stored = configurations.find((configuration) => configuration._environment === _environment)
  const computed = {
    readonly: !canConfigure(caller, environment, stored),
    hasStaticConfig: feature.status === 'complete'
  }
  if (!stored) return { _feature: feature._id, _environment, status: 'inactive', targets: [], ...computed }
  const { _id, _project, createdAt, ...members } = stored
  return { ...members, targets: members.targets as FeatureConfiguration['targets'], ...computed }
}
