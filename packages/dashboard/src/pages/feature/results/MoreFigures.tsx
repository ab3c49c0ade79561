import type { MetricResult } from '@burgee/contract/schemas'
import { Table } from '../../../parts/Table.tsx'
import { formatChange, formatCount, formatInterval, formatP, formatShare } from './figures.ts'
import styles from './Results.module.css'

type Row = MetricResult['result']['variations'][number]

const tests = { zTest: 'z-test', fisherExactTest: 'Fisher’s exact test', welchTest: 'Welch’s test' } as const

const orDash = <T,>(value: T | null | undefined, format: (value: T) => string): string =>
  value === null || value === undefined ? '–' : format(value)

/** What few readers need: the other intervals, uncorrected p-values, and how many users it takes. */
export function MoreFigures({ result }: { readonly result: MetricResult['result'] }) {
  const rows = result.variations.filter(({ key }) => key !== result.control)
  const effect = formatShare(result.query.effect)
  const hasValues = rows.some(({ stdev }) => stdev !== undefined)
  const column = (id: string, title: string, cell: (row: Row) => string) => ({ id, title, align: 'end' as const, cell })
  return (
    <details className={styles.details}>
      <summary>More figures, and how many users it takes</summary>
      <Table
        label="More figures"
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { id: 'variation', title: 'Variation', cell: ({ name }) => <bdi>{name}</bdi> },
          column('interval', 'Interval, any number of looks', (row) =>
            orDash(row.relativeSequentialConfidenceInterval, formatInterval)
          ),
          column('chance', 'Chance to be better', (row) => orDash(row.chanceToBeatControl, formatShare)),
          ...(result.comparisons > 1
            ? [
                column('raw', 'p uncorrected', (row) => orDash(row.pValue, formatP)),
                column('rawSequential', 'always valid', (row) => orDash(row.sequentialPValue, formatP))
              ]
            : []),
          ...(hasValues ? [column('stdev', 'Standard deviation', (row) => orDash(row.stdev, formatCount))] : []),
          column('test', 'Test', ({ test }) => orDash(test, (name) => tests[name])),
          column('power', `Power for ${effect}`, ({ power }) => orDash(power?.power, formatShare)),
          column('users', `Users for ${effect}, one look`, ({ power }) => orDash(power?.users, formatCount)),
          column('sequentialUsers', 'always valid', ({ power }) => orDash(power?.sequentialUsers, formatCount)),
          column('minimum', 'Smallest difference found', ({ power }) =>
            orDash(power?.minimumDetectableRelativeEffect, formatChange)
          )
        ]}
      />
      <p className={styles.note}>
        Users are those of both variations together, for a power of 80% at the split so far. The smallest difference is
        the one that 80% of experiments with the users so far find.
      </p>
    </details>
  )
}
