import { approversOf } from '@burgee/contract/rules'
import { findActiveIdentity } from '../../access/permissions/findIdentity.ts'
import { findRoot, findRoots, haveCommonRoot } from '../../access/permissions/findRoot.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'
import { contentHash } from './toChangeRequest.ts'
import { type ChangeRequestContext, canApprove } from './transitions.ts'

/**
 * Returns the roots of those who approved the current content of a change request and may still approve it at this
 * moment. A person and the clients and trusts of that person count once.
 */
export async function findApprovers(
  store: Store,
  { project, request }: Pick<ChangeRequestContext, 'project' | 'request'>,
  at: string
): Promise<ReadonlySet<string>> {
  const requester = await findRequester(store, request)
  const roots = new Set<string>()
  const counted = new Set<string>()
  for (const reviewer of approversOfContent(request)) {
    // Reads current permissions: the approval of a user who lost the permission, or was removed, does not count.
    const identity = await findActiveIdentity(store, reviewer, { at })
    if (identity?.organization !== project._organization) continue
    const own = await findReviewerRoots(store, request, reviewer)
    const isRequester = haveCommonRoot(own, requester)
    if (haveCommonRoot(own, counted) || !canApprove(request, project, { ...identity, isRequester })) continue
    const [root = reviewer] = own
    roots.add(root)
    for (const each of own) counted.add(each)
  }
  return roots
}

/** Returns everyone who is responsible for a change request. */
export async function findRequester(
  store: Store,
  { _createdBy, _clientMaker }: StoredChangeRequest
): Promise<ReadonlySet<string>> {
  if (_clientMaker === undefined) return findRoots(store, _createdBy)
  // A client that was deleted has no root anymore; a trust can have been changed since.
  return new Set([await findRoot(store, _clientMaker), ...(await findRoots(store, _createdBy))])
}

/**
 * Returns everyone who is responsible for a reviewer of a change request: those of the moment of each review, since the
 * secret of a client can have been rotated by another person since, and those of now.
 */
export async function findReviewerRoots(
  store: Store,
  { reviews }: StoredChangeRequest,
  reviewer: string
): Promise<ReadonlySet<string>> {
  const then = reviews.filter(({ idp_user }) => idp_user === reviewer).flatMap(({ _roots }) => _roots ?? [])
  return new Set([...then, ...(await findRoots(store, reviewer))])
}

/** Lists the reviewers who approved the current content of a change request, without duplicates. */
export function approversOfContent(request: StoredChangeRequest): readonly string[] {
  // A request without an effect was stored before effects were recorded, so no approval covers its effect.
  if (request.effect === undefined) return []
  return [...approversOf({ reviews: request.reviews, contentHash: contentHash(request) })]
}
