import type { Feature } from '@burgee/contract/schemas'
import { MoreHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePermission, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../parts/Button.tsx'
import { environmentsOf } from '../../parts/diff/describeChange.ts'
import type { DiffContext } from '../../parts/diff/model.ts'
import { useApprovalSettings } from '../../parts/feature/useApprovals.ts'
import { Menu, MenuItem } from '../../parts/Menu.tsx'
import { ActionDialogs, type OpenAction } from './ActionDialogs.tsx'
import { type Decisions, decide } from './decisions.ts'
import { CHANGED_SINCE_ID } from './fit/FitLine.tsx'
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
  /** What the change does, in a line above the buttons of narrow windows. */
  readonly summary?: ReactNode
}

/** The actions that decide about a request, as buttons. */
const decisive = [
  ['submit', 'Request review…'],
  ['approve', 'Approve…'],
  ['apply', 'Apply…'],
  ['rebase', 'Rebase…'],
  ['reject', 'Reject…']
] as const satisfies readonly (readonly [OpenAction, string])[]

const cancel = ['cancel', 'Cancel the request…'] as const satisfies readonly [OpenAction, string]

/** Actions that are less frequent, in a menu. */
const others = [
  ['schedule', 'Schedule…'],
  ['bypass', 'Apply without approval…']
] as const satisfies readonly (readonly [OpenAction, string])[]

/** What can be done with a request. What the person may not do stays, with the reason. */
export function RequestActions({ project, feature, request, context, isStale, readHash, summary }: Props) {
  const isEdited = readHash !== request.contentHash
  const { user } = useSession()
  const settings = useApprovalSettings(project)
  const [open, setOpen] = useState<OpenAction>()
  const reviewContext = {
    person: user.id,
    mayPublish: usePermission('feature:publish', project),
    mayWrite: usePermission('feature:write', project),
    isStale,
    isOfProject: feature === undefined,
    requiredApprovals: settings?.requiredApprovals ?? 1,
    allowPublisherBypass: settings?.allowPublisherBypass ?? false,
    allowEmergency: settings !== undefined && settings.allowEmergency !== false
  }
  const decisions = decide(request, reviewContext)
  const isOffered = ([action]: readonly [OpenAction, string]) => decisions[action] !== undefined
  const isOwn = request._createdBy === user.id
  const buttons = [...decisive, ...(isOwn ? [cancel] : [])].filter(isOffered)
  const items = [...others, ...(isOwn ? [] : [cancel])].filter(isOffered)
  // Only its author can rebase a stale request. For others, the first step is to read what has changed.
  const candidates = isStale ? (['rebase'] as const) : (['submit', 'approve', 'apply', 'rebase'] as const)
  const primary = candidates.find((action) => decisions[action] && decisions[action].reason === undefined)
  const reasonOf = (action: OpenAction) => (isEdited ? 'read the new content first' : decisions[action]?.reason)
  const environments = [...new Set(request.changes.flatMap((change) => environmentsOf(change, context)))]
  if (buttons.length + items.length === 0) return null
  return (
    <section data-actions aria-label="Decision" className={styles.actions}>
      {summary && <div className={styles.onNarrow}>{summary}</div>}
      <div className={styles.actionRow}>
        {isStale && (
          <Button kind={primary === undefined ? 'primary' : 'plain'} onClick={showChanges}>
            See what changed
          </Button>
        )}
        {buttons.map(([action, words]) => (
          <Button
            key={action}
            kind={action === primary ? 'primary' : 'plain'}
            aria-haspopup="dialog"
            onClick={() => setOpen(action)}
            reason={reasonOf(action)}
          >
            {words}
          </Button>
        ))}
        {items.length > 0 && (
          <Menu
            trigger={
              <IconButton label="More about this request">
                <MoreHorizontal size={18} aria-hidden="true" />
              </IconButton>
            }
          >
            {items.map(([action, words]) => (
              <MenuItem
                key={action}
                onSelect={() => setOpen(action)}
                reason={reasonOf(action)}
                isDangerous={action === 'cancel'}
              >
                {words}
              </MenuItem>
            ))}
          </Menu>
        )}
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
          decisions={decisions}
        />
      )}
    </section>
  )
}

function showChanges(): void {
  const since = document.getElementById(CHANGED_SINCE_ID)
  since?.focus({ preventScroll: true })
  since?.scrollIntoView({ block: 'center' })
}

/** Why the decision is not open to the person, to read without pointing at a button. */
function Reasons({ decisions: { approve, apply } }: { readonly decisions: Decisions }) {
  const reason = approve?.reason ?? apply?.reason
  if (reason === undefined) return null
  return (
    <p className={styles.soft}>
      {approve?.reason ? 'Approve' : 'Apply'}: {reason}.
    </p>
  )
}
