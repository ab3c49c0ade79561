import type { ListedChangeRequest, ProjectChangeRequest } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../../api/query.ts'
import { personName, usePeopleNames } from '../../../components/Actor.tsx'
import { operationWords } from '../../../components/feature/operationWords.ts'
import { Banner } from '../../../components/States.tsx'
import { Time } from '../../../components/Time.tsx'
import { useProject } from '../ProjectContext.ts'

/** Change requests of the settings that are not decided or not applied yet, with links. */
export function OpenRequests() {
  const { org = '' } = useParams({ strict: false })
  const { key: project, settings } = useProject()
  const { enabled } = settings.featureApprovalWorkflow
  const request = { params: { project }, query: { scope: 'project', perPage: 1000 } } as const
  const { data = [] } = useRead('listChangeRequests', request, { enabled })
  const names = usePeopleNames()
  return data.filter(isOpenChangeOfSettings).map(({ _id, description, operation, status, _createdBy, createdAt }) => (
    <Banner key={_id}>
      <span>
        {status === 'approved' ? 'An approved change request' : 'A change request'} of{' '}
        <bdi>{personName(_createdBy, names)}</bdi>, made <Time value={createdAt} />, waits to be{' '}
        {status === 'approved' ? 'applied' : 'reviewed'}.
      </span>
      <Link to="/o/$org/p/$project/change-requests/$request" params={{ org, project, request: _id }}>
        <bdi>{description || operationWords[operation]}</bdi>
      </Link>
    </Banner>
  ))
}

const settingsOperations: readonly ProjectChangeRequest['operation'][] = [
  'projectUpdate',
  'projectSettingsUpdate',
  'protectedSettingsUpdate',
  'projectDelete'
]

function isOpenChangeOfSettings(request: ListedChangeRequest | ProjectChangeRequest): request is ProjectChangeRequest {
  return (
    !('feature' in request) &&
    settingsOperations.includes(request.operation) &&
    (request.status === 'pending' || request.status === 'approved')
  )
}
