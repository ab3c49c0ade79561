import type { ListedChangeRequest, ProjectChangeRequest } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { personName, usePeopleNames } from '../../../components/Actor.tsx'
import { operationWords } from '../../../components/feature/operationWords.ts'
import { useIsWaiting } from '../../../components/feature/useApprovals.ts'
import { Section } from '../../../components/Page.tsx'
import { Table } from '../../../components/Table.tsx'
import { Time } from '../../../components/Time.tsx'
import { StatusBadge } from '../head/StatusBadge.tsx'
import type { InboxSearch } from '../inboxSearch.ts'
import styles from '../Requests.module.css'

/** The change requests of the project itself, its environments and audiences, that a search finds; newest first. */
export function useProjectRequests(
  project: string,
  { status, reviewer, author }: InboxSearch
): readonly ProjectChangeRequest[] {
  const { user } = useSession()
  const isWaiting = useIsWaiting(project)
  const query = { scope: 'project', perPage: 1000, ...(status && reviewer === undefined ? { status } : {}) } as const
  const requests = useRead('listChangeRequests', { params: { project }, query }).data ?? []
  return requests
    .filter(isOfProject)
    .filter(({ _createdBy }) => author === undefined || _createdBy === user.id)
    .filter((request) => reviewer === undefined || isWaiting(request))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
}

interface Props {
  readonly org: string
  readonly project: string
  readonly rows: readonly ProjectChangeRequest[]
}

/** A table of change requests of the project itself. */
export function ProjectRequests({ org, project, rows }: Props) {
  const names = usePeopleNames()
  return (
    <Section title="Project changes">
      <Table
        label="Change requests of the project"
        rows={rows}
        rowKey={({ _id }) => _id}
        columns={[
          {
            id: 'request',
            title: 'Request',
            cell: ({ _id, description, operation }) => (
              <span className={styles.request}>
                <Link to="/o/$org/p/$project/change-requests/$request" params={{ org, project, request: _id }}>
                  <bdi>{description || operationWords[operation]}</bdi>
                </Link>
                {description && <span className={styles.soft}>{operationWords[operation]}</span>}
              </span>
            )
          },
          { id: 'author', title: 'By', cell: ({ _createdBy }) => <bdi>{personName(_createdBy, names)}</bdi> },
          { id: 'status', title: 'Status', cell: (row) => <StatusBadge project={project} request={row} /> },
          {
            id: 'made',
            title: 'Created',
            cell: ({ createdAt }) => (
              <span className={styles.made}>
                <Time value={createdAt} />
              </span>
            )
          }
        ]}
      />
    </Section>
  )
}

function isOfProject(request: ListedChangeRequest | ProjectChangeRequest): request is ProjectChangeRequest {
  return !('feature' in request)
}
