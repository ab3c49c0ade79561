import type { Feature, MetricResult } from '@burgee/contract/schemas'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Badge } from '../../../components/Badge.tsx'
import { IntervalPlot, scaleOf } from '../../../components/charts/IntervalPlot.tsx'
import { LineSample } from '../../../components/charts/LineLegend.tsx'
import { variationColors } from '../../../components/charts/series.ts'
import { dimensionWords } from '../../../components/metrics/metricWords.ts'
import { Table } from '../../../components/Table.tsx'
import { decisionTones } from './decision/DecisionSection.tsx'
import { decisionTitles } from './decision/decisionWords.ts'
import { formatChange, formatCount, formatDifference, formatFigure, formatInterval, formatP } from './figures.ts'
import { MoreFigures } from './MoreFigures.tsx'
import styles from './Results.module.css'

type Result = MetricResult['result']
type Row = Result['variations'][number]

/** The variations of a metric, each with its figure and its difference from the control. */
export function Comparison({ result, feature }: { readonly result: Result; readonly feature: Feature }) {
  const { variations, control = '', comparisons, query } = result
  const words = dimensionWords[query.dimension]
  const colors = variationColors(feature)
  const scale = scaleOf(variations.map((row) => row.relativeSequentialConfidenceInterval))
  const corrected = comparisons > 1
  if (variations.every(({ denominator }) => denominator === 0)) return <p>{nobody(query.dimension)}</p>
  return (
    <>
      <Table
        label={`Variations by ${words.figure.toLowerCase()}`}
        rows={variations}
        rowKey={({ key }) => key}
        columns={[
          {
            id: 'variation',
            title: 'Variation',
            cell: ({ key, name }) => (
              <span className={styles.variation}>
                <LineSample
                  color={colors.get(key) ?? 'var(--edge)'}
                  index={variations.findIndex((one) => one.key === key)}
                />
                <bdi>{name}</bdi>
                {key === control && <Badge tone="off">control</Badge>}
              </span>
            )
          },
          { id: 'denominator', title: words.denominator, align: 'end', cell: (row) => formatCount(row.denominator) },
          { id: 'numerator', title: words.numerator, align: 'end', cell: (row) => formatCount(row.numerator) },
          {
            id: 'figure',
            title: words.figure,
            align: 'end',
            cell: (row) => (row.denominator === 0 ? '–' : <strong>{formatFigure(row.rate, query.dimension)}</strong>)
          },
          {
            id: 'change',
            title: 'Change from control',
            cell: (row) => (row.key === control ? '–' : <Change row={row} result={result} scale={scale} />)
          },
          {
            id: 'sequential',
            title: 'p-value',
            align: 'end',
            cell: (row) => (
              <Sequential
                value={corrected ? row.adjustedSequentialPValue : row.sequentialPValue}
                isDecided={row.decision === 'better' || row.decision === 'worse'}
              />
            )
          },
          {
            id: 'decision',
            title: 'Decision',
            cell: ({ decision }) =>
              decision ? <Badge tone={decisionTones[decision]}>{decisionTitles[decision]}</Badge> : '–'
          }
        ]}
      />
      <Reasons rows={variations} />
      <MoreFigures result={result} />
    </>
  )
}

/** The text in place of a table of zeros. */
function nobody(dimension: Result['query']['dimension']): string {
  const { denominator } = dimensionWords[dimension]
  return denominator === 'Users' ? 'No user got a variation in this range.' : `${denominator} in this range: none.`
}

/** The difference from the control: a sign, and its sequential interval as a picture and in words. */
function Change({
  row,
  result,
  scale
}: {
  readonly row: Row
  readonly result: Result
  readonly scale: ReturnType<typeof scaleOf>
}) {
  const { percentDifference: change, decision } = row
  const { relativeSequentialConfidenceInterval: relative, sequentialConfidenceInterval: absolute } = row
  if (change === null && absolute === null) return <span className={styles.quiet}>not known yet</span>
  const words = [
    change === null ? 'no relative difference' : formatChange(change),
    relative ? `95% interval ${formatInterval(relative)}` : ''
  ].filter(Boolean)
  const isBetter = change !== null && change > 0 === (result.query.optimize === 'increase')
  return (
    <span className={styles.change}>
      {change !== null && (
        <span className={styles.changeValue}>
          {change > 0 && <ArrowUp size={14} aria-label="up" />}
          {change < 0 && <ArrowDown size={14} aria-label="down" />}
          <strong>{formatChange(change)}</strong>
          {change !== 0 && <span className={styles.quiet}>{isBetter ? 'improvement' : 'regression'}</span>}
        </span>
      )}
      {relative && (
        <IntervalPlot
          scale={scale}
          estimate={change}
          interval={relative}
          isDecided={decision === 'better' || decision === 'worse'}
          label={words.join('; ')}
        />
      )}
      <span className={styles.quiet}>
        {relative
          ? `95% interval ${formatInterval(relative)}`
          : absolute && `95% interval of the difference ${formatDifference(absolute, result.query.dimension)}`}
      </span>
    </span>
  )
}

function Sequential({ value, isDecided }: { readonly value: number | null; readonly isDecided: boolean }) {
  if (value === null) return '–'
  return (
    <span className={styles.stacked}>
      <strong>{formatP(value)}</strong>
      {isDecided && <span className={styles.quiet}>significant</span>}
    </span>
  )
}

/** Why figures are missing or not valid, each sentence once. */
function Reasons({ rows }: { readonly rows: readonly Row[] }) {
  const sentences = new Map<string, readonly string[]>()
  for (const { name, reason, warning } of rows) {
    for (const text of [reason, warning]) {
      if (text !== undefined) sentences.set(text, [...(sentences.get(text) ?? []), name])
    }
  }
  return [...sentences].map(([text, names]) => (
    <p key={text}>
      <bdi>{names.join(', ')}</bdi>: {text}.
    </p>
  ))
}
