import type { EnvironmentPreview } from '@burgee/contract/schemas'
import { useState } from 'react'
import { affectedShare } from '../../../actions/affectedShare.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import type { Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import { AffectedUsers, useAffectedUsers } from './AffectedUsers.tsx'
import styles from './Check.module.css'
import { ExplainPanel } from './ExplainPanel.tsx'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
}

/** Affected users and what one user gets, beside the targets on wide pages. */
export function BeforeSaving(props: Props) {
  return (
    <aside className={styles.aside} aria-label="Before you save">
      <Panels {...props} />
    </aside>
  )
}

/** Opens the same on narrow pages. Its words are the summary. */
export function BeforeSavingButton(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useAffectedUsers(props.targeting, props.draft)
  const preview = data?.environments[props.targeting.environment.key]
  return (
    <span className={styles.onNarrow}>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {preview ? summaryOf(preview) : 'Affected users'}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Before you save" shape="sheet">
        <div className={styles.sheet}>
          <Panels {...props} />
        </div>
      </Dialog>
    </span>
  )
}

function summaryOf(preview: EnvironmentPreview): string {
  const { share, base } = affectedShare(preview)
  return `${share} ${base} would change`
}

function Panels(props: Props) {
  return (
    <>
      <section className={styles.panel}>
        <h2>Affected users</h2>
        <AffectedUsers {...props} />
      </section>
      <section className={styles.panel}>
        <h2>Explain</h2>
        <ExplainPanel {...props} />
      </section>
    </>
  )
}
