import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { HourBars } from '../../components/charts/HourBars.tsx'
import { Section } from '../../components/Page.tsx'
import { Loaded, Skeleton } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Home.module.css'

const numbers = new Intl.NumberFormat('en')

/** The evaluations of the chosen environment in 24 hours, by hour. */
export function Traffic({ org, project }: { readonly org: string; readonly project: string }) {
  const { environment } = useEnvironment(project)
  const query = useRead(
    'getProjectTotalEvaluations',
    { params: { project }, query: { environment: environment?._id ?? '', period: 'hour' } },
    { enabled: environment !== undefined }
  )
  const more = (
    <Link to="/o/$org/p/$project/analytics" params={{ org, project }}>
      Analytics
    </Link>
  )
  return (
    <Section isPanel title="Evaluations, last 24 hours" actions={more}>
      <Loaded query={query} title="The evaluations could not be loaded" skeleton={<Skeleton rows={2} height={64} />}>
        {({ result: { evaluations }, updatedAt }) => {
          const values = evaluations.map(({ value }) => value)
          const total = values.reduce((sum, value) => sum + value, 0)
          return (
            <>
              {total === 0 ? (
                <p className={styles.quiet}>
                  No evaluations in <bdi>{environment?.name}</bdi> in the last 24 hours.
                </p>
              ) : (
                <>
                  <p>
                    <span className={styles.total}>{numbers.format(total)}</span> in <bdi>{environment?.name}</bdi>
                  </p>
                  <HourBars
                    dates={evaluations.map(({ date }) => date)}
                    series={[{ key: 'all', color: 'var(--series-1)', values }]}
                    label={`${numbers.format(total)} evaluations in 24 hours, by hour`}
                  />
                </>
              )}
              <p className={styles.age}>
                as of <Time value={updatedAt} />
              </p>
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
