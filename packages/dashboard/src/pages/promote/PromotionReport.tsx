import type { Environment, PromotionItem } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import type { ReactNode } from 'react'
import { Protected } from '../../components/Badge.tsx'
import { Report } from '../../components/report/Report.tsx'
import type { OutcomeWords } from '../../components/report/reportText.ts'
import { percent } from './describe.ts'
import styles from './Promote.module.css'

const outcomes: OutcomeWords = {
  wouldApply: { word: 'will be promoted', tone: 'partly' },
  wouldRequest: { word: 'will request approval', tone: 'waiting' },
  applied: { word: 'promoted', tone: 'live' },
  changeRequest: { word: 'waits for approval', tone: 'waiting' },
  unchanged: { word: 'no difference', tone: 'off' },
  refused: { word: 'refused', tone: 'danger' }
}

interface Props {
  readonly items: readonly PromotionItem[]
  readonly environments: readonly Environment[]
  /** A link to what came of an item, after the promotion. */
  readonly linkOf?: (item: PromotionItem) => ReactNode
}

/** The outcome for each feature in each destination. */
export function PromotionReport({ items, environments, linkOf }: Props) {
  return (
    <Report
      label="Features and destinations"
      items={items}
      rowKey={({ feature, to }) => `${feature} ${to.environment}`}
      words={outcomes}
      environments={environments}
      before={[
        {
          id: 'to',
          title: 'To',
          cell: ({ to }) => <Destination environments={environments} reference={to.environment} />
        }
      ]}
      after={[
        { id: 'admitted', title: 'Users included now', cell: (item) => <Admitted item={item} /> },
        ...(linkOf ? [{ id: 'link', title: 'Open', cell: linkOf }] : [])
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

function Admitted({ item: { admittedNow } }: { readonly item: PromotionItem }) {
  if (!admittedNow) return <span className={styles.soft}>–</span>
  const { before, after } = admittedNow
  return (
    <span className={styles.figures}>
      {before === after ? percent(after) : `${percent(before)} → ${percent(after)}`}
    </span>
  )
}
