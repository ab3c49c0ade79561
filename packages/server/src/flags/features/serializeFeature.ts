import type { Feature } from '@burgee/contract/schemas'
import { findLatestEntry, toAuditLogEntry } from '../../access/audit/listAuditEntries.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { isSilenced } from '../../insights/staleness/findStaleness.ts'
import type { InspectProject } from '../../insights/staleness/inspectProject.ts'
import { toStaleness } from '../../insights/staleness/toStaleness.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { listPendingRequests } from '../approvals/openRequests.ts'
import { toChangeRequest } from '../approvals/toChangeRequest.ts'
import type { FeatureAtPath } from './readFeatureAt.ts'
import { listEnvironments } from './readFeatureContext.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { toFeature } from './rules/toFeature.ts'

/** Serializes features of one project for one caller. */
export type FeatureSerializer = (state: FeatureState) => Promise<Feature>

interface SerializerOptions {
  readonly project: StoredProject
  readonly caller: TokenCaller
  /** All environments of the project; read from the store if omitted. */
  readonly environments?: readonly StoredEnvironment[] | undefined
  readonly includeLatestUpdate?: boolean | undefined
  /** Whether features whose staleness is silenced are shown as stale. */
  readonly includeSilenced?: boolean | undefined
}

/** Creates a serializer, which reads the data that all features share once. */
export async function createFeatureSerializer(
  store: Store,
  inspect: InspectProject,
  { project, caller, environments: known, includeLatestUpdate = false, includeSilenced = false }: SerializerOptions
): Promise<FeatureSerializer> {
  const environments = known ?? (await listEnvironments(store, project))
  const inspector = await inspect(store, project)
  const stalenessOf = (state: FeatureState): Feature['staleness'] => {
    const finding = inspector.find(state)
    if (!finding || (!includeSilenced && isSilenced(state.feature, inspector.at))) return undefined
    const { key, name, _feature, ...staleness } = toStaleness(state.feature, finding, inspector.at)
    return staleness
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

/** Serializes one feature. */
export async function serializeFeature(
  store: Store,
  inspect: InspectProject,
  { state, ...options }: FeatureAtPath
): Promise<Feature> {
  return (await createFeatureSerializer(store, inspect, options))(state)
}
