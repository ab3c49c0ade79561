import { readFeatureRevision } from '../../access/audit/revision.ts'
import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/** The feature at a `FeaturePath`, with its project and the caller. */
export interface FeatureAtPath {
  readonly project: StoredProject
  readonly state: FeatureState
  /** The revision of the feature that `state` has, or an earlier one if a change came in between. */
  readonly revision: string
  readonly caller: TokenCaller
  /** All environments of the project, if they have been read already. */
  readonly environments?: readonly StoredEnvironment[]
}

/** Returns the feature at a path. @throws {HttpError} 404 when it does not exist. */
export async function readFeatureAt(store: Store, path: FeaturePath, caller: TokenCaller): Promise<FeatureAtPath> {
  const { project, feature } = await getFeature(store, path, caller)
  // Read first: the revision of a later state would hide the changes in between from a client that requires it.
  const revision = await readFeatureRevision(store, feature._id)
  const current = (await store.collection('features').get({ _id: feature._id })) ?? feature
  return { project, state: await readFeatureState(store, current), revision, caller }
}
