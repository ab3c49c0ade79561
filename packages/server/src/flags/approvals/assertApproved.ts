import type { Identity } from '../../access/permissions/caller.ts'
import { forbidden, preconditionFailed } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'
import { requiredApprovals } from './approvalWorkflow.ts'
import { approversOfContent, findApprovers } from './findApprovers.ts'
import { formatChangeRequestLine } from './formatRequestLine.ts'
import { type ChangeRequestContext, canBypassApproval } from './transitions.ts'

/** Who applies a change request, and when. */
interface ApplyAttempt {
  readonly caller: Pick<Identity, 'access'>
  readonly at: string
}

/**
 * Asserts that the caller may apply a change request that lacks approvals.
 * @throws {HttpError} 403 with the number of missing approvals, unless the caller bypasses approval.
 */
export async function assertMayApplyPending(
  store: Store,
  subject: ChangeRequestContext,
  attempt: ApplyAttempt
): Promise<void> {
  const approvals = await countApprovals(store, subject, attempt)
  if (!approvals) return
  const { count, required } = approvals
  throw forbidden(
    `change request ${subject.request._id} cannot be applied: it has ${count} of ${required} required approvals and needs ${Math.max(required - count, 0)} more`
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
  attempt: ApplyAttempt
): Promise<void> {
  const approvals = await countApprovals(store, subject, attempt)
  if (!approvals || approvals.count >= approvals.required) return
  const { count, required } = approvals
  const { request } = subject
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

/** Counts the approvals that a change request has and requires. Returns `undefined` if the caller bypasses approval. */
async function countApprovals(
  store: Store,
  subject: ChangeRequestContext,
  { caller, at }: ApplyAttempt
): Promise<{ readonly count: number; readonly required: number } | undefined> {
  const { project, request } = subject
  if (canBypassApproval(project, caller, request.operation)) return undefined
  return { count: (await findApprovers(store, subject, at)).size, required: requiredApprovals(project) }
}
