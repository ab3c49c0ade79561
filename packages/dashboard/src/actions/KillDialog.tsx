import type { Feature } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useRead, useWrite } from '../api/query.ts'
import { ConfirmDialog } from '../components/Dialog.tsx'
import { useApprovalSettings } from '../components/feature/useApprovals.ts'
import { ErrorBanner } from '../components/States.tsx'
import { notify } from '../components/Toasts.ts'
import { notifyChange } from './featureUndo.ts'
import { KillConsequences } from './KillConsequences.tsx'
import { KillReasonField } from './KillReasonField.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly project: string
  readonly feature: Pick<Feature, 'key' | 'name'>
}

/**
 * Asks before a feature is turned off in all environments. Does not require the key of the feature, unlike other
 * dangerous actions: a kill is urgent, and the toast can undo it unless that requires approval.
 */
export function KillDialog({ isOpen, onClose, project, feature }: Props) {
  const kill = useWrite('killFeature')
  const [reason, setReason] = useState('')
  const requiresApproval = useApprovalSettings(project)?.enabled === true
  const isRequestOpen = useOpenRequest(project, requiresApproval ? feature.key : undefined)
  const trimmed = reason.trim()
  const params = { project, feature: feature.key }
  const close = () => {
    kill.reset()
    setReason('')
    onClose()
  }
  const confirm = () =>
    kill.mutate(
      { params, ...(trimmed === '' ? {} : { body: { reason: trimmed } }) },
      {
        onSuccess: (after) => {
          close()
          const text = `Killed ${feature.name}: off in all environments`
          if (requiresApproval) notify({ text })
          else notifyChange({ text, params, before: feature, after })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Kill ${feature.name}?`}
      action="Turn off everywhere"
      isDangerous
      isBusy={kill.isPending}
      onConfirm={confirm}
      error={kill.error && <ErrorBanner error={kill.error} title="Not killed" />}
    >
      <p>
        <bdi>{feature.name}</bdi> is turned off in all environments at once, including protected ones. Applications use
        the defaults in their code.
      </p>
      <KillConsequences project={project} waiting={isRequestOpen ? 1 : 0} />
      <KillReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  )
}

/** Whether a feature has a change request that waits or is approved, which locks what needs approval. */
function useOpenRequest(project: string, key: string | undefined): boolean {
  const params = { project, feature: key ?? '' }
  const { data } = useRead('getFeature', { params }, { enabled: key !== undefined })
  return data?.changeRequests?.some(({ status }) => status === 'pending' || status === 'approved') ?? false
}
