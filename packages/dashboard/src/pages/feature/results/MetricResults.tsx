import { ApiError } from '@burgee/contract/client'
import type { Environment, Feature, Metric } from '@burgee/contract/schemas'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { CompleteDialog } from '../../../actions/CompleteDialog.tsx'
import { Button } from '../../../components/Button.tsx'
import { Banner, Loaded, Skeleton } from '../../../components/States.tsx'
import { Time } from '../../../components/Time.tsx'
import { useActionReasons } from '../actions/useActionReasons.ts'
import { AddMetricButton } from './AddMetric.tsx'
import { DecisionSection } from './decision/DecisionSection.tsx'
import { winnerOf } from './decision/decisionWords.ts'
import { MetricSection } from './MetricSection.tsx'
import styles from './Results.module.css'
import { isMeasurable, type Selection, useMetricResults } from './useMetricResults.ts'

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly environment: Environment
  /** All metrics of the feature. */
  readonly all: readonly Metric[]
  /** Those to show. */
  readonly metrics: readonly Metric[]
  readonly selection: Selection
}

/** The decision about a feature, then the figures of each metric. */
export function MetricResults({ project, feature, environment, all, metrics, selection }: Props) {
  const queries = useMetricResults(project, metrics, selection)
  const measured = metrics.flatMap((metric, index) => {
    const data = queries[index]?.data
    return data ? [{ metric, result: data.result }] : []
  })
  const isMeasuring = queries.some(({ isFetching }) => isFetching)
  const oldest = queries
    .flatMap(({ data }) => (data ? [data] : []))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))[0]
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.note} role="status">
          {oldest ? (
            <>
              As of <Time value={oldest.updatedAt} />
              {oldest.cached && ' (cached)'}
            </>
          ) : (
            isMeasuring && 'Loading results…'
          )}
        </p>
        <div className={styles.buttons}>
          <Button
            icon={<RefreshCw size={16} aria-hidden="true" />}
            isBusy={isMeasuring}
            onClick={() => void Promise.all(queries.map((query) => query.isEnabled && query.refetch()))}
          >
            Refresh
          </Button>
          <AddMetricButton project={project} feature={feature} metrics={all} />
          {feature.status === 'active' && (
            <CompleteButton
              project={project}
              feature={feature}
              winner={winnerOf(measured.map(({ result }) => result))}
            />
          )}
        </div>
      </div>
      {queries.some(({ failureReason, data }) => !data && isBusy(failureReason)) && (
        <Banner>
          <span role="status">Two of your queries are already running. This one starts automatically.</span>
        </Banner>
      )}
      {measured.length > 0 && (
        <DecisionSection environment={environment} isActive={feature.status === 'active'} measured={measured} />
      )}
      {metrics.map((metric, index) => {
        const query = queries[index]
        return (
          query && (
            <MetricSection key={metric._id} project={project} feature={feature} metric={metric}>
              {(show) =>
                isMeasurable(metric, selection) ? (
                  <Loaded
                    query={query}
                    title={`The results of ${metric.name} could not be loaded`}
                    skeleton={<Skeleton rows={2} height={72} />}
                  >
                    {({ result }) => show(result)}
                  </Loaded>
                ) : (
                  <p>
                    Evaluation counts do not include audiences, so this metric cannot be filtered by audience. Choose
                    all users.
                  </p>
                )
              }
            </MetricSection>
          )
        )
      })}
    </>
  )
}

/** Whether the server refused because other measurements run. */
const isBusy = (error: Error | null): boolean => error instanceof ApiError && error.status === 429

interface CompleteProps {
  readonly project: string
  readonly feature: Feature
  /** The key of the variation that the figures favour. */
  readonly winner: string | undefined
}

/** Ends the experiment with one variation for everyone. */
function CompleteButton({ project, feature, winner }: CompleteProps) {
  const [isOpen, setOpen] = useState(false)
  const { publish } = useActionReasons(project, feature)
  const name = feature.variations.find(({ key }) => key === winner)?.name
  return (
    <>
      <Button kind={winner === undefined ? 'plain' : 'primary'} reason={publish} onClick={() => setOpen(true)}>
        {name === undefined ? 'Complete…' : `Complete with ${name}…`}
      </Button>
      <CompleteDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        project={project}
        feature={feature}
        {...(winner === undefined ? {} : { proposed: winner })}
      />
    </>
  )
}
