import { conflict } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { changedEnvironments, type FeatureDiff } from '../features/rules/model/featureDiff.ts'
import { isApprovalRequired } from './approvalWorkflow.ts'
import { findOpenRequest } from './openRequests.ts'
import { changesSharedParts } from './requiresApproval.ts'

/** The open change request that locks a feature, if there is one. */
export async function findLock(
  store: Store,
  project: StoredProject,
  feature: StoredFeature
): Promise<StoredChangeRequest | undefined> {
  return isApprovalRequired(project) ? findOpenRequest(store, feature) : undefined
}

/** Asserts that no change request of a feature is open. @throws {HttpError} 409 */
export async function assertNotLocked(store: Store, project: StoredProject, feature: StoredFeature): Promise<void> {
  const request = await findLock(store, project, feature)
  if (request) throw featureLocked(feature, request)
}

/**
 * Asserts that a change does not touch what an open change request locks: the whole feature, except unprotected
 * environments that the request does not change.
 * @throws {HttpError} 409
 */
export async function assertChangeNotLocked(store: Store, project: StoredProject, diff: FeatureDiff): Promise<void> {
  const { feature } = diff.before ?? diff.after
  const request = await findLock(store, project, feature)
  if (request && !isOutsideLock(diff, request)) throw featureLocked(feature, request)
}

function isOutsideLock(diff: FeatureDiff, request: StoredChangeRequest): boolean {
  if (diff.changesProtectedTargeting || changesSharedParts(diff)) return false
  const locked = environmentsOf(request)
  return changedEnvironments(diff).every((_id) => !locked.has(_id))
}

/** The ids of the environments whose configurations a change request changes. */
export function environmentsOf({ changes }: Pick<StoredChangeRequest, 'changes'>): ReadonlySet<string> {
  return new Set(changes.flatMap(({ _environments = [] }) => _environments))
}

function featureLocked({ key }: StoredFeature, { _id, status }: StoredChangeRequest): Error {
  return conflict(
    `feature "${key}" is locked by change request ${_id}, which is ${status}: apply, reject or cancel it first`
  )
}
