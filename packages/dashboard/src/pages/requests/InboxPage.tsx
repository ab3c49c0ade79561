import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { personName, usePeopleNames } from '../../components/Actor.tsx'
import { Badge } from '../../components/Badge.tsx'
import { summarize } from '../../components/diff/changeWords.ts'
import { environmentsOf } from '../../components/diff/describeChange.ts'
import { useDiffContext } from '../../components/diff/useDiffContext.ts'
import { SelectField } from '../../components/Field.tsx'
import { ofFeatures, useApprovalSettings, useIsWaiting } from '../../components/feature/useApprovals.ts'
import { useWaitingCount } from '../../components/feature/useWaitingReviews.ts'
import { WaitingProjects } from '../../components/feature/WaitingProjects.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { StatusBadge } from './head/StatusBadge.tsx'
import {
  byUrgency,
  type InboxSearch,
  type RequestStatus,
  requestStatusWords,
  validateInboxSearch
} from './inboxSearch.ts'
import { ProjectRequests, useProjectRequests } from './project/ProjectRequests.tsx'
import styles from './Requests.module.css'

const ELSEWHERE = 'Waiting for you in other projects'

/** The change requests of a project. */
export function InboxPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const settings = useApprovalSettings(project)
  return (
    <Page title="Change requests">
      {settings?.enabled === false && <WaitingProjects org={org} title={ELSEWHERE} except={project} />}
      {settings?.enabled === false ? (
        <Empty title="Changes in this project need no approval.">
          <p>
            With approvals, changes of protected environments become change requests that another person reviews. The{' '}
            <Link to="/o/$org/p/$project/settings/$section" params={{ org, project, section: 'approval' }}>
              settings of the project
            </Link>{' '}
            turn them on. <DocsLink page="guides/approvals.md">About approvals</DocsLink>
          </p>
        </Empty>
      ) : (
        settings && <Inbox org={org} project={project} />
      )}
      {settings?.enabled && <WaitingProjects org={org} title={ELSEWHERE} except={project} />}
    </Page>
  )
}

interface Props {
  readonly org: string
  readonly project: string
}

function Inbox({ org, project }: Props) {
  const { user } = useSession()
  const search = validateInboxSearch(useSearch({ strict: false }))
  const isWaiting = useIsWaiting(project)
  const waiting = useWaitingCount(project)
  const { status, reviewer, author } = search
  // Approved requests wait, too, if the project requires more approvals by now.
  const query = { perPage: 1000, ...(status && reviewer === undefined ? { status } : {}) }
  const request = { params: { project }, query }
  const requests = useRead('listChangeRequests', request)
  const ofProject = useProjectRequests(project, search)
  const isShown = (request: ListedChangeRequest) =>
    (reviewer === undefined || isWaiting(request)) && (author === undefined || request._createdBy === user.id)
  return (
    <>
      <div className={styles.filters}>
        <Views search={search} waiting={waiting} />
        {reviewer === undefined && <StatusFilter search={search} />}
      </div>
      <Loaded query={requests} title="The change requests could not be loaded">
        {(all) => {
          const rows = ofFeatures(all).filter(isShown).toSorted(byUrgency(user.id))
          if (rows.length + ofProject.length === 0) return <NoRequests search={search} />
          return rows.length > 0 && <RequestTable org={org} project={project} rows={rows} />
        }}
      </Loaded>
      {ofProject.length > 0 && <ProjectRequests org={org} project={project} rows={ofProject} />}
    </>
  )
}

const views: readonly { readonly title: string; readonly search: InboxSearch }[] = [
  { title: 'Waiting for you', search: { status: 'pending', reviewer: 'me' } },
  { title: 'Yours', search: { author: 'me' } },
  { title: 'All', search: {} }
]

function Views({ search, waiting }: { readonly search: InboxSearch; readonly waiting: number }) {
  return (
    <nav aria-label="Requests" className={styles.views}>
      {views.map((view) => (
        <Link
          key={view.title}
          to="."
          search={({ env }: { env?: string }) => ({ ...(env ? { env } : {}), ...view.search })}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{}}
          aria-current={
            view.search.reviewer === search.reviewer && view.search.author === search.author ? 'page' : undefined
          }
          className={styles.view}
        >
          {view.title}
          {view.search.reviewer && waiting > 0 && ` (${waiting})`}
        </Link>
      ))}
    </nav>
  )
}

function StatusFilter({ search }: { readonly search: InboxSearch }) {
  const navigate = useNavigate()
  return (
    <SelectField<RequestStatus | ''>
      label="Status"
      value={search.status ?? ''}
      onChange={(status) =>
        void navigate({
          to: '.',
          search: ({ env, author }: { env?: string; author?: 'me' }) => ({
            ...(env ? { env } : {}),
            ...(author ? { author } : {}),
            ...(status ? { status } : {})
          }),
          replace: true
        })
      }
      options={[
        { value: '', label: 'Any' },
        ...(Object.keys(requestStatusWords) as RequestStatus[]).map((value) => ({
          value,
          label: requestStatusWords[value]
        }))
      ]}
    />
  )
}

function NoRequests({ search: { reviewer, author, status } }: { readonly search: InboxSearch }) {
  if (reviewer) return <Empty title="Nothing needs your attention." />
  const words = [status && requestStatusWords[status], author && 'yours'].filter(Boolean)
  if (words.length > 0) return <Empty title={`No change request is ${words.join(' and ')}.`} />
  return (
    <Empty title="A change request proposes a change of a protected environment, for another person to review.">
      <p>
        Requests are made where a feature is changed: “Request change” takes the place of “Save” there.{' '}
        <DocsLink page="guides/approvals.md">About approvals</DocsLink>
      </p>
    </Empty>
  )
}

function RequestTable({ org, project, rows }: Props & { readonly rows: readonly ListedChangeRequest[] }) {
  const names = usePeopleNames()
  const context = useDiffContext(project)
  const shielded = new Set(
    useEnvironments(project)
      .data?.filter(isProtected)
      .map(({ name }) => name)
  )
  const environments = ({ changes }: ListedChangeRequest) => [
    ...new Set(changes.flatMap((change) => environmentsOf(change, context)))
  ]
  return (
    <Table
      label="Change requests"
      rows={rows}
      rowKey={({ _id }) => _id}
      columns={[
        {
          id: 'request',
          title: 'Request',
          cell: ({ _id, feature, description, changes }) => (
            <span className={styles.request}>
              <Link
                to="/o/$org/p/$project/features/$feature/change-requests/$request"
                params={{ org, project, feature: feature.key, request: _id }}
              >
                <bdi>{description || summarize(changes)}</bdi>
              </Link>
              <bdi className={styles.soft}>{feature.name}</bdi>
            </span>
          )
        },
        {
          id: 'environments',
          title: 'Changes',
          cell: (row) => (
            <span className={styles.badges}>
              {environments(row).length === 0
                ? 'all environments'
                : environments(row).map((name) => (
                    <Badge key={name} tone={shielded.has(name) ? 'protected' : 'off'}>
                      {name}
                    </Badge>
                  ))}
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
  )
}
