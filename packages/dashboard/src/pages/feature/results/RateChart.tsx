import type { Feature, MetricResult } from '@burgee/contract/schemas'
import { Suspense, useCallback, useMemo } from 'react'
import { LineLegend } from '../../../components/charts/LineLegend.tsx'
import { variationColors } from '../../../components/charts/series.ts'
import { Skeleton } from '../../../components/States.tsx'
import { Table } from '../../../components/Table.tsx'
import { lazyPart } from '../../../lazyPage.ts'
import { formatFigure } from './figures.ts'
import styles from './Results.module.css'

const TimeLine = lazyPart(() => import('../../../components/charts/TimeLine.tsx').then((module) => module.TimeLine))
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

interface Props {
  readonly result: MetricResult['result']
  readonly feature: Feature
  readonly name: string
}

/** The figure of each variation from the first day to the end of each day. */
export function RateChart({ result, feature, name }: Props) {
  const { variations, query } = result
  // The days before the first user have no figures.
  const dataSeries = useMemo(() => {
    const first = result.dataSeries.findIndex(({ values }) => Object.keys(values).length > 0)
    return first < 0 ? [] : result.dataSeries.slice(first)
  }, [result.dataSeries])
  const dates = useMemo(() => dataSeries.map(({ date }) => date), [dataSeries])
  const lines = useMemo(() => {
    const colors = variationColors(feature)
    return variations.map(({ key, name }) => ({
      key,
      name,
      color: colors.get(key) ?? 'var(--edge)',
      values: dataSeries.map(({ values }) => values[key] ?? null)
    }))
  }, [dataSeries, variations, feature])
  const format = useCallback((value: number) => formatFigure(value, query.dimension), [query.dimension])
  if (dates.length < 2 || lines.every(({ values }) => values.every((value) => !value))) return null
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.note}>Cumulative, from the first day of the range</figcaption>
      <LineLegend lines={lines} />
      <Suspense fallback={<Skeleton rows={1} height={296} />}>
        <TimeLine
          dates={dates}
          lines={lines}
          label={`${name} of each variation by day; the numbers are below`}
          format={format}
          isByDay
        />
      </Suspense>
      <details className={styles.details}>
        <summary>Numbers by day</summary>
        <Table
          label={`${name} by day`}
          rows={dataSeries.toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { id: 'day', title: 'Day', cell: ({ date }) => day.format(new Date(date)) },
            ...variations.map(({ key, name }) => ({
              id: key,
              title: name,
              align: 'end' as const,
              cell: ({ values }: (typeof dataSeries)[number]) => {
                const value = values[key]
                return value === undefined ? '–' : format(value)
              }
            }))
          ]}
        />
      </details>
    </figure>
  )
}
