import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest } from '../../lib/errors.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { assertApproved } from '../approvals/assertApproved.ts'
import { contentHash } from '../approvals/toChangeRequest.ts'
import { type ChangeRequestContext, canBypassApproval } from '../approvals/transitions.ts'
import { assertEffectUnchanged } from './assertEffectUnchanged.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'
import { assertFeatureUnchanged } from './featureSnapshot.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Applies a change request.
 * @param description Replaces the one of the submission unless it is blank. If omitted, no reason is required.
 * @throws {HttpError} 405 or 403 when its status or the caller does not allow it, 400 when a blank description gives no
 * reason for bypassing approval, 412 when it has no valid approval or the change is no longer possible, 409 when the
 * feature or the effect has changed since.
 */
export async function applyChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody,
  description?: string
): Promise<void> {
  const { project, feature } = subject
  const _appliedEntry = change.id()
  const { request } = await transitionChangeRequest(change, subject, 'apply', () => {
    if (description === undefined) return { _appliedEntry }
    if (description.trim() !== '') return { description, _appliedEntry }
    assertBypassReason(subject, change.caller)
    return { _appliedEntry }
  })
  await assertApproved(change.store, subject, change.caller)
  await assertFeatureUnchanged(change.store, subject)
  await assertEffectUnchanged(change, subject, validate)
  const applying = withChangeRequest(change, subject.request, _appliedEntry)
  await executeRequestedChange(applying, { ...request, project, feature }, validate).catch(rethrowAsPreconditionFailed)
}

/** Makes the audit entry of the feature name the change request, under the id that the request refers to. */
function withChangeRequest(change: Edit, request: StoredChangeRequest, _id: string): Edit {
  const { assistant, _createdBy, reviews } = request
  const hash = contentHash(request)
  const approvals = reviews.filter((review) => review.action === 'approved' && review.contentHash === hash)
  const reviewers = [...new Set(approvals.map(({ idp_user }) => idp_user))]
  const changeRequest = { _id: request._id, _createdBy, ...omitUndefined({ assistant }), reviewers }
  return {
    ...change,
    recordChanges: (scope, changes) => {
      change.recordChanges(scope._feature === undefined ? scope : { ...scope, _id, changeRequest }, changes)
    }
  }
}

/** Asserts that a change request is not applied without approval: that needs a description. @throws {HttpError} 400 */
function assertBypassReason({ project, request: { status } }: ChangeRequestContext, caller: TokenCaller): void {
  if (!canBypassApproval(project, caller) || (status !== 'draft' && status !== 'pending')) return
  throw badRequest(
    `description should say why the change is made without approval, for a change request that is ${status}`
  )
}
