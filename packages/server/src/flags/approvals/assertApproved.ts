import type { Identity } from '../../access/permissions/caller.ts'
import { findIdentity } from '../../access/permissions/findIdentity.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'
import { formatRequestLine } from './formatRequestLine.ts'
import { contentHash } from './toChangeRequest.ts'
import { type ChangeRequestContext, canApprove, canBypassApproval } from './transitions.ts'

/**
 * Asserts that the current content of a change request is approved by a user who may still approve it.
 * @throws {HttpError} 412 when it has none, unless the caller bypasses approval.
 */
export async function assertApproved(
  store: Store,
  { project, feature, request }: ChangeRequestContext,
  caller: Pick<Identity, 'access'>
): Promise<void> {
  if (canBypassApproval(project, caller)) return
  const hash = contentHash(request)
  const approvals = request.reviews.filter((review) => {
    // A request without an effect was stored before effects were recorded, so no approval covers its effect.
    return request.effect !== undefined && review.action === 'approved' && review.contentHash === hash
  })
  const reviewers = [...new Set(approvals.map(({ idp_user }) => idp_user))]
  for (const reviewer of reviewers) {
    // Reads current permissions: the approval of a user who lost the permission, or was removed, does not count.
    const identity = await findIdentity(store, reviewer)
    if (identity?.organization === project._organization && canApprove(request, project, identity)) return
  }
  const why =
    reviewers.length > 0
      ? `${reviewers.join(' and ')} approved it but may no longer do so`
      : 'no approval covers its current content'
  const edit = formatRequestLine('updateChangeRequest', { project: project.key, feature: feature.key, id: request._id })
  throw preconditionFailed(
    `change request ${request._id} needs a new approval: ${why}. ${edit} turns it into a draft, which can be submitted again`
  )
}
