import type { WaitingReviews } from '@burgee/contract/schemas'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { findRoots, haveCommonRoot } from '../../access/permissions/findRoot.ts'
import { listVisibleProjectIds } from '../../access/permissions/listVisibleProjectIds.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { isApprovalRequired, requiredApprovals } from './approvalWorkflow.ts'
import { approversOfContent, findRequester } from './findApprovers.ts'
import { canApprove } from './transitions.ts'

/**
 * Counts the change requests that a caller may approve and has not approved, by project: pending ones, and approved
 * ones if the project requires more approvals by now.
 */
export async function countWaitingReviews(store: Store, caller: TokenCaller): Promise<readonly WaitingReviews[]> {
  const _id = await listVisibleProjectIds(store, caller, 'feature:publish')
  const { items } = await store.collection('projects').list({ oneOf: { _id }, sortBy: 'name' })
  const own = await findRoots(store, caller.id)
  const counts = items.filter(isApprovalRequired).map(async (project): Promise<WaitingReviews> => {
    const { key, name, _id: id } = project
    const open = await store
      .collection('changeRequests')
      .list({ where: { _project: id }, oneOf: { status: ['pending', 'approved'] } })
    const waiting = await Promise.all(open.items.map((request) => isWaiting(store, { project, request, own, caller })))
    return { project: { key, name, id }, count: waiting.filter(Boolean).length }
  })
  return (await Promise.all(counts)).filter(({ count }) => count > 0)
}

interface Candidate {
  readonly project: StoredProject
  readonly request: StoredChangeRequest
  readonly own: ReadonlySet<string>
  readonly caller: TokenCaller
}

async function isWaiting(store: Store, { project, request, own, caller }: Candidate): Promise<boolean> {
  const isRequester = haveCommonRoot(own, await findRequester(store, request))
  if (!canApprove(request, project, { ...caller, isRequester })) return false
  const approvers = approversOfContent(request)
  if (request.status === 'approved' && approvers.length >= requiredApprovals(project)) return false
  return !approvers.some((id) => own.has(id))
}
