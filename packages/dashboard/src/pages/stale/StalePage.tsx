import type { FeatureListItem } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useFeatureRows } from '../../api/featureRows.ts'
import { useRead } from '../../api/query.ts'
import { describePlaces, useFeatureReads } from '../../api/useCodeReads.ts'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import { describeStaleness } from './describeStaleness.ts'
import { type Finish, FinishDialog } from './FinishDialog.tsx'
import styles from './Stale.module.css'
import { StaleActions } from './StaleActions.tsx'

type StaleFeature = FeatureListItem & Required<Pick<FeatureListItem, 'staleness'>>

/** The features that can probably be finished, the longest stale first. */
export function StalePage() {
  const { project = '' } = useParams({ strict: false })
  const rows = useFeatureRows(project)
  const isOff = useRead('getProject', { params: { key: project } }).data?.settings.staleness.enabled === false
  return (
    <Page title="Stale features">
      <p className={styles.lead}>
        Features that are probably ready for removal. Complete, archive or snooze each of them.
      </p>
      <Loaded query={rows} title="Stale features could not be loaded">
        {(items) => {
          const stale = items.filter(isStale).sort((one, other) => compare(one.staleness.since, other.staleness.since))
          return stale.length === 0 ? (
            <NoneStale project={project} isOff={isOff} />
          ) : (
            <StaleList features={stale} project={project} />
          )
        }}
      </Loaded>
    </Page>
  )
}

function isStale(row: FeatureListItem): row is StaleFeature {
  return row.staleness !== undefined
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Says why the list is empty. Without detection, links to its settings. */
function NoneStale({ project, isOff }: { readonly project: string; readonly isOff: boolean }) {
  const { org = '' } = useParams({ strict: false })
  return (
    <Empty title={isOff ? 'This project does not detect stale features.' : 'No feature is stale.'}>
      <p>
        {isOff && (
          <>
            <Link to="/o/$org/p/$project/settings/$section" params={{ org, project, section: 'staleness' }}>
              Turn detection on
            </Link>{' '}
            in the settings.{' '}
          </>
        )}
        A feature is listed here when everyone gets the same variation, or when it has not been used or modified for a
        long time. <DocsLink page="guides/stale-features.md">When features are stale</DocsLink>
      </p>
    </Empty>
  )
}

interface ListProps {
  readonly features: readonly StaleFeature[]
  readonly project: string
}

function StaleList({ features, project }: ListProps) {
  const [finish, setFinish] = useState<Finish>()
  const reads = useFeatureReads(project)
  return (
    <>
      <ul className={styles.list}>
        {features.map((feature) => (
          <StaleRow
            key={feature._id}
            feature={feature}
            project={project}
            reads={reads?.get(feature._id)}
            onFinish={setFinish}
          />
        ))}
      </ul>
      {finish && <FinishDialog finish={finish} project={project} onClose={() => setFinish(undefined)} />}
    </>
  )
}

interface RowProps {
  readonly feature: StaleFeature
  readonly project: string
  /** How many places in code read it; undefined without a scan. */
  readonly reads: number | undefined
  readonly onFinish: (finish: Finish) => void
}

function StaleRow({ feature, project, reads, onFinish }: RowProps) {
  const { org = '' } = useParams({ strict: false })
  const { reason, advice } = describeStaleness(feature.staleness)
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <h2 className={styles.name}>
          <Link to="/o/$org/p/$project/features/$feature/overview" params={{ org, project, feature: feature.key }}>
            <bdi>{feature.name}</bdi>
          </Link>
          <code className={styles.key}>{feature.key}</code>
        </h2>
        <p>
          <bdi>{reason}</bdi> since <Time value={feature.staleness.since} />.
        </p>
        <p className={styles.advice}>{advice}</p>
        {reads === 0 && <p className={styles.advice}>The last scans found no code that reads it.</p>}
        {reads !== undefined && reads > 0 && (
          <p>
            <Link to="/o/$org/p/$project/features/$feature/code" params={{ org, project, feature: feature.key }}>
              Read in {describePlaces(reads)}
            </Link>
          </p>
        )}
      </div>
      <StaleActions feature={feature} project={project} onFinish={onFinish} />
    </li>
  )
}
