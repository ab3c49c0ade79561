import { approvalSettings } from '@burgee/contract/rules'
import type { Project, WaitingReviews } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { missingApprovals } from '../../components/feature/approvers.ts'
import { ofFeatures } from '../../components/feature/useApprovals.ts'
import { useWaitingReviews } from '../../components/feature/useWaitingReviews.ts'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner, Skeleton } from '../../components/States.tsx'
import styles from './Home.module.css'
import { stoppedRollouts } from './rollouts.ts'
import { useActiveFeatures } from './useActiveFeatures.ts'

/** More than these are shown as "100+". */
const MAX = 100

/**
 * Change requests that wait for the signed-in person, those of other projects too, the person's own that can be applied,
 * rollouts that the kill switch stopped, and stale features.
 */
export function NeedsAttention({ org, project }: { readonly org: string; readonly project: Project }) {
  const isOwn = (reviews: WaitingReviews) => reviews.project.key === project.key
  const waiting = useWaitingReviews().toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
  const stale = useRead(
    'getStaleFeatures',
    { params: { key: project.key }, query: { perPage: MAX } },
    { enabled: project.settings.staleness.enabled }
  )
  const { environment } = useEnvironment(project.key)
  const features = useActiveFeatures(project.key)
  const stopped = environment ? stoppedRollouts(features.data ?? [], environment._id, Date.now()) : []
  const applicable = useApplicableRequests(project)
  const { error } = stale
  const staleWords = words(stale.data?.length, 'stale feature', 'stale features')
  const rows = [
    ...waiting.map((reviews) => (
      <Link
        key={reviews.project.key}
        to="/o/$org/p/$project/change-requests"
        params={{ org, project: reviews.project.key }}
      >
        {words(reviews.count, 'request', 'requests')} to review
        {!isOwn(reviews) && (
          <>
            {' in '}
            <bdi>{reviews.project.name}</bdi>
          </>
        )}
      </Link>
    )),
    ...applicable.map(({ _id, description, feature }) => (
      <Link
        key={`approved ${_id}`}
        to="/o/$org/p/$project/features/$feature/change-requests/$request"
        params={{ org, project: project.key, feature: feature.key, request: _id }}
      >
        Your request for <bdi>{feature.name}</bdi> is approved: apply it
        {description && (
          <>
            {' ('}
            <bdi>{description}</bdi>)
          </>
        )}
      </Link>
    )),
    ...stopped.map(({ key, name }) => (
      <Link
        key={`stopped ${key}`}
        to="/o/$org/p/$project/features/$feature/manage-feature"
        params={{ org, project: project.key, feature: key }}
        search={environment ? { env: environment.key } : {}}
      >
        Rollout of <bdi>{name}</bdi> stopped: turned off in <bdi>{environment?.name}</bdi>
      </Link>
    )),
    ...(staleWords === undefined
      ? []
      : [
          <Link key="stale" to="/o/$org/p/$project/stale" params={{ org, project: project.key }}>
            {staleWords}
          </Link>
        ])
  ]
  return (
    <Section isPanel title="Needs your attention">
      {error && <ErrorBanner error={error} title="The stale features could not be loaded" />}
      {stale.isLoading ? (
        <Skeleton rows={1} height={40} />
      ) : rows.length === 0 ? (
        !error && <p className={styles.quiet}>Nothing needs your attention.</p>
      ) : (
        <ul className={styles.rows}>
          {rows.map((row) => (
            <li key={row.key}>{row}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** The person's own requests that are approved, but neither scheduled nor applied. */
function useApplicableRequests({ key, settings }: Project) {
  const { user } = useSession()
  const { enabled, requiredApprovals } = approvalSettings(settings.featureApprovalWorkflow)
  const request = { params: { project: key }, query: { status: 'approved', perPage: MAX } } as const
  return ofFeatures(useRead('listChangeRequests', request, { enabled }).data ?? []).filter(
    (one) => one._createdBy === user.id && one.applyAt === undefined && missingApprovals(one, requiredApprovals) === 0
  )
}

function words(count: number | undefined, one: string, many: string): string | undefined {
  if (!count) return undefined
  return `${count === MAX ? `${MAX}+` : count} ${count === 1 ? one : many}`
}
