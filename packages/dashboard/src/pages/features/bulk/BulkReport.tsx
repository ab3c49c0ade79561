import type { ChangeItem, Environment } from '@burgee/contract/schemas'
import { CopyButton } from '../../../components/Copy.tsx'
import { environmentNames, Report } from '../../../components/report/Report.tsx'
import { reportText } from '../../../components/report/reportText.ts'
import styles from './BulkDialog.module.css'
import { outcomeWords, summarizeItems } from './bulkActions.ts'

interface Props {
  readonly items: readonly ChangeItem[]
  readonly environments: readonly Environment[]
}

/** A summary of a bulk action, and a row for each feature. */
export function BulkReport({ items, environments }: Props) {
  const text = reportText(items, outcomeWords, environmentNames(environments))
  return (
    <div className={styles.report}>
      <div className={styles.summary}>
        <span role="status">{summarizeItems(items)}</span>
        <CopyButton text={text} label="Copy as text" />
      </div>
      <Report
        label="Features"
        items={items}
        rowKey={({ feature }) => feature}
        words={outcomeWords}
        environments={environments}
      />
    </div>
  )
}
