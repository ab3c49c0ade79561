import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/** The feature that a request addresses, with its project and the caller. */
export interface AddressedFeature {
  readonly project: StoredProject
  readonly state: FeatureState
  readonly caller: TokenCaller
  /** All environments of the project, if they have been read already. */
  readonly environments?: readonly StoredEnvironment[]
}

/** Returns the feature that a request addresses. @throws {HttpError} 404 when it does not exist. */
export async function getAddressedFeature(
  store: Store,
  address: FeaturePath,
  caller: TokenCaller
): Promise<AddressedFeature> {
  const { project, feature } = await getFeature(store, address, caller)
  return { project, state: await readFeatureState(store, feature), caller }
}
