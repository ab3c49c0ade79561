import { Link } from '@tanstack/react-router'
import { type PeopleNames, personName } from '../../../parts/Actor.tsx'
import { Banner } from '../../../parts/States.tsx'
import { formatMoment, Time } from '../../../parts/Time.tsx'
import styles from '../Requests.module.css'
import type { AnyRequest } from '../useRequestActions.ts'
import { StatusBadge } from './StatusBadge.tsx'

interface HeadProps {
  readonly org: string
  readonly project: string
  readonly request: AnyRequest
  readonly names: PeopleNames
}

/** The way back, what a request is for, its status and its author. */
export function RequestHead({ org, project, request, names }: HeadProps) {
  const { description, status, _createdBy, createdAt, assistant } = request
  return (
    <header className={styles.head}>
      <p className={styles.back}>
        <Link to="/o/$org/p/$project/change-requests" params={{ org, project }}>
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
      </p>
    </header>
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
