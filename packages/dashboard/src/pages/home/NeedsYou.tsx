import type { Project, WaitingReviews } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useWaitingReviews } from '../../parts/feature/useWaitingReviews.ts'
import { Section } from '../../parts/Page.tsx'
import { ErrorBanner, Skeleton } from '../../parts/States.tsx'
import styles from './Home.module.css'

/** More than these are shown as "100+". */
const MAX = 100

/** Change requests that wait for the signed-in person, those of other projects too, and stale features. */
export function NeedsYou({ org, project }: { readonly org: string; readonly project: Project }) {
  const isOwn = (reviews: WaitingReviews) => reviews.project.key === project.key
  const waiting = useWaitingReviews().toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
  const stale = useRead(
    'getStaleFeatures',
    { params: { key: project.key }, query: { perPage: MAX } },
    { enabled: project.settings.staleness.enabled }
  )
  const { error } = stale
  const staleWords = words(stale.data?.length, 'stale feature', 'stale features')
  const rows = [
    ...waiting.map((reviews) => ({
      text: `${words(reviews.count, 'request', 'requests')} to review${isOwn(reviews) ? '' : ` in ${reviews.project.name}`}`,
      to: '/o/$org/p/$project/change-requests' as const,
      project: reviews.project.key
    })),
    ...(staleWords === undefined
      ? []
      : [{ text: staleWords, to: '/o/$org/p/$project/stale' as const, project: project.key }])
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
            <li key={`${row.to} ${row.project}`}>
              <Link to={row.to} params={{ org, project: row.project }}>
                <bdi>{row.text}</bdi>
              </Link>
            </li>
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
