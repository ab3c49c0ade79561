import { ConfirmDialog } from '../../../parts/Dialog.tsx'
import { ErrorBanner } from '../../../parts/States.tsx'
import { type ActionProps, useStatusChange } from './useStatusChange.ts'

/** Asks before a feature is archived: it is no longer served. */
export function ArchiveDialog(props: ActionProps) {
  const { isOpen, feature } = props
  const { change, close, isBusy, error } = useStatusChange(props, `Archived ${feature.key}`)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title="Archive this feature"
      action="Archive"
      typed={feature.key}
      isBusy={isBusy}
      error={error && <ErrorBanner error={error} title="Not archived" />}
      onConfirm={() => change({ status: 'archived' })}
    >
      <p>
        <bdi>{feature.name}</bdi> is no longer served, and its variables are archived. Code that still reads them gets
        its defaults.
      </p>
      <p>You can reactivate it with everything restored.</p>
    </ConfirmDialog>
  )
}

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
          are not restored; see History.
        </p>
      ) : (
        <p>The feature is served again as configured in its environments, and its variables become active.</p>
      )}
    </ConfirmDialog>
  )
}
