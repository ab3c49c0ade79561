import { Redo2, TriangleAlert, Undo2 } from 'lucide-react'
import { Button, IconButton } from '../../../components/Button.tsx'
import { formatMoment } from '../../../components/Time.tsx'
import { BeforeSavingButton } from '../check/BeforeSaving.tsx'
import { issueTitle } from '../EditorNotices.tsx'
import type { SaveRules, Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import styles from './Save.module.css'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly rules: SaveRules
  readonly reason: string | undefined
  /** Opens the review, or the first thing that is missing. */
  readonly onReview: () => void
}

/** What is not saved yet, at the bottom of the page. */
export function SaveBar({ targeting, draft, rules, reason, onReview }: Props) {
  const { changes, restoredAt, kept, issues } = draft
  const [first, ...others] = issues
  const count = new Set(changes.map(({ path }) => path.slice(0, 2).join('/'))).size
  return (
    <section data-actions className={styles.bar} aria-label="Unsaved changes">
      <div className={styles.barHead}>
        <p className={styles.barText} role="status">
          <strong>{count === 1 ? '1 unsaved change' : `${count} unsaved changes`}</strong>
          {restoredAt !== undefined && <span>Your draft of {formatMoment(restoredAt)}</span>}
          {(kept === 'tooLarge' || kept === 'noRoom') && <span>Too large to survive a reload of this page</span>}
        </p>
        <BeforeSavingButton targeting={targeting} draft={draft} />
      </div>
      {first && (
        <button type="button" className={styles.missing} onClick={onReview}>
          <TriangleAlert size={16} aria-hidden="true" />
          <span>
            {issueTitle(first, draft.value)}
            {others.length > 0 && `, and ${others.length} more`}
          </span>
        </button>
      )}
      <div className={styles.barButtons}>
        <IconButton label="Undo" disabled={!draft.canUndo} onClick={draft.undo}>
          <Undo2 size={18} aria-hidden="true" />
        </IconButton>
        <IconButton label="Redo" disabled={!draft.canRedo} onClick={draft.redo}>
          <Redo2 size={18} aria-hidden="true" />
        </IconButton>
        <Button onClick={draft.discard}>Discard</Button>
        <Button kind="primary" onClick={onReview} reason={reason}>
          {rules.needsApproval && !rules.mayBypass ? 'Request change…' : 'Review…'}
        </Button>
      </div>
    </section>
  )
}
