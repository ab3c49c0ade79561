import type { Feature, FeatureEvaluations } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/query.ts'
import { useEnvironment } from '../../../api/useEnvironment.ts'
import { HourBars } from '../../../components/charts/HourBars.tsx'
import { type Series, seriesOf } from '../../../components/charts/series.ts'
import { Section } from '../../../components/Page.tsx'
import { Loaded, Skeleton } from '../../../components/States.tsx'
import { Time } from '../../../components/Time.tsx'
import { useFeatureParams } from '../useFeature.ts'
import styles from './Overview.module.css'

/** The polling interval in milliseconds, until there is a first evaluation. */
const POLL_MS = 4000

const numbers = new Intl.NumberFormat('en')
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** The evaluations of a feature in the chosen environment in the last 24 hours, by variation. */
export function RecentEvaluations({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const { org } = useFeatureParams()
  const { environment } = useEnvironment(project)
  const query = useRead(
    'getFeatureTotalEvaluations',
    { params: { project, feature: feature.key }, query: { environment: environment?._id ?? '', period: 'hour' } },
    { enabled: environment !== undefined, refetchInterval: (data) => isUnused(data) && POLL_MS }
  )
  const results = (
    <Link to="/o/$org/p/$project/features/$feature/analytics" params={{ org, project, feature: feature.key }}>
      Results
    </Link>
  )
  return (
    <Section isPanel title="Evaluations, last 24 hours" actions={results}>
      <Loaded query={query} title="The evaluations could not be loaded" skeleton={<Skeleton rows={2} height={80} />}>
        {({ result, updatedAt }) => {
          const series = seriesOf(result.evaluations, feature)
          const total = series.reduce((sum, one) => sum + one.total, 0)
          return (
            <div className={styles.evaluations}>
              {total === 0 ? (
                <p className={styles.quiet}>
                  No application in <bdi>{environment?.name}</bdi> has evaluated it in the last 24 hours.
                </p>
              ) : (
                <>
                  <p>
                    <span className={styles.total}>{numbers.format(total)}</span> in <bdi>{environment?.name}</bdi>
                  </p>
                  <HourBars
                    dates={result.evaluations.map(({ date }) => date)}
                    series={series}
                    label={`${numbers.format(total)} evaluations in 24 hours, by hour`}
                  />
                  <Legend series={series} total={total} />
                </>
              )}
              <p className={styles.age}>
                as of <Time value={updatedAt} />
              </p>
            </div>
          )
        }}
      </Loaded>
    </Section>
  )
}

function isUnused(evaluations: FeatureEvaluations | undefined): boolean {
  return (
    evaluations?.result.evaluations.every(({ values }) => Object.values(values).every((count) => count === 0)) ?? false
  )
}

function Legend({ series, total }: { readonly series: readonly Series[]; readonly total: number }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ key, name, color, total: count }) => (
        <li key={key}>
          <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
          <bdi className={styles.legendName}>{name}</bdi>
          <span className={styles.legendShare}>{percent.format(count / total)}</span>
          <span className={styles.legendCount}>{numbers.format(count)}</span>
        </li>
      ))}
    </ul>
  )
}
