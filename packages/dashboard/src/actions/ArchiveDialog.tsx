import { ConfirmDialog } from '../components/Dialog.tsx'
import { ErrorBanner } from '../components/States.tsx'
import { type ActionProps, useStatusChange } from './useStatusChange.ts'

/** Asks before a feature is archived: it is no longer served. */
export function ArchiveDialog(props: ActionProps) {
  const { isOpen, feature } = props
  const { change, close, isBusy, error } = useStatusChange(props, `Archived ${feature.name}`)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Archive ${feature.name}`}
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
      <p>Reactivating it restores everything.</p>
    </ConfirmDialog>
  )
}
