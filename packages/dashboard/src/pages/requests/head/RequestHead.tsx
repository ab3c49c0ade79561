import { approversOf } from '@burgee/contract/rules'
import { Link } from '@tanstack/react-router'
import { type PeopleNames, personName } from '../../../components/Actor.tsx'
import { summarize } from '../../../components/diff/changeWords.ts'
import { isInReview } from '../../../components/feature/approvers.ts'
import { useRequiredApprovals } from '../../../components/feature/useApprovals.ts'
import { useWaitingCount } from '../../../components/feature/useWaitingReviews.ts'
import { Banner } from '../../../components/States.tsx'
import { formatMoment, Time } from '../../../components/Time.tsx'
import styles from '../Requests.module.css'
import type { AnyRequest } from '../useRequestActions.ts'
import { StatusBadge } from './StatusBadge.tsx'

interface HeadProps {
  readonly org: string
  readonly project: string
  /** Absent for a request of the project itself. */
  readonly feature?: string
  readonly request: AnyRequest
  readonly names: PeopleNames
}

/** The heading of a request: a link back to the list, its purpose, status and author, and the next step. */
export function RequestHead({ org, project, feature, request, names }: HeadProps) {
  const { description, status, _createdBy, createdAt, assistant, _appliedEntry } = request
  const required = useRequiredApprovals(project)
  const isAnyWaiting = useWaitingCount(project) > 0
  return (
    <header className={styles.head}>
      <p className={styles.back}>
        <Link
          to="/o/$org/p/$project/change-requests"
          params={{ org, project }}
          search={(isAnyWaiting ? { status: 'pending', reviewer: 'me' } : {}) as never}
        >
          ← Change requests
        </Link>
      </p>
      <h2 className={styles.description}>
        <bdi>{description || summarize(request.changes)}</bdi>
      </h2>
      <p className={styles.facts}>
        <StatusBadge project={project} request={request} />
        <span>
          {assistant ? `Assistant (${assistant}) for ` : 'By '}
          <bdi>{personName(_createdBy, names)}</bdi>, <Time value={createdAt} />
        </span>
        {isInReview(request, required) && required > 1 && (
          <span className={styles.soft}>
            {approversOf(request).size} of {required} approvals
          </span>
        )}
        {status === 'applied' && <Applied request={request} names={names} />}
        {status === 'applied' && feature !== undefined && _appliedEntry !== undefined && (
          <Link
            to="/o/$org/p/$project/features/$feature/audit-log"
            params={{ org, project, feature }}
            search={{ entry: _appliedEntry } as never}
          >
            See it in the history
          </Link>
        )}
        {status === 'rejected' && feature !== undefined && (
          <Link to="/o/$org/p/$project/features/$feature/manage-feature" params={{ org, project, feature }}>
            Request another change
          </Link>
        )}
      </p>
    </header>
  )
}

/** Who applied a request, and when. An emergency can be reviewed afterwards, which updates the request. */
function Applied({ request, names }: Pick<HeadProps, 'request' | 'names'>) {
  const { emergency, updatedAt, _updatedBy, _createdBy } = request
  return (
    <span>
      Applied by <bdi>{personName(emergency?.idp_user ?? _updatedBy ?? _createdBy, names)}</bdi>,{' '}
      <Time value={emergency?.at ?? updatedAt} />
    </span>
  )
}

/** What else there is to know: when it is applied, why that failed, and that it skipped approval. */
export function RequestNotes({ request, names }: { readonly request: AnyRequest; readonly names: PeopleNames }) {
  const { applyAt, scheduleFailure, emergency, status } = request
  return (
    <>
      {applyAt !== undefined && status === 'approved' && (
        <Banner tone="brand">
          The server applies it on {formatMoment(applyAt)} ({applyAt.slice(0, 16).replace('T', ' ')} UTC).
        </Banner>
      )}
      {scheduleFailure !== undefined && (
        <Banner tone="danger">The scheduled application failed: {scheduleFailure}</Banner>
      )}
      {emergency && (
        <Banner tone="danger">
          Applied in an emergency by {personName(emergency.idp_user, names)}: {emergency.reason}
        </Banner>
      )}
    </>
  )
}
