import type { Feature } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useWrite } from '../api/query.ts'
import { ConfirmDialog } from '../parts/Dialog.tsx'
import { TextField } from '../parts/Field.tsx'
import { useApprovalSettings } from '../parts/feature/useApprovals.ts'
import { ErrorBanner } from '../parts/States.tsx'
import { notify } from '../parts/Toasts.ts'
import { notifyChange } from './featureUndo.ts'

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
          const text = `Killed ${feature.key}: off in all environments`
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
      <p>
        A kill requires no approval.{' '}
        {requiresApproval
          ? 'Targets are kept. Turning the feature on again in a protected environment requires approval.'
          : 'Targets are kept, so you can undo it or turn the feature on again.'}
      </p>
      <TextField
        label="Reason (optional)"
        value={reason}
        onChange={setReason}
        maxLength={1000}
        hint="Recorded in the history with your name and the time."
      />
    </ConfirmDialog>
  )
}
