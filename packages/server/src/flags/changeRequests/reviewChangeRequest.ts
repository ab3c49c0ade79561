import { approvalAction, reviewedStatus } from '@burgee/contract/rules'
import type { ReviewChangeRequest } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { findRoots, haveCommonRoot } from '../../access/permissions/findRoot.ts'
import { conflict } from '../../lib/errors.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'
import { requiredApprovals } from '../approvals/approvalWorkflow.ts'
import { approversOfContent, findApprovers, findReviewerRoots } from '../approvals/findApprovers.ts'
import { assertContentUnchanged, contentHash } from '../approvals/toChangeRequest.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Approves or rejects a change request. It is approved once the required number of people approve it. One that was
 * applied in an emergency can be approved later.
 * @throws {HttpError} 405 or 403 when its status or the caller does not allow it, 409 when the caller, or another
 * client of the same person, has approved it, 412 when its content has changed since the reviewer read it.
 */
export async function reviewChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  { action, comment, contentHash: seen }: ReviewChangeRequest
): Promise<ChangeRequestContext> {
  const { project, request } = subject
  const { store, caller } = change
  const hash = contentHash(request)
  const own = await findRoots(store, caller.id)
  const review = { idp_user: caller.id, action, comment, createdAt: change.at, contentHash: hash, _roots: [...own] }
  const approvers = await findApprovers(store, subject, change.at)
  const missing = requiredApprovals(project) - approvers.size
  const status = request.effect === undefined ? request.status : reviewedStatus(request.status, missing)
  const reviewed: ChangeRequestContext = { ...subject, request: { ...request, status } }
  const isRepeated = action === 'approved' && haveCommonRoot(approvers, own)
  const first = isRepeated ? await findReviewer(store, request, own) : undefined
  return transitionChangeRequest(
    change,
    reviewed,
    action === 'rejected' ? 'reject' : approvalAction(reviewed.request, missing),
    () => {
      assertContentUnchanged(request, seen)
      if (isRepeated) {
        const reason = first === caller.id ? '' : `, and ${caller.id} counts as the same person`
        throw conflict(
          `${first} has approved change request ${request._id} already${reason}: it needs ${missing} more approval${missing === 1 ? '' : 's'} by others`
        )
      }
      return { reviews: [...request.reviews, review] }
    }
  )
}

/** Returns the reviewer who approved the current content first, of those with a person responsible in common. */
async function findReviewer(
  store: Store,
  request: StoredChangeRequest,
  roots: ReadonlySet<string>
): Promise<string | undefined> {
  for (const reviewer of approversOfContent(request)) {
    if (haveCommonRoot(await findReviewerRoots(store, request, reviewer), roots)) return reviewer
  }
  return undefined
}
