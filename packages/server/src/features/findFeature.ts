import type { TokenCaller } from '../caller.ts'
import { findIn, findProject } from '../find.ts'
import type { StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { type FeatureState, readFeature } from './featureState.ts'

/** Key or id of a feature and of its project. */
export interface FeatureAddress {
  readonly project: string
  readonly feature: string
}

/** A feature that somebody asked for. */
export interface Found {
  readonly project: StoredProject
  readonly state: FeatureState
  readonly caller: TokenCaller
}

/** The feature that a request names. @throws {ApiError} 404 when there is none. */
export async function findFeature(store: Store, address: FeatureAddress, caller: TokenCaller): Promise<Found> {
  const project = await findProject(store, address.project, caller)
  const feature = await findIn(store, 'features', project, address.feature)
  return { project, state: await readFeature(store, feature), caller }
}
