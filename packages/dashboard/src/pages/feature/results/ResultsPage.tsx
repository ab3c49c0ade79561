import type { Feature, Metric, MetricAssociation } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { useEnvironment } from '../../../api/useEnvironment.ts'
import { Button } from '../../../components/Button.tsx'
import { Banner, Empty, Loaded } from '../../../components/States.tsx'
import { useFeature, useFeatureParams } from '../useFeature.ts'
import { AddMetricButton } from './AddMetric.tsx'
import { Evaluations } from './Evaluations.tsx'
import { MetricResults } from './MetricResults.tsx'
import styles from './Results.module.css'
import { ResultsControls } from './selection/ResultsControls.tsx'
import { type Range, rangeOf } from './selection/range.ts'
import type { ResultsSearch } from './selection/resultsSearch.ts'
import { useResultsSearch } from './selection/useResultsSearch.ts'

/** What the variations of a feature do to its metrics, and what can be decided from that. */
export function ResultsPage() {
  const { project } = useFeatureParams()
  const { data: feature } = useFeature()
  const { search } = useResultsSearch()
  const { environment } = useEnvironment(project)
  const [now] = useState(() => Date.now())
  const associations = useRead(
    'listMetricAssociations',
    { params: { project }, query: { feature: feature?._id ?? '' } },
    { enabled: feature !== undefined }
  )
  if (!feature) return null
  const range = rangeOf(search, feature.createdAt, now)
  return (
    <div className={styles.page}>
      <StatusBanner feature={feature} />
      <ResultsControls
        project={project}
        feature={feature}
        search={search}
        range={range}
        now={now}
        metrics={metricsOf(associations.data ?? [])}
      />
      <Loaded query={associations} title="The metrics could not be loaded">
        {(list) => <Metrics feature={feature} metrics={metricsOf(list)} search={search} range={range} />}
      </Loaded>
      {environment && range.query && (
        <Evaluations project={project} feature={feature} environment={environment} range={range.query} />
      )}
    </div>
  )
}

/** The metrics of associations, the first added first: the API lists the last one first. */
function metricsOf(associations: readonly MetricAssociation[]): readonly Metric[] {
  return associations.toReversed().map(({ metric }) => metric)
}

/** What the status of the feature means for the figures. */
function StatusBanner({ feature: { status, staticVariation, variations } }: { readonly feature: Feature }) {
  if (status === 'active') return null
  const served = variations.find(({ key }) => key === staticVariation)?.name
  return (
    <Banner>
      <span>
        {status === 'complete' ? (
          <>
            This feature is complete: everyone gets <bdi>{served ?? 'one variation'}</bdi>, and users are no longer
            split. Earlier results are kept.
          </>
        ) : (
          'This feature is archived and not served to anyone. Earlier results are kept.'
        )}
      </span>
    </Banner>
  )
}

interface Props {
  readonly feature: Feature
  readonly metrics: readonly Metric[]
  readonly search: ResultsSearch
  readonly range: Range
}

/** The chosen metrics with their results, or why there are none. */
function Metrics({ feature, metrics, search, range }: Props) {
  const { project } = useFeatureParams()
  const { environment, environments } = useEnvironment(project)
  const { setSearch } = useResultsSearch()
  if (metrics.length === 0) {
    return (
      <Empty
        title="A metric defines success, such as the share of users who purchase."
        action={<AddMetricButton project={project} feature={feature} metrics={metrics} kind="primary" />}
      >
        <p>
          Applications report events with <code>track</code>. A metric counts those of the users who got a variation,
          and compares the variations by them.
        </p>
      </Empty>
    )
  }
  const shown = search.metric === undefined ? metrics : metrics.filter(({ key }) => key === search.metric)
  if (shown.length === 0) {
    return (
      <Empty
        title={`This feature has no metric “${search.metric}”.`}
        action={<Button onClick={() => setSearch({ metric: undefined })}>Show all metrics</Button>}
      />
    )
  }
  if (feature.variations.length < 2) {
    return <Empty title="There is nothing to compare: the feature has a single variation." />
  }
  if (!environment) {
    return environments.length === 0 ? null : (
      <Empty title="Choose an environment. Each environment has its own results." />
    )
  }
  if (!range.query) return null
  const { control, sdk, platform, audience, effect } = search
  return (
    <MetricResults
      project={project}
      feature={feature}
      environment={environment}
      all={metrics}
      metrics={shown}
      selection={{
        feature: feature.key,
        environment: environment.key,
        ...range.query,
        ...(control !== undefined && control !== feature.controlVariation ? { control } : {}),
        ...(sdk ? { sdkType: sdk } : {}),
        ...(platform === undefined ? {} : { platform }),
        ...(audience === undefined ? {} : { audience }),
        ...(effect === undefined ? {} : { effect: effect / 100 })
      }}
    />
  )
}
