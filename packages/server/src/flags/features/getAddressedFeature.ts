import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/** The feature that a request names, with its project and the caller. */
export interface AddressedFeature {
  readonly project: StoredProject
  readonly state: FeatureState
  readonly caller: TokenCaller
  /** All of the project, where they have been read already. */
  readonly environments?: readonly StoredEnvironment[]
}

/** @throws {ApiError} 404 when there is none. */
export async function getAddressedFeature(
  store: Store,
  address: FeaturePath,
  caller: TokenCaller
): Promise<AddressedFeature> {
  const { project, feature } = await getFeature(store, address, caller)
  return { project, state: await readFeatureState(store, feature), caller }
}
