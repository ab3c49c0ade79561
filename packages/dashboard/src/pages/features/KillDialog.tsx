import type { FeatureListItem } from '@burgee/contract/schemas'
import { useWrite } from '../../api/query.ts'
import { ConfirmDialog } from '../../parts/Dialog.tsx'
import { FEATURE_READS, useUndoableNotice } from '../../parts/featureActions.ts'
import { ErrorBanner } from '../../parts/States.tsx'

interface Props {
  /** The feature to switch off; without one the dialog is closed. */
  readonly feature: FeatureListItem | undefined
  readonly project: string
  readonly onClose: () => void
}

/** Asks before a feature goes off in all environments at once. */
export function KillDialog({ feature, project, onClose }: Props) {
  const kill = useWrite('killFeature', FEATURE_READS)
  const notice = useUndoableNotice(project)
  const { key = '', name = '' } = feature ?? {}
  const confirm = () =>
    kill.mutate(
      { params: { project, feature: key } },
      {
        onSuccess: (saved) => {
          onClose()
          notice(`${name} is off everywhere`, saved)
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={feature !== undefined}
      onClose={onClose}
      title="Switch off everywhere"
      action={`Switch off ${key}`}
      onConfirm={confirm}
      isBusy={kill.isPending}
      isDangerous
      typed={key}
      error={kill.error && <ErrorBanner error={kill.error} />}
    >
      <p>
        <bdi>{name}</bdi> goes off in all environments at once, without waiting for an approval. Applications then use
        their default values. Targets are kept, and you can undo it.
      </p>
    </ConfirmDialog>
  )
}
