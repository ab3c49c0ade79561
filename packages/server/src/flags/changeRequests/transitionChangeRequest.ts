import type { ChangeRequestAction } from '@burgee/contract/rules'
import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { assertWithinEnvironments } from '../../access/permissions/assertWithinEnvironments.ts'
import { findRoots, haveCommonRoot } from '../../access/permissions/findRoot.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { ItemPatch } from '../../storage/store.ts'
import { findRequester } from '../approvals/findApprovers.ts'
import { type ChangeRequestContext, getNextStatus } from '../approvals/transitions.ts'

/** The patch that ends the schedule of a change request. */
export const withoutSchedule = {
  applyAt: undefined,
  _scheduledBy: undefined,
  _scheduledThrough: undefined,
  scheduleFailure: undefined
} as const satisfies ItemPatch<StoredChangeRequest>

/**
 * Moves a change request to its next status and updates members, which are computed once the transition is known to be
 * allowed. Any transition ends the schedule unless the members set one.
 * @throws {HttpError} 405 when its status does not allow the action, 403 when the caller may not take it: a caller that
 * is limited to environments acts on its own requests, and on those that change these environments only.
 */
export async function transitionChangeRequest(
  { store, at, caller, recordChanges }: Edit,
  subject: ChangeRequestContext,
  action: ChangeRequestAction,
  members: () => Promise<ItemPatch<StoredChangeRequest>> | ItemPatch<StoredChangeRequest> = () => ({})
): Promise<ChangeRequestContext> {
  const { project, request } = subject
  const isRequester = haveCommonRoot(await findRoots(store, caller.id), await findRequester(store, request))
  const status = getNextStatus(action, request, project, { ...caller, isRequester })
  if (request._createdBy !== caller.id) assertWithinEnvironments(caller, request.changes)
  const changed = { ...withoutSchedule, ...(await members()), status, updatedAt: at, _updatedBy: caller.id }
  const after = await store.collection('changeRequests').update(request._id, changed)
  if (!after) throw itemNotFound('change request', request._id)
  // A deleted project has no audit log of its own.
  const isDeletion = request.operation === 'projectDelete' && status === 'applied'
  recordChanges(isDeletion ? {} : { _project: project._id }, modifiedChanges('ChangeRequest', request, after))
  return { ...subject, request: after }
}
