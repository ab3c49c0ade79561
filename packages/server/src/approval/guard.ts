import { APPROVAL_REQUIRED, type Operations } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { conflict, forbidden } from '../errors.ts'
import type { StoredChangeRequest, StoredConfiguration, StoredFeature, StoredProject } from '../store/resources.ts'
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
    `changes of features in project "${project.key}" need approval: make a change request for ${callOf(wrapping, params)}, with ${callOf('createChangeRequest', params)}`,
    APPROVAL_REQUIRED
  )
}

/**
 * Holds back a new feature that is switched on, where the project wants a change request for that.
 * @throws {ApiError} 403
 */
export function guardNew(
  project: StoredProject,
  { feature, configurations }: Feature,
  caller: Pick<TokenCaller, 'id' | 'access'>
): void {
  if (!needsApproval(project) || bypasses(project, caller) || !isOn(configurations)) return
  const params = { project: project.key, feature: feature.key }
  throw forbidden(
    `features in project "${project.key}" need approval to be switched on: create feature "${feature.key}" inactive in every environment, then make a change request with ${callOf('createChangeRequest', params)}`,
    APPROVAL_REQUIRED
  )
}

/**
 * Holds back the end of a feature that is switched on, where the project wants a change request for switching it off.
 * @throws {ApiError} 409 while a change request of the feature is open, 403 when it is on and the caller needs one.
 */
export async function guardEnd(
  store: Store,
  project: StoredProject,
  { feature, configurations }: Feature,
  caller: Pick<TokenCaller, 'id' | 'access'>
): Promise<void> {
  await guardLock(store, project, feature)
  if (!needsApproval(project) || bypasses(project, caller)) return
  // An archived feature serves nobody, wherever it was on.
  if (feature.status === 'archived' || !isOn(configurations)) return
  const params = { project: project.key, feature: feature.key }
  throw forbidden(
    `feature "${feature.key}" is switched on, and changes of features in project "${project.key}" need approval: switch it off first, by a change request with ${callOf('createChangeRequest', params)} or at once with ${callOf('killFeature', params)}`,
    APPROVAL_REQUIRED
  )
}

/** A feature and what it does in each environment. */
interface Feature {
  readonly feature: StoredFeature
  readonly configurations: readonly StoredConfiguration[]
}

function isOn(configurations: readonly StoredConfiguration[]): boolean {
  return configurations.some(({ status }) => status === 'active')
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
