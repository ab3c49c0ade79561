import type { AppliedChangeRequest } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest } from '../../lib/errors.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { assertEmergencyAllowed } from '../approvals/approvalWorkflow.ts'
import { assertApproved, assertMayApplyPending } from '../approvals/assertApproved.ts'
import { approversOfContent } from '../approvals/findApprovers.ts'
import { environmentsOf } from '../approvals/lock.ts'
import { type ChangeRequestContext, canBypassApproval } from '../approvals/transitions.ts'
import type { RemovedIds } from '../projects/deleteUserData.ts'
import { assertEffectUnchanged } from './assertEffectUnchanged.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'
import { assertFeatureUnchanged } from './featureSnapshot.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

interface ApplyOptions {
  /** Replaces the description of the submission unless it is blank. If omitted, no reason is required. */
  readonly description?: string
  /** The reason for an application without approvals. */
  readonly emergency?: string | undefined
}

/**
 * Applies a change request. Returns the ids of what it deleted; call `deleteUserData` with them next.
 * @throws {HttpError} 405 or 403 when its status, the caller or the project does not allow it, 400 when a blank
 * description gives no reason for bypassing approval, 412 when it has too few valid approvals or the change is no
 * longer possible, 409 when the feature or the effect has changed since.
 */
export async function applyChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody,
  { description, emergency: reason }: ApplyOptions = {}
): Promise<RemovedIds | undefined> {
  const { project, feature } = subject
  const { caller, store, at } = change
  const _appliedEntry = change.id()
  if (reason !== undefined) assertEmergencyAllowed(project)
  const emergency = reason === undefined ? undefined : { idp_user: caller.id, reason, at }
  const action = emergency ? 'apply in an emergency' : 'apply'
  if (!emergency && subject.request.status === 'pending') await assertMayApplyPending(store, subject, change)
  const { request } = await transitionChangeRequest(change, subject, action, () => {
    const members = { _appliedEntry, ...omitUndefined({ emergency }) }
    if (description === undefined) return members
    if (description.trim() !== '') return { ...members, description }
    if (!emergency) assertBypassReason(subject, caller)
    return members
  })
  if (!emergency) await assertApproved(store, subject, change)
  await assertFeatureUnchanged(store, subject)
  await assertEffectUnchanged(change, subject, validate)
  const applying = withChangeRequest(change, request, _appliedEntry)
  const removed = await executeRequestedChange(applying, { ...request, project, feature }, validate).catch(
    rethrowAsPreconditionFailed
  )
  if (reason !== undefined) recordEmergency(applying, { ...subject, request }, reason)
  return removed
}

/** Writes the audit entry of the change under the id that the request refers to, with a reference to the request. */
function withChangeRequest(change: Edit, request: StoredChangeRequest, _id: string): Edit {
  const { assistant, clientId, _createdBy, _feature, emergency } = request
  const changeRequest: AppliedChangeRequest = {
    _id: request._id,
    _createdBy,
    ...omitUndefined({ _feature, assistant, clientId, emergency: emergency?.reason }),
    reviewers: [...approversOfContent(request)]
  }
  return {
    ...change,
    recordChanges: (scope, changes) => {
      // A change of a project can change features too, with separate entries.
      const isMain = (request._feature === undefined) === (scope._feature === undefined)
      const named = request._feature === undefined ? { changeRequest } : {}
      change.recordChanges(isMain ? { ...scope, _id, changeRequest } : { ...scope, ...named }, changes)
    }
  }
}

/** Records the change that webhooks, the log and metrics report. */
function recordEmergency(
  { recordChanges }: Edit,
  { project, feature, request }: ChangeRequestContext,
  reason: string
): void {
  const environments = [...environmentsOf(request)]
  const { _id: changeRequest, operation } = request
  const scope = request.operation === 'projectDelete' ? {} : { _project: project._id }
  recordChanges(feature ? { ...scope, _feature: feature._id } : scope, [
    {
      type: 'appliedInEmergency',
      newContents: { changeRequest, operation, reason },
      previousContents: null,
      metadata: feature ? { feature: feature.key } : {},
      ...(environments.length > 0 ? { _environments: environments } : {})
    }
  ])
}

/** Asserts that a change request is not applied without approval: that needs a description. @throws {HttpError} 400 */
function assertBypassReason(
  { project, request: { status, operation } }: ChangeRequestContext,
  caller: TokenCaller
): void {
  if (!canBypassApproval(project, caller, operation) || (status !== 'draft' && status !== 'pending')) return
  throw badRequest(
    `description should say why the change is made without approval, for a change request that is ${status}`
  )
}
