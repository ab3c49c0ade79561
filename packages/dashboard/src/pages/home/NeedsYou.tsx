import type { Project } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useWaitingCount } from '../../parts/feature/useWaitingReviews.ts'
import { Section } from '../../parts/Page.tsx'
import { ErrorBanner, Skeleton } from '../../parts/States.tsx'
import styles from './Home.module.css'

/** More than these are shown as "100+". */
const MAX = 100

/** Change requests that wait for the signed-in person, and stale features. */
export function NeedsYou({ org, project }: { readonly org: string; readonly project: Project }) {
  const waiting = useWaitingCount(project.key)
  const stale = useRead(
    'getStaleFeatures',
    { params: { key: project.key }, query: { perPage: MAX } },
    { enabled: project.settings.staleness.enabled }
  )
  const { error } = stale
  const params = { org, project: project.key }
  const rows = [
    {
      text: words(waiting, 'request to review', 'requests to review'),
      to: '/o/$org/p/$project/change-requests'
    } as const,
    { text: words(stale.data?.length, 'stale feature', 'stale features'), to: '/o/$org/p/$project/stale' } as const
  ].filter(({ text }) => text !== undefined)
  return (
    <Section isPanel title="Needs your attention">
      {error && <ErrorBanner error={error} title="The stale features could not be loaded" />}
      {stale.isLoading ? (
        <Skeleton rows={1} height={40} />
      ) : rows.length === 0 ? (
        !error && <p className={styles.quiet}>Nothing needs your attention.</p>
      ) : (
        <ul className={styles.rows}>
          {rows.map(({ text, to }) => (
            <li key={to}>
              <Link to={to} params={params}>
                {text}
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
