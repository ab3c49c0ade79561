import { approvalSettings, approversOf } from '@burgee/contract/rules'
import type { ChangeRequest, ListedChangeRequest } from '@burgee/contract/schemas'
import { useRead } from '../../api/query.ts'
import { usePermission, useSession } from '../../api/session.ts'
import { isInReview } from './approvers.ts'

/** The settings of a project for approvals; `undefined` while they load. */
export function useApprovalSettings(project: string | undefined) {
  const enabled = project !== undefined
  return useRead('getProject', { params: { key: project ?? '' } }, { enabled }).data?.settings.featureApprovalWorkflow
}

/** Returns how many people must approve a request of a project; the default while its settings load. */
export function useRequiredApprovals(project: string | undefined): number {
  return approvalSettings(useApprovalSettings(project) ?? {}).requiredApprovals
}

/** What says whether a request waits for a person. */
type ReviewedRequest = Pick<ChangeRequest, 'status' | '_createdBy' | 'reviews' | 'contentHash'>

/**
 * Returns a function that returns whether a request of a project waits for the person: not their own, and not approved by them.
 * None does without the permission to publish.
 */
export function useIsWaiting(project: string): (request: ReviewedRequest) => boolean {
  const { user } = useSession()
  const mayPublish = usePermission('feature:publish', project)
  const settings = useApprovalSettings(project)
  return (request) =>
    mayPublish &&
    settings?.enabled === true &&
    isInReview(request, approvalSettings(settings).requiredApprovals) &&
    (request._createdBy !== user.id || settings.allowPublisherBypass) &&
    !approversOf(request).has(user.id)
}

/** The requests that change a feature. */
export function ofFeatures<Request extends object>(
  requests: readonly (Request | ListedChangeRequest)[]
): readonly ListedChangeRequest[] {
  return requests.filter((request): request is ListedChangeRequest => 'feature' in request)
}
