import { approversOf, reviewedStatus } from '@burgee/contract/rules'
import type { ChangeRequest } from '@burgee/contract/schemas'

type ReviewedRequest = Pick<ChangeRequest, 'status' | 'reviews' | 'contentHash'>

/** How many more people must approve a request. */
export function missingApprovals(request: Omit<ReviewedRequest, 'status'>, requiredApprovals: number): number {
  return Math.max(0, requiredApprovals - approversOf(request).size)
}

/** Whether a request can be reviewed: also an approved one, if the project requires more approvals by now. */
export function isInReview(request: ReviewedRequest, requiredApprovals: number): boolean {
  return reviewedStatus(request.status, missingApprovals(request, requiredApprovals)) === 'pending'
}
