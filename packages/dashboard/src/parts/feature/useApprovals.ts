import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { useRead } from '../../api/query.ts'
import { usePermission, useSession } from '../../api/session.ts'

/** The settings of a project for approvals; `undefined` while they load. */
export function useApprovalSettings(project: string | undefined) {
  const enabled = project !== undefined
  return useRead('getProject', { params: { key: project ?? '' } }, { enabled }).data?.settings.featureApprovalWorkflow
}

/** The waiting requests of a project that the person can review: not their own. None without the permission to publish. */
export function useWaitingRequests(project: string): readonly ListedChangeRequest[] {
  const { user } = useSession()
  const mayPublish = usePermission('feature:publish', project)
  const settings = useApprovalSettings(project)
  const isEnabled = mayPublish && settings?.enabled === true
  const request = { params: { project }, query: { status: 'pending', perPage: 1000 } } as const
  const requests = useRead('listChangeRequests', request, { enabled: isEnabled }).data ?? []
  return ofFeatures(requests).filter(({ _createdBy }) => _createdBy !== user.id || settings?.allowPublisherBypass)
}

/** The requests that change a feature. */
export function ofFeatures<Request extends object>(
  requests: readonly (Request | ListedChangeRequest)[]
): readonly ListedChangeRequest[] {
  return requests.filter((request): request is ListedChangeRequest => 'feature' in request)
}
