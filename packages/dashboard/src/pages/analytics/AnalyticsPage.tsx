import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/Copy.tsx'
import { SelectField } from '../../components/Field.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { lazyPart } from '../../lazyPage.ts'
import styles from './Analytics.module.css'
import { periodFormat, type Row, toCsv } from './rows.ts'
import { type AnalyticsSearch, readAnalyticsSearch } from './search.ts'

const TimeLine = lazyPart(() => import('../../components/charts/TimeLine.tsx').then((module) => module.TimeLine))
const numbers = new Intl.NumberFormat('en')

/** How much is evaluated in a project, over time. */
export function AnalyticsPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const { environment } = useEnvironment(project)
  const { period = 'hour', sdk, count = 'evaluations' } = readAnalyticsSearch(useSearch({ strict: false }))
  const query = useRead(
    count === 'users' ? 'getProjectEvaluations' : 'getProjectTotalEvaluations',
    { params: { project }, query: { environment: environment?._id ?? '', period, ...(sdk ? { sdkType: sdk } : {}) } },
    { enabled: environment !== undefined }
  )
  return (
    <Page title="Analytics">
      <Choices search={{ period, count, ...(sdk ? { sdk } : {}) }} />
      <Loaded query={query} title="The counts could not be loaded" skeleton={<Skeleton rows={2} height={240} />}>
        {({ result: { evaluations: rows }, updatedAt }) => (
          <>
            <p className={styles.sum}>
              {count === 'evaluations' && (
                <>
                  <strong className={styles.total}>
                    {numbers.format(rows.reduce((sum, { value }) => sum + value, 0))}
                  </strong>{' '}
                  evaluations
                </>
              )}
              {count === 'users' && 'Distinct users per period; large numbers are estimates'}
              {' in '}
              <bdi>{environment?.name}</bdi>
              <span className={styles.age}>
                {' · as of '}
                <Time value={updatedAt} />
              </span>{' '}
              <Button kind="quiet" onClick={() => void query.refetch()} isBusy={query.isFetching}>
                Refresh
              </Button>
            </p>
            {rows.every(({ value }) => value === 0) ? (
              <Empty title={`No evaluations in ${environment?.name ?? 'this environment'} in this period.`}>
                <p>
                  Counts appear when applications evaluate features with the keys of this environment.{' '}
                  <Link to="/o/$org/p/$project/start" params={{ org, project }}>
                    Connect an application
                  </Link>
                </p>
              </Empty>
            ) : (
              <>
                <Suspense fallback={<Skeleton rows={1} height={296} />}>
                  {/* The current period is incomplete, and would look like a drop. */}
                  <Chart rows={rows.slice(0, -1)} label={`${count} by ${period}; the table below has the numbers`} />
                </Suspense>
                <Rows rows={rows} period={period} count={count} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The counts as a line. */
function Chart({ rows, label }: { readonly rows: readonly Row[]; readonly label: string }) {
  const dates = useMemo(() => rows.map(({ date }) => date), [rows])
  const lines = useMemo(() => [{ color: 'var(--series-1)', values: rows.map(({ value }) => value) }], [rows])
  return <TimeLine dates={dates} lines={lines} label={label} />
}

type Chosen = Required<Pick<AnalyticsSearch, 'period' | 'count'>>

/** What is counted; the address keeps it. */
function Choices({ search }: { readonly search: AnalyticsSearch & Chosen }) {
  const navigate = useNavigate()
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...change }), replace: true })
  return (
    <div className={styles.choices}>
      <SelectField
        label="Count"
        value={search.count}
        onChange={(count) => set({ count })}
        options={[
          { value: 'evaluations', label: 'Evaluations' },
          { value: 'users', label: 'Distinct users' }
        ]}
      />
      <SelectField
        label="Period"
        value={search.period}
        onChange={(period) => set({ period })}
        options={[
          { value: 'hour', label: '24 hours, by hour' },
          { value: 'day', label: '30 days, by day' },
          { value: 'month', label: '12 months, by month' }
        ]}
      />
      <SelectField
        label="Source"
        value={search.sdk ?? 'all'}
        onChange={(sdk) => set({ sdk: sdk === 'all' ? undefined : sdk })}
        options={[
          { value: 'all', label: 'All' },
          { value: 'server', label: 'Server SDKs' },
          { value: 'client', label: 'Client SDKs' },
          { value: 'mobile', label: 'Mobile SDKs' },
          { value: 'api', label: 'Requests to this server' }
        ]}
      />
    </div>
  )
}

/** The numbers of the chart, the latest first. */
function Rows({ rows, period, count }: { readonly rows: readonly Row[] } & Chosen) {
  const format = periodFormat(period)
  return (
    <section className={styles.table}>
      <div className={styles.tableHead}>
        <h2>Numbers</h2>
        <span className={styles.copy}>
          CSV <CopyButton text={toCsv(rows, count)} label="Copy as CSV" />
        </span>
      </div>
      <Table
        isDense
        label={`${count} by ${period}`}
        rows={rows.toReversed()}
        rowKey={({ date }) => date}
        columns={[
          {
            id: 'period',
            title: 'Start of the period',
            cell: ({ date }) => `${format(date)}${date === rows.at(-1)?.date ? ', so far' : ''}`
          },
          {
            id: 'value',
            title: count === 'users' ? 'Users' : 'Evaluations',
            align: 'end',
            cell: ({ value }) => numbers.format(value)
          }
        ]}
      />
    </section>
  )
}
