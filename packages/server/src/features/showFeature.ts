import type { Feature } from '@burgee/contract'
import { pendingRequests } from '../approval/open.ts'
import { toChangeRequest } from '../approval/toChangeRequest.ts'
import { latestEntry, toEntry } from '../audit/entries.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { environmentsOf } from './readContext.ts'
import type { Found } from './readFeatureAt.ts'
import type { FeatureState } from './rules/featureState.ts'
import { toFeature } from './rules/toFeature.ts'

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
    const latestUpdate = includeLatestUpdate
      ? await latestEntry(store.collection('auditEntries'), state.feature._id)
      : undefined
    const changeRequests = await pendingRequests(store, state.feature)
    return toFeature(state, {
      environments,
      caller,
      changeRequests: changeRequests.map(toChangeRequest),
      ...(latestUpdate ? { latestUpdate: toEntry(latestUpdate) } : {})
    })
  }
}

/** One feature as its caller may see it. */
export async function showFeature(store: Store, { project, caller, state }: Found): Promise<Feature> {
  return (await featureView(store, { project, caller }))(state)
}
