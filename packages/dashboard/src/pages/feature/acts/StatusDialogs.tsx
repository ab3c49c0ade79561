import { ConfirmDialog } from '../../../parts/Dialog.tsx'
import { ErrorBanner } from '../../../parts/States.tsx'
import { type ActProps, useStatusChange } from './useStatusChange.ts'

/** Asks before a feature is archived: it is served nowhere afterwards. */
export function ArchiveDialog(props: ActProps) {
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
        <bdi>{feature.name}</bdi> is served nowhere any more, and its variables are archived with it. Code that still
        asks for them gets its default values.
      </p>
      <p>Nothing is lost: reactivating it brings everything back.</p>
    </ConfirmDialog>
  )
}

/** Asks before a complete or archived feature becomes active again. */
export function ReactivateDialog(props: ActProps) {
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
          Users keep the variation they get now, and targets can be changed again. The targets from before it was
          completed do not come back; History has them.
        </p>
      ) : (
        <p>It is served again as its environments say, and its variables become active.</p>
      )}
    </ConfirmDialog>
  )
}
