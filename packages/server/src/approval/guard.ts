import type { Operations } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { conflict, forbidden } from '../errors.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { callOf } from './callOf.ts'
import { openRequest } from './open.ts'
import { bypasses } from './transitions.ts'
import { needsApproval } from './workflow.ts'

/**
 * Holds back a change that is made without a change request, where the project wants one. Called inside the edit of every
 * operation that changes a feature that is there, before anything else is checked; applying a change request does not come by here.
 * `wrapping` is the operation that a change request for it wraps.
 * @throws {ApiError} 409 while a change request of the feature is open, 403 when the caller needs one.
 */
export async function guardFeature(
  store: Store,
  project: StoredProject,
  feature: StoredFeature,
  caller: TokenCaller,
  wrapping: keyof Operations = 'updateFeature'
): Promise<void> {
  await guardLock(store, project, feature)
  if (!needsApproval(project) || bypasses(project, caller)) return
  const params = { project: project.key, feature: feature.key }
  throw forbidden(
    `changes of features in project "${project.key}" need approval: make a change request for ${callOf(wrapping, params)}, with ${callOf('createChangeRequest', params)}`
  )
}

/** Holds back what cannot be asked for by a change request, such as the end of a feature, while one is open. @throws {ApiError} 409 */
export async function guardLock(store: Store, project: StoredProject, feature: StoredFeature): Promise<void> {
  const open = await lockOf(store, project, feature)
  if (!open) return
  throw conflict(
    `feature "${feature.key}" is locked by change request ${open._id}, which is ${open.status}: it should be applied, rejected or cancelled first`
  )
}

/** The change request that locks a feature, if one does. */
export async function lockOf(
  store: Store,
  project: StoredProject,
  feature: StoredFeature
): Promise<StoredChangeRequest | undefined> {
  return needsApproval(project) ? openRequest(store, feature) : undefined
}
