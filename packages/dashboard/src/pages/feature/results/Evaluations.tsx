import type { Environment, Feature, FeatureEvaluations } from '@burgee/contract/schemas'
import { Suspense, useMemo } from 'react'
import { useRead } from '../../../api/query.ts'
import { LineLegend } from '../../../components/charts/LineLegend.tsx'
import { seriesOf } from '../../../components/charts/series.ts'
import { Section } from '../../../components/Page.tsx'
import { Loaded, Skeleton } from '../../../components/States.tsx'
import { lazyPart } from '../../../lazyPage.ts'
import { formatCount } from './figures.ts'
import styles from './Results.module.css'
import type { Range } from './selection/range.ts'

const TimeLine = lazyPart(() => import('../../../components/charts/TimeLine.tsx').then((module) => module.TimeLine))

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly environment: Environment
  readonly range: NonNullable<Range['query']>
}

/** How often each variation was served in the range, by day. */
export function Evaluations({ project, feature, environment, range }: Props) {
  const evaluations = useRead('getFeatureTotalEvaluations', {
    params: { project, feature: feature.key },
    query: {
      environment: environment.key,
      period: 'day',
      startDate: Date.parse(range.startDate),
      // The end is a whole hour that would count with it.
      endDate: Date.parse(range.endDate) - 1
    }
  })
  return (
    <Section title="Evaluations">
      <Loaded query={evaluations} title="The evaluations could not be loaded">
        {({ result }) => <Chart rows={result.evaluations} feature={feature} environment={environment.name} />}
      </Loaded>
    </Section>
  )
}

interface ChartProps {
  readonly rows: FeatureEvaluations['result']['evaluations']
  readonly feature: Feature
  readonly environment: string
}

function Chart({ rows, feature, environment }: ChartProps) {
  const dates = useMemo(() => rows.map(({ date }) => date), [rows])
  const series = useMemo(() => seriesOf(rows, feature), [rows, feature])
  const total = series.reduce((sum, one) => sum + one.total, 0)
  if (total === 0) {
    return (
      <p>
        No evaluations in <bdi>{environment}</bdi> in this range.
      </p>
    )
  }
  const named = series.map((one) => ({ ...one, name: `${one.name}: ${formatCount(one.total)}` }))
  return (
    <figure className={styles.figure}>
      <LineLegend lines={named} />
      {dates.length > 1 && (
        <Suspense fallback={<Skeleton rows={1} height={296} />}>
          <TimeLine
            dates={dates}
            lines={series}
            label="Evaluations of each variation by day; totals are above"
            isByDay
          />
        </Suspense>
      )}
    </figure>
  )
}
