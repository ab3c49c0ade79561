import type { Environment } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useFeatureRows } from '../../api/featureRows.ts'
import { Badge } from '../Badge.tsx'
import { type Column, Table } from '../Table.tsx'
import styles from './Report.module.css'
import { linesOf, type OutcomeWords, type ReportItem } from './reportText.ts'

interface Props<Item extends ReportItem> {
  readonly label: string
  readonly items: readonly Item[]
  readonly rowKey: (item: Item) => string
  readonly words: OutcomeWords
  readonly environments: readonly Environment[]
  /** Columns between the feature and its outcome. */
  readonly before?: readonly Column<Item>[]
  /** Columns at the end. */
  readonly after?: readonly Column<Item>[]
}

/** What happens, or happened, to each feature. */
export function Report<Item extends ReportItem>(props: Props<Item>) {
  const { label, items, rowKey, words, environments, before = [], after = [] } = props
  const names = environmentNames(environments)
  return (
    <Table
      label={label}
      rows={items}
      rowKey={rowKey}
      columns={[
        { id: 'feature', title: 'Feature', cell: ({ feature }) => <Subject feature={feature} /> },
        ...before,
        { id: 'outcome', title: 'Outcome', cell: ({ outcome }) => <Badge {...badge(words[outcome])} /> },
        { id: 'changes', title: 'What changes', cell: (item) => <Lines lines={linesOf(item, names)} /> },
        ...after
      ]}
    />
  )
}

/** A feature of the project by its name, if it is read, and its key. */
function Subject({ feature }: { readonly feature: string }) {
  const { project = '' } = useParams({ strict: false })
  const name = useFeatureRows(project).data?.find(({ key }) => key === feature)?.name
  return (
    <>
      {name !== undefined && <bdi className={styles.name}>{name}</bdi>}
      <span className={styles.key}>{feature}</span>
    </>
  )
}

function badge({ word, tone }: OutcomeWords[keyof OutcomeWords]) {
  return { tone, children: word }
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <span className={styles.soft}>nothing</span>
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

/** The names of environments by id. */
export function environmentNames(environments: readonly Environment[]): ReadonlyMap<string, string> {
  return new Map(environments.map(({ _id, name }) => [_id, name]))
}
