import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/** A feature that somebody asked for. */
export interface AddressedFeature {
  readonly project: StoredProject
  readonly state: FeatureState
  readonly caller: TokenCaller
}

/** The feature that a request names. @throws {ApiError} 404 when there is none. */
export async function getAddressedFeature(
  store: Store,
  address: FeaturePath,
  caller: TokenCaller
): Promise<AddressedFeature> {
  const { project, feature } = await getFeature(store, address, caller)
  return { project, state: await readFeatureState(store, feature), caller }
}
