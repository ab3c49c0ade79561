import type { Metric } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Code, Snippet } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { TextField } from '../../components/Field.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { MetricDialog } from '../../components/metrics/MetricDialog.tsx'
import { dimensionWords, optimizeWords } from '../../components/metrics/metricWords.ts'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import styles from './Metrics.module.css'
import { trackSnippet } from './trackSnippet.ts'

/** The metrics of the project. */
export function MetricListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const [isCreating, setCreating] = useState(false)
  const [search, setSearch] = useState('')
  const cannotWrite = useMissingPermission('feature:write', project)
  const metrics = useRead('listMetrics', { params: { project }, query: { perPage: 1000 } })
  const create = (
    <CreateButton onClick={() => setCreating(true)} reason={cannotWrite}>
      New metric
    </CreateButton>
  )
  return (
    <Page title="Metrics" actions={create}>
      <Loaded query={metrics} title="Metrics could not be loaded">
        {(all) => {
          if (all.length === 0) return <NoMetrics action={create} />
          const text = search.trim().toLowerCase()
          const found = all.filter(({ name, key, event }) => `${name}\n${key}\n${event}`.toLowerCase().includes(text))
          return (
            <>
              <div className={styles.search}>
                <TextField
                  label="Search metrics"
                  isLabelHidden
                  type="search"
                  value={search}
                  placeholder="Search name, key or event"
                  onChange={setSearch}
                />
                <p role="status">{found.length === 1 ? '1 metric' : `${found.length} metrics`}</p>
              </div>
              {found.length === 0 ? (
                <Empty
                  title={`No metric matches “${search.trim()}”.`}
                  action={<Button onClick={() => setSearch('')}>Clear search</Button>}
                />
              ) : (
                <MetricTable rows={found} />
              )}
            </>
          )
        }}
      </Loaded>
      {isCreating && (
        <MetricDialog
          onClose={() => setCreating(false)}
          onSaved={({ key }) =>
            void navigate({ to: '/o/$org/p/$project/metrics/$metric', params: { org, project, metric: key } })
          }
        />
      )}
    </Page>
  )
}

function NoMetrics({ action }: { readonly action: ReactNode }) {
  return (
    <Empty
      title="A metric defines success: which event counts, and whether more or less of it is better."
      action={action}
    >
      <p>Features compare their variations by it. Applications report the event like this:</p>
      <Snippet label="Report an event" text={trackSnippet('purchase', true)} />
    </Empty>
  )
}

function MetricTable({ rows }: { readonly rows: readonly Metric[] }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const associations = useRead('listMetricAssociations', { params: { project }, query: {} }).data
  const usage = new Map<string, number>()
  for (const { metric } of associations ?? []) usage.set(metric._id, (usage.get(metric._id) ?? 0) + 1)
  const describeUse = (count: number) => (count === 0 ? 'not used' : count === 1 ? '1 feature' : `${count} features`)
  return (
    <Table
      label="Metrics"
      rows={rows}
      rowKey={({ _id }) => _id}
      columns={[
        {
          id: 'name',
          title: 'Name',
          cell: ({ name, key }) => (
            <span className={styles.name}>
              <Link to="/o/$org/p/$project/metrics/$metric" params={{ org, project, metric: key }}>
                <bdi>{name}</bdi>
              </Link>
              <code>{key}</code>
            </span>
          )
        },
        {
          id: 'event',
          title: 'Event',
          cell: ({ event }) => (
            <span className={styles.event}>
              <Code>{event}</Code>
            </span>
          )
        },
        { id: 'dimension', title: 'What is compared', cell: ({ dimension }) => dimensionWords[dimension].title },
        {
          id: 'optimize',
          title: 'Direction',
          cell: ({ optimize }) => <span className={styles.line}>{optimizeWords[optimize]}</span>
        },
        {
          id: 'usage',
          title: 'Used by',
          cell: ({ _id }) => associations && <span className={styles.line}>{describeUse(usage.get(_id) ?? 0)}</span>
        }
      ]}
    />
  )
}
