import { type ActionProps, useStatusChange } from '../../../actions/useStatusChange.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { ErrorBanner } from '../../../components/States.tsx'

/** Asks before a complete or archived feature becomes active again. */
export function ReactivateDialog(props: ActionProps) {
  const { isOpen, feature } = props
  const { change, close, isBusy, error } = useStatusChange(props, `Reactivated ${feature.key}`)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title="Reactivate this feature"
      action="Reactivate"
      isBusy={isBusy}
      error={error && <ErrorBanner error={error} title="Not reactivated" />}
      onConfirm={() => change({ status: 'active' })}
    >
      {feature.status === 'complete' ? (
        <p>
          Users keep their current variation, and targets can be changed again. The targets from before the completion
          are not restored. To restore them, revert the completion in History.
        </p>
      ) : (
        <p>The feature is served again as configured in its environments, and its variables become active.</p>
      )}
    </ConfirmDialog>
  )
}
