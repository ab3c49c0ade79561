import type { Environment, PromotionItem } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Badge, Protected, type Tone } from '../../parts/Badge.tsx'
import { Table } from '../../parts/Table.tsx'
import { describeChange, percent } from './describe.ts'
import styles from './Promote.module.css'

const outcomes: Readonly<Record<PromotionItem['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  wouldApply: { word: 'will be promoted', tone: 'partly' },
  wouldRequest: { word: 'will ask for approval', tone: 'waiting' },
  applied: { word: 'promoted', tone: 'live' },
  changeRequest: { word: 'waits for approval', tone: 'waiting' },
  unchanged: { word: 'equal already', tone: 'off' },
  refused: { word: 'refused', tone: 'danger' }
}

interface Props {
  readonly items: readonly PromotionItem[]
  readonly environments: readonly Environment[]
  readonly project: string
}

/** What happens, or happened, to each feature in each destination. */
export function Report({ items, environments }: Props) {
  return (
    <Table
      label="Features and destinations"
      rows={items}
      rowKey={({ feature, to }) => `${feature} ${to.environment}`}
      columns={[
        { id: 'feature', title: 'Feature', cell: ({ feature }) => <span className={styles.key}>{feature}</span> },
        {
          id: 'to',
          title: 'To',
          cell: ({ to }) => <Destination environments={environments} reference={to.environment} />
        },
        { id: 'outcome', title: 'Outcome', cell: (item) => <Outcome item={item} /> },
        { id: 'changes', title: 'What changes', cell: (item) => <Changes item={item} /> },
        { id: 'admitted', title: 'Lets in now', cell: (item) => <Admitted item={item} /> }
      ]}
    />
  )
}

function Destination({
  environments,
  reference
}: {
  readonly environments: readonly Environment[]
  readonly reference: string
}) {
  const environment = environments.find(({ key }) => key === reference)
  return (
    <span className={styles.side}>
      {environment?.name ?? reference}
      {environment && isProtected(environment) && <Protected />}
    </span>
  )
}

function Outcome({ item: { outcome } }: { readonly item: PromotionItem }) {
  const { word, tone } = outcomes[outcome]
  return <Badge tone={tone}>{word}</Badge>
}

/** The reason of a refusal, or the changes and warnings. */
function Changes({ item: { error, changes, warnings } }: { readonly item: PromotionItem }) {
  const lines = error ? [error.message].flat() : changes.map(describeChange)
  if (lines.length === 0 && warnings.length === 0) return <span className={styles.soft}>nothing</span>
  return (
    <ul className={styles.lines}>
      {[...lines, ...warnings].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Admitted({ item: { admittedNow } }: { readonly item: PromotionItem }) {
  if (!admittedNow) return <span className={styles.soft}>–</span>
  const { before, after } = admittedNow
  return (
    <span className={styles.figures}>
      {before === after ? percent(after) : `${percent(before)} → ${percent(after)}`}
    </span>
  )
}
