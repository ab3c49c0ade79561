import type { Feature, FeatureConfiguration, Variation } from '@burgee/contract'
import type { Variation as StoredVariation } from '@burgee/core'
import { pendingRequests } from '../approval/open.ts'
import { toChangeRequest } from '../approval/toChangeRequest.ts'
import { latestEntry, toEntry } from '../audit/entries.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredEnvironment, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { environmentsOf } from './context.ts'
import type { FeatureState } from './featureState.ts'
import type { Found } from './readFeatureAt.ts'

/** Shows features of one project to one caller. */
export type FeatureView = (state: FeatureState) => Promise<Feature>

interface Viewing {
  readonly project: StoredProject
  readonly caller: TokenCaller
  readonly includeLatestUpdate?: boolean | undefined
}

/** What shows features. It asks for the environments once, however many features there are to show. */
export async function featureView(
  store: Store,
  { project, caller, includeLatestUpdate = false }: Viewing
): Promise<FeatureView> {
  const environments = await environmentsOf(store, project)
  return async (state) => {
    const { staleness, variations, ...feature } = state.feature
    const latestUpdate = includeLatestUpdate
      ? await latestEntry(store.collection('auditEntries'), feature._id)
      : undefined
    const changeRequests = await pendingRequests(store, state.feature)
    return {
      ...feature,
      variations: variations.map((variation) => toVariation(state, variation)),
      variables: state.variables.map((variable) => ({ ...variable, tags: [...variable.tags] })),
      tags: [...feature.tags],
      readonly: isReadonly(caller),
      configurations: environments.map((environment) => toConfiguration(state, environment, caller)),
      changeRequests: changeRequests.map(toChangeRequest),
      ...(latestUpdate ? { latestUpdate: toEntry(latestUpdate) } : {})
    }
  }
}

/** One feature as its caller may see it. */
export async function showFeature(store: Store, { project, caller, state }: Found): Promise<Feature> {
  return (await featureView(store, { project, caller }))(state)
}

/** A variation, with its values by key of the variable. */
export function toVariation({ variables }: FeatureState, variation: StoredVariation): Variation {
  const keys = new Map(variables.map(({ _id, key }) => [_id, key]))
  const values = variation.variables.flatMap(({ _var, value }) => {
    const key = keys.get(_var)
    return key === undefined ? [] : [[key, value] as const]
  })
  // Values are checked when they are set: none is null or a list.
  return { ...variation, variables: Object.fromEntries(values) as NonNullable<Variation['variables']> }
}

/** What a feature does in an environment, also where nothing was said about it yet. */
export function toConfiguration(
  { feature, configurations }: FeatureState,
  { _id: _environment }: StoredEnvironment,
  caller: TokenCaller
): FeatureConfiguration {
  const computed = { readonly: isReadonly(caller), hasStaticConfig: feature.status === 'complete' }
  const said = configurations.find((configuration) => configuration._environment === _environment)
  if (!said) return { _feature: feature._id, _environment, status: 'inactive', targets: [], ...computed }
  const { _id, _project, createdAt, ...members } = said
  return { ...members, targets: members.targets as FeatureConfiguration['targets'], ...computed }
}

/** Whether a caller may not change features. */
export function isReadonly({ permissions }: TokenCaller): boolean {
  return !permissions.has('feature:write')
}
