import { approvalSettings } from '@burgee/contract/rules'
import type { Feature } from '@burgee/contract/schemas'
import { MoreHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePermission, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { environmentsOf } from '../../components/diff/describeChange.ts'
import type { DiffContext } from '../../components/diff/model.ts'
import { useApprovalSettings } from '../../components/feature/useApprovals.ts'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import { CHANGED_SINCE_ID } from './base/BaseNotice.tsx'
import { type Decisions, decide } from './decisions.ts'
import { ActionDialogs, type OpenAction } from './dialogs/ActionDialogs.tsx'
import styles from './Requests.module.css'
import type { AnyRequest } from './useRequestActions.ts'

interface Props {
  readonly project: string
  /** Absent for a request of the project itself. */
  readonly feature?: Feature
  readonly request: AnyRequest
  readonly context: DiffContext
  readonly isStale: boolean
  /** Whether the check for changes of the feature is not finished. */
  readonly isUnchecked?: boolean
  /** The hash of the content that the person read. */
  readonly readHash: string
  readonly onRead: (contentHash: string) => void
  /** What the change does, in a line above the buttons of narrow windows. */
  readonly summary?: ReactNode
}

/** The actions that decide about a request, as buttons. */
const decisive = [
  ['submit', 'Request review…'],
  ['approve', 'Approve…'],
  ['apply', 'Apply…'],
  ['rebase', 'Update…'],
  ['reject', 'Reject…']
] as const satisfies readonly (readonly [OpenAction, string])[]

const cancel = ['cancel', 'Cancel the request…'] as const satisfies readonly [OpenAction, string]

/** Actions that are less frequent, in a menu. */
const others = [
  ['schedule', 'Schedule…'],
  ['bypass', 'Apply without approval…']
] as const satisfies readonly (readonly [OpenAction, string])[]

/** What can be done with a request. What the person may not do stays, with the reason. */
export function RequestActions(props: Props) {
  const { project, feature, request, context, isStale, isUnchecked = false, readHash, onRead, summary } = props
  const isEdited = readHash !== request.contentHash
  const isOwn = request._createdBy === useSession().user.id
  const [open, setOpen] = useState<OpenAction>()
  const decisions = useDecisions(props)
  const isOffered = ([action]: readonly [OpenAction, string]) => decisions[action] !== undefined
  const buttons = [...decisive, ...(isOwn ? [cancel] : [])].filter(isOffered)
  const items = [...others, ...(isOwn ? [] : [cancel])].filter(isOffered)
  const primary = primaryAction(decisions, isStale)
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
        {items.length > 0 && <MoreActions items={items} request={request} reasonOf={reasonOf} onOpen={setOpen} />}
      </div>
      {!isUnchecked && <Reasons decisions={decisions} />}
      {open && (
        <ActionDialogs
          open={open}
          onClose={() => setOpen(undefined)}
          onRead={onRead}
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

/** The actions that the status of a request allows, by the permissions of the person and the settings of the project. */
function useDecisions({ project, feature, request, isStale, isUnchecked = false }: Props): Decisions {
  const { user } = useSession()
  const settings = useApprovalSettings(project)
  return decide(request, {
    person: user.id,
    mayPublish: usePermission('feature:publish', project),
    mayWrite: usePermission('feature:write', project),
    isStale,
    isUnchecked,
    isOfProject: feature === undefined,
    requiredApprovals: approvalSettings(settings ?? {}).requiredApprovals,
    allowPublisherBypass: settings?.allowPublisherBypass ?? false,
    allowEmergency: settings !== undefined && approvalSettings(settings).allowEmergency
  })
}

/** The action that is next for the person. */
function primaryAction(decisions: Decisions, isStale: boolean): OpenAction | undefined {
  // Only its author can rebase a stale request. For others, the first step is to read what has changed.
  const candidates = isStale ? (['rebase'] as const) : (['submit', 'approve', 'apply', 'rebase'] as const)
  return candidates.find((action) => decisions[action] && decisions[action].reason === undefined)
}

interface MoreProps {
  readonly items: readonly (readonly [OpenAction, string])[]
  readonly request: AnyRequest
  readonly reasonOf: (action: OpenAction) => string | undefined
  readonly onOpen: (action: OpenAction) => void
}

/** The menu of the less frequent actions. */
function MoreActions({ items, request, reasonOf, onOpen }: MoreProps) {
  return (
    <Menu
      trigger={
        <IconButton label="More actions for this request">
          <MoreHorizontal size={18} aria-hidden="true" />
        </IconButton>
      }
    >
      {items.map(([action, words]) => (
        <MenuItem
          key={action}
          onSelect={() => onOpen(action)}
          reason={reasonOf(action)}
          isDangerous={action === 'cancel'}
        >
          {action === 'schedule' && request.applyAt ? 'Change the schedule…' : words}
        </MenuItem>
      ))}
    </Menu>
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
