import type { Identity } from '../../access/permissions/caller.ts'
import { forbidden, preconditionFailed } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'
import { requiredApprovals } from './approvalWorkflow.ts'
import { approversOfContent, findApprovers } from './findApprovers.ts'
import { formatChangeRequestLine } from './formatRequestLine.ts'
import { type ChangeRequestContext, canBypassApproval } from './transitions.ts'

/**
 * Asserts that the caller may apply a change request that lacks approvals.
 * @throws {HttpError} 403 with the number of missing approvals, unless the caller bypasses approval.
 */
export async function assertMayApplyPending(
  store: Store,
  subject: ChangeRequestContext,
  { caller, at }: { readonly caller: Pick<Identity, 'access'>; readonly at: string }
): Promise<void> {
  const { project, request } = subject
  if (canBypassApproval(project, caller, request.operation)) return
  const count = (await findApprovers(store, subject, at)).size
  const required = requiredApprovals(project)
  throw forbidden(
    `change request ${request._id} cannot be applied: it has ${count} of ${required} required approvals and needs ${Math.max(required - count, 0)} more`
  )
}

/**
 * Asserts that the current content of a change request has the number of approvals that the project requires now, by
 * people who may still approve it.
 * @throws {HttpError} 412 otherwise, unless the caller bypasses approval.
 */
export async function assertApproved(
  store: Store,
  subject: ChangeRequestContext,
  { caller, at }: { readonly caller: Pick<Identity, 'access'>; readonly at: string }
): Promise<void> {
  const { project, request } = subject
  if (canBypassApproval(project, caller, request.operation)) return
  const count = (await findApprovers(store, subject, at)).size
  const required = requiredApprovals(project)
  if (count >= required) return
  const edit = formatChangeRequestLine('update', subject)
  const draft = `${edit} turns it into a draft, which can be submitted again`
  if (count > 0) {
    throw preconditionFailed(
      `change request ${request._id} has ${count} of ${required} required approvals and needs ${required - count} more: others can still review it, or ${draft}`
    )
  }
  const reviewers = approversOfContent(request)
  const why =
    reviewers.length > 0
      ? `${reviewers.join(' and ')} approved it but may no longer do so`
      : 'no approval covers its current content'
  throw preconditionFailed(`change request ${request._id} needs a new approval: ${why}. ${draft}`)
}
