import { findIdentity } from '../../access/permissions/findIdentity.ts'
import { findRoot } from '../../access/permissions/findRoot.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'
import { contentHash } from './toChangeRequest.ts'
import { type ChangeRequestContext, canApprove } from './transitions.ts'

/**
 * Returns the roots (`findRoot`) of the reviewers who approved the current content of a change request and may still
 * approve it. A person and the clients of that person count once.
 */
export async function findApprovers(
  store: Store,
  { project, request }: Pick<ChangeRequestContext, 'project' | 'request'>
): Promise<ReadonlySet<string>> {
  const requester = await findRequester(store, request)
  const roots = new Set<string>()
  for (const reviewer of approversOfContent(request)) {
    // Reads current permissions: the approval of a user who lost the permission, or was removed, does not count.
    const identity = await findIdentity(store, reviewer)
    if (identity?.organization !== project._organization) continue
    const root = await findRoot(store, reviewer)
    if (canApprove(request, project, { ...identity, isRequester: root === requester })) roots.add(root)
  }
  return roots
}

/** Returns the root of the creator of a change request. */
export function findRequester(store: Store, { _createdBy, _clientMaker }: StoredChangeRequest): Promise<string> {
  return findRoot(store, _clientMaker ?? _createdBy)
}

/** Lists the reviewers who approved the current content of a change request, without duplicates. */
export function approversOfContent(request: StoredChangeRequest): readonly string[] {
  // A request without an effect was stored before effects were recorded, so no approval covers its effect.
  if (request.effect === undefined) return []
  const hash = contentHash(request)
  const approvals = request.reviews.filter((review) => review.action === 'approved' && review.contentHash === hash)
  return [...new Set(approvals.map(({ idp_user }) => idp_user))]
}
