import type { Feature } from '@burgee/contract/schemas'
import { findLatestEntry, toAuditLogEntry } from '../../access/audit/listAuditEntries.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { isSilenced } from '../../insights/staleness/findStaleness.ts'
import type { InspectProject } from '../../insights/staleness/inspectProject.ts'
import { toStaleness } from '../../insights/staleness/toStaleness.ts'
import type { StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { listPendingRequests } from '../approvals/openRequests.ts'
import { toChangeRequest } from '../approvals/toChangeRequest.ts'
import type { AddressedFeature } from './getAddressedFeature.ts'
import { listEnvironments } from './readFeatureContext.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { toFeature } from './rules/toFeature.ts'

/** Shows features of one project to one caller. */
export type FeatureSerializer = (state: FeatureState) => Promise<Feature>

interface SerializerOptions {
  readonly project: StoredProject
  readonly caller: TokenCaller
  readonly includeLatestUpdate?: boolean | undefined
  /** Whether it is shown of features that they are stale also where nobody is to be told. */
  readonly includeSilenced?: boolean | undefined
}

/** What shows features. It asks once for what is the same for all of them, however many there are to show. */
export async function createFeatureSerializer(
  store: Store,
  inspect: InspectProject,
  { project, caller, includeLatestUpdate = false, includeSilenced = false }: SerializerOptions
): Promise<FeatureSerializer> {
  const environments = await listEnvironments(store, project)
  const inspector = await inspect(store, project)
  const stalenessOf = (state: FeatureState): Feature['staleness'] => {
    const finding = inspector.find(state)
    if (!finding || (!includeSilenced && isSilenced(state.feature, inspector.at))) return undefined
    const { key, name, _feature, ...told } = toStaleness(state.feature, finding, inspector.at)
    return told
  }
  return async (state) => {
    const latestUpdate = includeLatestUpdate
      ? await findLatestEntry(store.collection('auditEntries'), state.feature._id)
      : undefined
    const changeRequests = await listPendingRequests(store, state.feature)
    const staleness = stalenessOf(state)
    return toFeature(state, {
      environments,
      caller,
      changeRequests: changeRequests.map(toChangeRequest),
      ...(latestUpdate ? { latestUpdate: toAuditLogEntry(latestUpdate) } : {}),
      ...(staleness ? { staleness } : {})
    })
  }
}

/** One feature as its caller may see it. */
export async function serializeFeature(
  store: Store,
  inspect: InspectProject,
  { project, caller, state }: AddressedFeature
): Promise<Feature> {
  return (await createFeatureSerializer(store, inspect, { project, caller }))(state)
}
