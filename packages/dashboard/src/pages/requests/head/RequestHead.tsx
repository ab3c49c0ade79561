import { Link } from '@tanstack/react-router'
import { type PeopleNames, personName } from '../../../parts/Actor.tsx'
import { approversOf } from '../../../parts/feature/approvers.ts'
import { useApprovalSettings } from '../../../parts/feature/useApprovals.ts'
import { useWaitingCount } from '../../../parts/feature/useWaitingReviews.ts'
import { Banner } from '../../../parts/States.tsx'
import { formatMoment, Time } from '../../../parts/Time.tsx'
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

/** The way back, to the requests that wait for the person if any do, what a request is for, its status and its author, and what comes next. */
export function RequestHead({ org, project, feature, request, names }: HeadProps) {
  const { description, status, _createdBy, createdAt, assistant, _appliedEntry } = request
  const required = useApprovalSettings(project)?.requiredApprovals ?? 1
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
        <bdi>{description || 'Change request without a description'}</bdi>
      </h2>
      <p className={styles.facts}>
        <StatusBadge status={status} />
        <span>
          {assistant ? `Assistant (${assistant}) for ` : 'By '}
          <bdi>{personName(_createdBy, names)}</bdi>, <Time value={createdAt} />
        </span>
        {status === 'pending' && required > 1 && (
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
          Scheduled for {formatMoment(applyAt)} ({applyAt.slice(0, 16).replace('T', ' ')} UTC).
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
