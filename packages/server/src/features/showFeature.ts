import type { Feature } from '@burgee/contract'
import { pendingRequests } from '../approval/open.ts'
import { toChangeRequest } from '../approval/toChangeRequest.ts'
import { latestEntry, toEntry } from '../audit/entries.ts'
import type { TokenCaller } from '../caller.ts'
import type { Inspect } from '../staleness/inspect.ts'
import { isSilenced } from '../staleness/silenced.ts'
import { toStaleness } from '../staleness/toStaleness.ts'
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
  /** Whether it is shown of features that they are stale also where nobody is to be told. */
  readonly includeSilenced?: boolean | undefined
}

/** What shows features. It asks once for what is the same for all of them, however many there are to show. */
export async function featureView(
  store: Store,
  inspect: Inspect,
  { project, caller, includeLatestUpdate = false, includeSilenced = false }: Viewing
): Promise<FeatureView> {
  const environments = await environmentsOf(store, project)
  const inspector = await inspect(store, project)
  const stalenessOf = (state: FeatureState): Feature['staleness'] => {
    const finding = inspector.find(state)
    if (!finding || (!includeSilenced && isSilenced(state.feature, inspector.at))) return undefined
    const { key, name, _feature, ...told } = toStaleness(state.feature, finding, inspector.at)
    return told
  }
  return async (state) => {
    const latestUpdate = includeLatestUpdate
      ? await latestEntry(store.collection('auditEntries'), state.feature._id)
      : undefined
    const changeRequests = await pendingRequests(store, state.feature)
    const staleness = stalenessOf(state)
    return toFeature(state, {
      environments,
      caller,
      changeRequests: changeRequests.map(toChangeRequest),
      ...(latestUpdate ? { latestUpdate: toEntry(latestUpdate) } : {}),
      ...(staleness ? { staleness } : {})
    })
  }
}

/** One feature as its caller may see it. */
export async function showFeature(store: Store, inspect: Inspect, { project, caller, state }: Found): Promise<Feature> {
  return (await featureView(store, inspect, { project, caller }))(state)
}
