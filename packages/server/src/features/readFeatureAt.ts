import type { TokenCaller } from '../caller.ts'
import { type FeatureAddress, findFeature } from '../find.ts'
import type { StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { readFeature } from './readFeature.ts'
import type { FeatureState } from './rules/featureState.ts'

/** A feature that somebody asked for. */
export interface Found {
  readonly project: StoredProject
  readonly state: FeatureState
  readonly caller: TokenCaller
}

/** The feature that a request names. @throws {ApiError} 404 when there is none. */
export async function readFeatureAt(store: Store, address: FeatureAddress, caller: TokenCaller): Promise<Found> {
  const { project, feature } = await findFeature(store, address, caller)
  return { project, state: await readFeature(store, feature), caller }
}
