import type { Project, WaitingReviews } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { useWaitingReviews } from '../../parts/feature/useWaitingReviews.ts'
import { Section } from '../../parts/Page.tsx'
import { ErrorBanner, Skeleton } from '../../parts/States.tsx'
import styles from './Home.module.css'
import { stoppedRollouts } from './moving.ts'
import { useActiveFeatures } from './useActiveFeatures.ts'

/** More than these are shown as "100+". */
const MAX = 100

/**
 * Change requests that wait for the signed-in person, those of other projects too, rollouts that the kill switch stopped,
 * and stale features.
 */
export function NeedsYou({ org, project }: { readonly org: string; readonly project: Project }) {
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

function words(count: number | undefined, one: string, many: string): string | undefined {
  if (!count) return undefined
  return `${count === MAX ? `${MAX}+` : count} ${count === 1 ? one : many}`
}
