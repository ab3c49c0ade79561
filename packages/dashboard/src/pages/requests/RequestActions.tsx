import type { Feature } from '@burgee/contract/schemas'
import { useState } from 'react'
import { usePermission, useSession } from '../../api/session.ts'
import { Button } from '../../parts/Button.tsx'
import { environmentsOf } from '../../parts/diff/describeChange.ts'
import type { DiffContext } from '../../parts/diff/model.ts'
import { useApprovalSettings } from '../../parts/feature/useApprovals.ts'
import { ActionDialogs, type OpenAction } from './ActionDialogs.tsx'
import { type Decisions, decide } from './decisions.ts'
import styles from './Requests.module.css'
import type { AnyRequest } from './useRequestActions.ts'

interface Props {
  readonly project: string
  /** Absent for a request of the project itself. */
  readonly feature?: Feature
  readonly request: AnyRequest
  readonly context: DiffContext
  readonly isStale: boolean
  /** The hash of the content that the person read. */
  readonly readHash: string
}

interface Choice {
  readonly action: OpenAction
  readonly words: string
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
}

const choices: readonly Choice[] = [
  { action: 'submit', words: 'Request review…', kind: 'primary' },
  { action: 'approve', words: 'Approve…', kind: 'primary' },
  { action: 'approveAndApply', words: 'Approve and apply…' },
  { action: 'reject', words: 'Reject…' },
  { action: 'apply', words: 'Apply…', kind: 'primary' },
  { action: 'schedule', words: 'Schedule…' },
  { action: 'rebase', words: 'Rebase…' },
  { action: 'cancel', words: 'Cancel the request…', kind: 'quiet' },
  { action: 'bypass', words: 'Apply without approval…', kind: 'quiet' }
]

/** What can be done with a request. What the person may not do stays, with the reason. */
export function RequestActions({ project, feature, request, context, isStale, readHash }: Props) {
  const isEdited = readHash !== request.contentHash
  const { user } = useSession()
  const settings = useApprovalSettings(project)
  const [open, setOpen] = useState<OpenAction>()
  const standing = {
    person: user.id,
    mayPublish: usePermission('feature:publish', project),
    mayWrite: usePermission('feature:write', project),
    isStale,
    isOfProject: feature === undefined,
    requiredApprovals: settings?.requiredApprovals ?? 1,
    allowPublisherBypass: settings?.allowPublisherBypass ?? false,
    allowEmergency: settings?.allowEmergency ?? false
  }
  const decisions = decide(request, standing)
  const shown = choices.filter(({ action }) => decisions[action] !== undefined)
  const environments = [...new Set(request.changes.flatMap((change) => environmentsOf(change, context)))]
  if (shown.length === 0) return null
  return (
    <section aria-label="Decision" className={styles.actions}>
      <div className={styles.actionRow}>
        {shown.map(({ action, words, kind = 'plain' }) => (
          <Button
            key={action}
            kind={kind}
            aria-haspopup="dialog"
            onClick={() => setOpen(action)}
            reason={isEdited ? 'read the new content first' : decisions[action]?.reason}
          >
            {words}
          </Button>
        ))}
      </div>
      <Reasons decisions={decisions} />
      {open && (
        <ActionDialogs
          open={open}
          onClose={() => setOpen(undefined)}
          project={project}
          feature={feature}
          request={request}
          contentHash={readHash}
          environments={environments}
          bypass={decisions.bypass?.kind}
        />
      )}
    </section>
  )
}

/** Why the review is not open to the person, to read without pointing at a button. */
function Reasons({ decisions: { approve, approveAndApply, apply } }: { readonly decisions: Decisions }) {
  const reason = approve?.reason ?? approveAndApply?.reason ?? apply?.reason
  if (reason === undefined) return null
  const words = approve?.reason ? 'Approve' : approveAndApply?.reason ? 'Approve and apply' : 'Apply'
  return (
    <p className={styles.soft}>
      {words}: {reason}.
    </p>
  )
}
