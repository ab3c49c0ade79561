import type { Operations } from '@burgee/contract'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { conflict, forbidden } from '../../lib/errors.ts'
import type { StoredChangeRequest, StoredConfiguration, StoredFeature, StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { isApprovalRequired } from './approvalWorkflow.ts'
import { formatRequestLine } from './formatRequestLine.ts'
import { findOpenRequest } from './openRequests.ts'
import { canBypassApproval } from './transitions.ts'

/**
 * Holds back a change that is made without a change request, where the project wants one. Called inside the edit of every
 * operation that changes a feature that is there, before anything else is checked; applying a change request does not come by here.
 * `wrapping` is the operation that a change request for it wraps.
 * @throws {ApiError} 409 while a change request of the feature is open, 403 when the caller needs one.
 */
export async function assertDirectChangeAllowed(
  store: Store,
  project: StoredProject,
  feature: StoredFeature,
  caller: TokenCaller,
  operation: keyof Operations = 'updateFeature'
): Promise<void> {
  await assertNotLocked(store, project, feature)
  if (!isApprovalRequired(project) || canBypassApproval(project, caller)) return
  const params = { project: project.key, feature: feature.key }
  throw forbidden(
    `changes of features in project "${project.key}" need approval: make a change request for ${formatRequestLine(operation, params)}, with ${formatRequestLine('createChangeRequest', params)}`,
    'ERR_APPROVAL_REQUIRED'
  )
}

/**
 * Holds back a new feature that is switched on, where the project wants a change request for that.
 * @throws {ApiError} 403
 */
export function assertDirectCreationAllowed(
  project: StoredProject,
  { feature, configurations }: FeatureWithConfigurations,
  caller: Pick<TokenCaller, 'id' | 'access'>
): void {
  if (!isApprovalRequired(project) || canBypassApproval(project, caller) || !isActiveSomewhere(configurations)) return
  const params = { project: project.key, feature: feature.key }
  throw forbidden(
    `features in project "${project.key}" need approval to be switched on: create feature "${feature.key}" inactive in every environment, then make a change request with ${formatRequestLine('createChangeRequest', params)}`,
    'ERR_APPROVAL_REQUIRED'
  )
}

/**
 * Holds back the end of a feature that is switched on, where the project wants a change request for switching it off.
 * @throws {ApiError} 409 while a change request of the feature is open, 403 when it is on and the caller needs one.
 */
export async function assertDirectRemovalAllowed(
  store: Store,
  project: StoredProject,
  { feature, configurations }: FeatureWithConfigurations,
  caller: Pick<TokenCaller, 'id' | 'access'>
): Promise<void> {
  await assertNotLocked(store, project, feature)
  if (!isApprovalRequired(project) || canBypassApproval(project, caller)) return
  // An archived feature serves nobody, wherever it was on.
  if (feature.status === 'archived' || !isActiveSomewhere(configurations)) return
  const params = { project: project.key, feature: feature.key }
  throw forbidden(
    `feature "${feature.key}" is switched on, and changes of features in project "${project.key}" need approval: switch it off first, by a change request with ${formatRequestLine('createChangeRequest', params)} or at once with ${formatRequestLine('killFeature', params)}`,
    'ERR_APPROVAL_REQUIRED'
  )
}

/** A feature and what it does in each environment. */
interface FeatureWithConfigurations {
  readonly feature: StoredFeature
  readonly configurations: readonly StoredConfiguration[]
}

function isActiveSomewhere(configurations: readonly StoredConfiguration[]): boolean {
  return configurations.some(({ status }) => status === 'active')
}

/** Holds back what cannot be asked for by a change request, such as the end of a feature, while one is open. @throws {ApiError} 409 */
export async function assertNotLocked(store: Store, project: StoredProject, feature: StoredFeature): Promise<void> {
  const open = await findLock(store, project, feature)
  if (!open) return
  throw conflict(
    `feature "${feature.key}" is locked by change request ${open._id}, which is ${open.status}: it should be applied, rejected or cancelled first`
  )
}

/** The change request that locks a feature, if one does. */
export async function findLock(
  store: Store,
  project: StoredProject,
  feature: StoredFeature
): Promise<StoredChangeRequest | undefined> {
  return isApprovalRequired(project) ? findOpenRequest(store, feature) : undefined
}
