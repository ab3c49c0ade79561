import type { Metric } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Code, CopyableKey, Snippet } from '../../components/Copy.tsx'
import { useFollowKeys } from '../../components/links/useFollowKeys.ts'
import { MetricDialog } from '../../components/metrics/MetricDialog.tsx'
import { countsFromWords, dimensionWords, optimizeWords } from '../../components/metrics/metricWords.ts'
import { Page, Section } from '../../components/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { DeleteMetricDialog } from './DeleteMetricDialog.tsx'
import styles from './Metrics.module.css'
import { comparesValues, trackSnippet } from './trackSnippet.ts'

/** A metric: its definition, the features that are compared by it, and its end. */
export function MetricPage() {
  const { org = '', project = '', metric: key = '' } = useParams({ strict: false })
  const metric = useRead('getMetric', { params: { project, key } })
  return (
    <Page
      title={metric.data?.name ?? key}
      above={
        <Link to="/o/$org/p/$project/metrics" params={{ org, project }}>
          ← Metrics
        </Link>
      }
      beside={metric.data && <CopyableKey value={metric.data.key} />}
      actions={metric.data && <Actions metric={metric.data} />}
    >
      <Loaded query={metric} title="The metric could not be loaded">
        {(loaded) => (
          <>
            <Definition metric={loaded} />
            <Usage metric={loaded} />
            <Section title="Report the event">
              <p className={styles.note}>
                With an OpenFeature SDK. Use the same targeting key as in evaluations.
                {comparesValues(loaded) && ' Events without a value are ignored.'}
              </p>
              <Snippet label="Report the event" text={trackSnippet(loaded.event, comparesValues(loaded))} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Actions({ metric }: { readonly metric: Metric }) {
  const { project = '' } = useParams({ strict: false })
  const followKeys = useFollowKeys()
  const [open, setOpen] = useState<'change' | 'delete'>()
  const cannotWrite = useMissingPermission('feature:write', project)
  const cannotDelete = useMissingPermission('feature:delete', project)
  const close = () => setOpen(undefined)
  // A changed key is another address.
  const follow = ({ key }: Metric, before: Metric = metric) =>
    key === before.key || followKeys({ project, metric: before.key }, { metric: key })
  return (
    <>
      <Button onClick={() => setOpen('change')} reason={cannotWrite}>
        Edit…
      </Button>
      <Button onClick={() => setOpen('delete')} reason={cannotDelete}>
        Delete…
      </Button>
      {open === 'change' && <MetricDialog metric={metric} onClose={close} onSaved={follow} />}
      {open === 'delete' && <DeleteMetricDialog metric={metric} onClose={close} />}
    </>
  )
}

function Definition({ metric }: { readonly metric: Metric }) {
  const { description, event, dimension, optimize, countsFrom = 'startDate', updatedAt } = metric
  const words = dimensionWords[dimension]
  return (
    <Section title="What it measures">
      {description && <p>{description}</p>}
      <dl className={styles.facts}>
        <dt>Event</dt>
        <dd>
          <Code>{event}</Code>
        </dd>
        <dt>Compared</dt>
        <dd>
          {words.title}. <span className={styles.note}>{words.hint}</span>
        </dd>
        <dt>Direction</dt>
        <dd>{optimizeWords[optimize]}</dd>
        <dt>Events of a user count</dt>
        <dd>{countsFromWords[countsFrom].toLowerCase()}</dd>
        <dt>Changed</dt>
        <dd>
          <Time value={updatedAt} />
        </dd>
      </dl>
    </Section>
  )
}

/** The features that are compared by the metric, with links to their results. */
function Usage({ metric }: { readonly metric: Metric }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const associations = useRead('listMetricAssociations', { params: { project }, query: { metric: metric._id } })
  return (
    <Section title="Used by">
      <Loaded query={associations} title="The features could not be loaded" skeleton={<Skeleton rows={1} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title="No feature is compared by this metric yet."
              action={
                <Link to="/o/$org/p/$project/features" params={{ org, project }}>
                  Features
                </Link>
              }
            >
              <p>Open the tab Results of a feature and add the metric there.</p>
            </Empty>
          ) : (
            <Table
              label="Features"
              rows={rows}
              rowKey={({ feature }) => feature._id}
              columns={[
                {
                  id: 'feature',
                  title: 'Feature',
                  cell: ({ feature: { name, key } }) => (
                    <span className={styles.name}>
                      <Link to="/o/$org/p/$project/features/$feature/overview" params={{ org, project, feature: key }}>
                        <bdi>{name}</bdi>
                      </Link>
                      <code>{key}</code>
                    </span>
                  )
                },
                { id: 'status', title: 'Status', cell: ({ feature }) => feature.status },
                { id: 'since', title: 'Added', cell: ({ createdAt }) => <Time value={createdAt} /> },
                {
                  id: 'results',
                  title: 'Results',
                  align: 'end',
                  cell: ({ feature: { key, name } }) => (
                    <Link
                      to="/o/$org/p/$project/features/$feature/analytics"
                      params={{ org, project, feature: key }}
                      search={{ metric: metric.key } as object}
                      aria-label={`Results of ${name}`}
                    >
                      Results
                    </Link>
                  )
                }
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
