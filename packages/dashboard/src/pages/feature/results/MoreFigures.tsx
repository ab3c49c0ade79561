import type { MetricResult } from '@burgee/contract/schemas'
import { Table } from '../../../components/Table.tsx'
import { formatCount, formatInterval, formatP, formatPercent } from './figures.ts'
import styles from './Results.module.css'

type Row = MetricResult['result']['variations'][number]

const tests = { zTest: 'z-test', fisherExactTest: 'Fisher’s exact test', welchTest: 'Welch’s test' } as const

const orDash = <T,>(value: T | null | undefined, format: (value: T) => string): string =>
  value === null || value === undefined ? '–' : format(value)

/** Details that few readers need: figures for a fixed horizon, uncorrected p-values, and how many users it takes. */
export function MoreFigures({ result }: { readonly result: MetricResult['result'] }) {
  const variations = result.variations.filter(({ key }) => key !== result.control)
  return (
    <details className={styles.details}>
      <summary>Detailed statistics and sample sizes</summary>
      <Table
        label="Detailed statistics"
        rows={figuresOf(result)}
        rowKey={({ title }) => title}
        columns={[
          { id: 'title', title: 'Figure', cell: ({ title }) => title },
          ...variations.map((variation) => ({
            id: variation.key,
            title: variation.name,
            align: 'end' as const,
            cell: ({ of }: Figure) => of(variation)
          }))
        ]}
      />
      <p className={styles.note}>
        Numbers of users include the variation and the control, for a power of 80% at the present split.
      </p>
    </details>
  )
}

interface Figure {
  readonly title: string
  readonly of: (variation: Row) => string
}

function figuresOf({ comparisons, variations, query }: MetricResult['result']): readonly Figure[] {
  const effect = formatPercent(query.effect)
  return [
    {
      title: '95% interval, fixed horizon',
      of: (row) => orDash(row.relativeConfidenceInterval, formatInterval)
    },
    {
      title: 'p-value, fixed horizon',
      of: (row) => orDash(comparisons > 1 ? row.adjustedPValue : row.pValue, formatP)
    },
    { title: 'Chance to beat control, fixed horizon', of: (row) => orDash(row.chanceToBeatControl, formatPercent) },
    ...(comparisons > 1
      ? [
          { title: 'p-value, fixed horizon, not corrected', of: (row: Row) => orDash(row.pValue, formatP) },
          { title: 'p-value, sequential, not corrected', of: (row: Row) => orDash(row.sequentialPValue, formatP) }
        ]
      : []),
    ...(variations.some(({ stdev }) => stdev !== undefined)
      ? [{ title: 'Standard deviation', of: (row: Row) => orDash(row.stdev, formatCount) }]
      : []),
    { title: 'Test', of: ({ test }) => orDash(test, (name) => tests[name]) },
    {
      title: `Power to detect ${effect} with the users so far`,
      of: ({ power }) => orDash(power?.power, formatPercent)
    },
    { title: `Users needed to detect ${effect}, fixed horizon`, of: ({ power }) => orDash(power?.users, formatCount) },
    {
      title: `Users needed to detect ${effect}, sequential`,
      of: ({ power }) => orDash(power?.sequentialUsers, formatCount)
    },
    {
      title: 'Minimum detectable effect with the users so far',
      of: ({ power }) => orDash(power?.minimumDetectableRelativeEffect, formatPercent)
    }
  ]
}
