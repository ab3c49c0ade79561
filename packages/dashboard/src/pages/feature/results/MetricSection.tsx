import type { Feature, Metric, MetricResult } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../../components/Button.tsx'
import { describeMetric } from '../../../components/metrics/metricWords.ts'
import { Section } from '../../../components/Page.tsx'
import { useFeatureParams } from '../useFeature.ts'
import { Comparison } from './Comparison.tsx'
import { RateChart } from './RateChart.tsx'
import styles from './Results.module.css'
import { useRemoveMetric } from './useMetricAssociation.ts'

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly metric: Metric
  /** Gets what shows a result. */
  readonly children: (show: (result: MetricResult['result']) => ReactNode) => ReactNode
}

/** One metric: what it measures, the comparison of the variations, and their figures over time. */
export function MetricSection({ project, feature, metric, children }: Props) {
  const { org } = useFeatureParams()
  const { remove, reason, isBusy } = useRemoveMetric(project, feature, metric)
  return (
    <Section
      title={metric.name}
      actions={
        <Button kind="quiet" onClick={() => void remove()} reason={reason} isBusy={isBusy}>
          Remove from this feature
        </Button>
      }
    >
      <p className={styles.note}>
        {describeMetric(metric)}.{' '}
        <Link to="/o/$org/p/$project/metrics/$metric" params={{ org, project, metric: metric.key }}>
          About this metric
        </Link>
      </p>
      {children((result) => (
        <>
          <Comparison result={result} feature={feature} />
          <RateChart result={result} feature={feature} name={metric.name} />
        </>
      ))}
    </Section>
  )
}
